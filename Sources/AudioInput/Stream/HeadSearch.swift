/// A search for the head of another recording among the bytes after a first one, wherever it may begin.
///
/// Four bytes of a name occur in any sound, so a head counts only if at least eight bytes match.
struct HeadSearch {
  private(set) var found: AudioContainer?
  /// The last bytes, in which a head may begin.
  private var tail: [UInt8] = []

  /// The number of bytes of a head that are examined.
  private static let length = 28
  private static let firstBytes = Set("RBfOF.cr".utf8)

  mutating func look(at bytes: ArraySlice<UInt8>) {
    guard found == nil else { return }
    let all = tail + bytes
    for start in 0..<max(0, all.count - Self.length + 1) where Self.firstBytes.contains(all[start])
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
    case .wave?, .wave64?, .aiff?: container
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
