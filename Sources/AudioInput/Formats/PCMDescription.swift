internal import RealTime

/// Where the PCM of a recording lies, and how its samples are stored.
struct PCMDescription {
  /// The name of the container; `nil` without a header.
  var container: String?
  var format: RawPCMFormat
  /// The offset of the first sample.
  var start: Int64 = 0
  /// The number of bytes that the header states; `nil` if its writer did not know.
  var stated: UInt64?
  /// How chunks may follow.
  var chunks: ChunkForm?
}

/// How a container of chunks is built.
struct ChunkForm: Hashable {
  /// The offset of the first chunk.
  var first: Int64 = 12
  /// The name of the chunk that holds the sound, and how many bytes in it precede the samples.
  var sound = "data"
  var soundOffset: Int64 = 0
  /// The number of bytes of the name and of the size.
  var nameLength = 4
  var sizeLength = 4
  var isBigEndian = false
  /// Whether the size includes the head.
  var includesHead = false
  /// Whether the name begins with four printable characters.
  var isNamed = true
  /// Each chunk begins at a multiple of this many bytes behind the one before. Some writers of RIFF leave the padding
  /// out.
  var alignment: Int64 = 1

  static let riff = ChunkForm(alignment: 2)
  static let rifx = ChunkForm(isBigEndian: true, alignment: 2)
  static let interchange = ChunkForm(
    sound: "SSND", soundOffset: 8, isBigEndian: true, alignment: 2)
  static let coreAudio = ChunkForm(first: 8, soundOffset: 4, sizeLength: 8, isBigEndian: true)
  static let wave64 = ChunkForm(
    first: 40, nameLength: 16, sizeLength: 8, includesHead: true, alignment: 8)

  var headLength: Int { nameLength + sizeLength }

  struct Chunk {
    var name: String
    /// The offset of the content.
    var start: Int64
    /// The size of the content that the head states. It may extend beyond the end.
    var size: UInt64
  }

  /// Returns the chunk whose head stands at an offset, or `nil` if no chunk begins so.
  func chunk(in region: Region, at offset: Int64) -> Chunk? {
    guard let head = region.fields(at: offset, count: headLength, isBigEndian: isBigEndian),
      !isNamed || head.bytes[..<4].allSatisfy({ 0x20...0x7E ~= $0 })
    else { return nil }
    let size = sizeLength == 8 ? head.u64(nameLength) : UInt64(head.u32(nameLength))
    let own = UInt64(includesHead ? headLength : 0)
    return Chunk(
      name: head.text(0), start: offset + Int64(headLength), size: size < own ? 0 : size - own)
  }

  /// Returns where the chunk behind `chunk` begins, if its padding is there.
  func end(of chunk: Chunk) -> Int64 {
    let size = min(chunk.size, 1 << 60)
    return chunk.start + Int64(size) + padding(behind: size)
  }

  /// Returns the number of bytes behind a chunk's content.
  func padding(behind size: UInt64) -> Int64 {
    let alignment = UInt64(alignment)
    return Int64((alignment - size % alignment) % alignment)
  }

  /// Returns the contents of the first chunks of the names, as far as they are short, and the chunk of the sound. It
  /// ends with both, because what follows the sound may be anywhere. Real files have a dozen chunks; 1000 are examined.
  func find(
    _ names: Set<String> = [], in region: Region, from start: Int64? = nil
  ) -> (contents: [String: Fields], sound: Chunk)? {
    var contents: [String: Fields] = [:]
    var found: Chunk?
    // A writer may have left out the padding.
    var (offset, isPadded) = (start ?? first, false)
    for _ in 0..<1000 {
      guard offset < 1 << 61,
        let chunk = chunk(in: region, at: offset)
          ?? (isPadded ? chunk(in: region, at: offset - 1) : nil)
      else { break }
      if chunk.name == sound {
        found = found ?? chunk
      } else if names.contains(chunk.name), contents[chunk.name] == nil, chunk.size <= 4096 {
        contents[chunk.name] = region.fields(
          at: chunk.start, count: Int(chunk.size), isBigEndian: isBigEndian)
      }
      if found != nil, names.isSubset(of: contents.keys) || region.end == nil { break }
      offset = end(of: chunk)
      isPadded = offset > chunk.start + Int64(min(chunk.size, 1 << 60))
    }
    return found.map { (contents, $0) }
  }

  /// The longest chunk behind the sound that is believed in a pipe.
  private static let longestInPipe: Int64 = 1 << 28

