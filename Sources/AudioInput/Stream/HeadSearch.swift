/// A search for the head of another recording among the bytes after a first one, wherever it may begin.
///
/// Four bytes of a name occur in any sound, so a head counts only if at least eight bytes match.
struct HeadSearch {
  private(set) var found: AudioContainer?
  /// The last bytes, in which a head may begin.
  private var tail: [UInt8] = []

  /// The number of bytes of a head that are examined.
  private static let length = 28
  private static let firstBytes = Set("RBfOF.crC".utf8).union([0, 0x1A, 0x30])

  mutating func look(at bytes: ArraySlice<UInt8>) {
    guard found == nil else { return }
    let all = tail + bytes
    for start in 0..<max(0, all.count - Self.length + 1)
    where Self.firstBytes.contains(all[start])
      && (all[start] != 0 || all[start + 4] == UInt8(ascii: "f"))  // of "ftyp": zeros are frequent
    {
      found = Self.container(all[start..<start + Self.length])
      if found != nil { return }
    }
    tail = Array(all.suffix(Self.length - 1))
  }

  private static func container(_ head: ArraySlice<UInt8>) -> AudioContainer? {
    let container = AudioContainer { count in head.prefix(count) }
    let bytes = Array(head)
    return switch container {
    case .wave?, .wave64?, .aiff?, .voc?, .foreign("AVI")?, .foreign("WMA")?: container
    // A head is shorter than 64 KiB.
    case .foreign("MP4")? where bytes[0] == 0 && bytes[1] == 0: container
    // The version of EBML, 1, which comes first wherever it is written.
    case .foreign("Matroska or WebM")?
    where [5, 12].contains { bytes[$0...].starts(with: [0x42, 0x86, 0x81, 1]) }:
      container
    // The first block of metadata must be the one of 34 bytes.
    case .flac? where bytes[4] & 0x7F == 0 && bytes[5..<8].elementsEqual([0, 0, 34]): container
    // It must be the first page of a stream, at time 0.
    case .ogg? where bytes[4...].starts(with: [0, 2, 0, 0, 0, 0, 0, 0, 0, 0]): container
    case .caf? where bytes[4...].starts(with: [0, 1, 0, 0] + Array("desc".utf8)): container
    // The encoding must be up to 27, the rate below 2^24 and the number of channels below 2^16.
    case .au?
    where bytes[12..<15].elementsEqual([0, 0, 0]) && 1...27 ~= bytes[15]
      && bytes[16] == 0 && bytes[20] == 0 && bytes[21] == 0:
      container
    default: nil
    }
  }
}