  /// Returns the length of the chunk that begins at an offset and fits into the rest.
  func length(in rest: Region, at offset: Int64 = 0) -> Int64? {
    guard let chunk = chunk(in: rest, at: offset) else { return nil }
    let length = end(of: chunk) - offset
    // The last padding may be missing.
    let most = rest.end == nil ? Self.longestInPipe : rest.count - offset + alignment
    return length < most ? length : nil
  }

  /// The lengths of units: the head, and chunks. A placeholder is not a length.
  @Sendable func unit(_ file: Region, _ offset: Int64) -> Int64? {
    if offset < first { return first }
    guard let chunk = chunk(in: file, at: offset), statedSize(chunk.size) != nil,
      chunk.size > 0 || !includesHead
    else { return nil }
    let (length, rest) = (end(of: chunk) - offset, file.count - offset)
    // The last padding may be missing.
    return 0..<alignment ~= length - rest ? rest : length
  }

  /// Returns the size of the sound in a file and its place in the header, if the header states another, and whether
  /// that is larger.
  func trueSize(in region: Region) -> (offset: Int64, bytes: [UInt8], isTorn: Bool)? {
    guard let (_, sound) = find(in: region) else { return nil }
    let present = UInt64(region.count - sound.start)
    let behind = Region(region.stream, from: region.start + end(of: sound))
    guard present < sound.size || RecordingEnd.distance(in: behind, self) == nil else { return nil }
    let size = present + UInt64(includesHead ? headLength : 0)
    guard sizeLength == 8 || size < 1 << 32 else { return nil }
    let bytes = withUnsafeBytes(of: size.bigEndian) { Array($0.suffix(sizeLength)) }
    let isTorn = statedSize(sound.size).map { $0 > present } ?? false
    return (
      region.start + sound.start - Int64(sizeLength), isBigEndian ? bytes : bytes.reversed(), isTorn
    )
  }
}

extension RawSampleFormat {
  /// Creates the format of integers, in as many bytes as they need, or of floats; `nil` if there is none.
  init?(bits: Int, isFloat: Bool = false, isBigEndian: Bool, isSigned8: Bool = true) {
    let (whole, order) = ((bits + 7) / 8 * 8, isBigEndian ? "be" : "le")
    switch (isFloat, whole) {
    case (true, _): self.init(rawValue: "f\(bits)\(order)")
    case (false, 8): self = isSigned8 ? .s8 : .u8
    case (false, _): self.init(rawValue: "s\(whole)\(order)")
    }
  }
}

// MARK: - Numbers

/// The numbers in a header, all in one byte order.
struct Fields {
  let bytes: [UInt8]
  let isBigEndian: Bool

  init(_ bytes: [UInt8], isBigEndian: Bool = false) {
    (self.bytes, self.isBigEndian) = (bytes, isBigEndian)
  }

  var count: Int { bytes.count }

  func u16(_ offset: Int) -> Int { Int(integer(at: offset) as UInt16) }
  func u32(_ offset: Int) -> Int { Int(integer(at: offset) as UInt32) }
  func u64(_ offset: Int) -> UInt64 { integer(at: offset) }
  /// Four characters.
  func text(_ offset: Int) -> String {
    String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
  }

  private func integer<Value: FixedWidthInteger & UnsignedInteger>(at offset: Int) -> Value {
    bytes.integer(at: offset, isBigEndian: isBigEndian)
  }
}

extension Region {
  /// Returns the bytes at an offset as numbers, or `nil` if there are too few.
  func fields(at offset: Int64, count: Int, isBigEndian: Bool = false) -> Fields? {
    let bytes = upTo(count, at: offset)
    return bytes.count == count ? Fields(bytes, isBigEndian: isBigEndian) : nil
  }
}

/// Returns the size of the sound that a header states together with some bytes in front of it.
///
/// The result is `nil` for what writers to a pipe use when they do not know the size: a little below 2^31 (sox,
/// espeak-ng) or above (arecord), nearly 2^32 (ffmpeg), or an absurd 64-bit value.
func statedSize(_ size: some BinaryInteger, behind skipped: UInt64 = 0) -> UInt64? {
  let (size, half, whole): (UInt64, UInt64, UInt64) = (UInt64(size), 1 << 31, 1 << 32)
  let isPlaceholder =
    half - 1 << 25...half + 1 << 16 ~= size || whole - 1 << 16..<whole ~= size || size >= 1 << 62
  return isPlaceholder || size < skipped ? nil : size - skipped
}
