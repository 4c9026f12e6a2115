internal import RealTime

/// Where the PCM of a recording lies, and how its samples are stored.
struct PCMDescription {
  /// libsndfile's number of the container.
  var container: Int
  var sampleRate: Int
  var channelCount: Int
  var samples: RawSampleFormat
  /// The offset of the first sample.
  var start: Int64
  /// The number of bytes that the header states; `nil` if its writer did not know.
  var stated: UInt64?
  /// How chunks may follow.
  var chunks: ChunkForm?

  var format: SoundFormat { SoundFormat(sampleRate: sampleRate, channelCount: channelCount) }
  var frameByteCount: Int { samples.byteCount * channelCount }
}

/// How the chunks of a container begin.
struct ChunkForm: Hashable {
  /// The number of bytes of the name and of the size.
  var nameLength = 4
  var sizeLength = 4
  var isBigEndian = false
  /// Whether the size includes the head.
  var includesHead = false
  /// Each chunk begins at a multiple of this many bytes behind the one before. Some writers of RIFF leave the padding
  /// out.
  var alignment: Int64 = 1

  static let riff = ChunkForm(alignment: 2)
  static let rifx = ChunkForm(isBigEndian: true, alignment: 2)
  static let coreAudio = ChunkForm(sizeLength: 8, isBigEndian: true)
  static let wave64 = ChunkForm(nameLength: 16, sizeLength: 8, includesHead: true, alignment: 8)

  var headLength: Int { nameLength + sizeLength }

  /// One chunk.
  struct Chunk {
    var name: String
    /// The offset of the content.
    var start: Int64
    /// The size of the content that the head states.
    var size: UInt64
    /// The size as an offset that further ones can be added to.
    var length: Int64 { Int64(min(size, 1 << 60)) }
  }

  /// Reads the head of a chunk. Returns `nil` if no chunk begins so.
  func chunk(_ head: some Collection<UInt8>, at offset: Int64) -> Chunk? {
    let head = Array(head.prefix(headLength))
    guard head.count == headLength, head[..<4].allSatisfy({ 0x20...0x7E ~= $0 }) else { return nil }
    let stated: UInt64 =
      sizeLength == 8
      ? head.integer(at: nameLength, isBigEndian: isBigEndian)
      : UInt64(head.integer(at: nameLength, as: UInt32.self, isBigEndian: isBigEndian))
    let own = includesHead ? UInt64(headLength) : 0
    guard stated >= own else { return nil }
    return Chunk(
      name: String(decoding: head[..<4], as: UTF8.self), start: offset + Int64(headLength),
      size: stated - own)
  }

  /// Returns where the chunk behind `chunk` begins, if its padding is there.
  func end(of chunk: Chunk) -> Int64 {
    chunk.start + (chunk.length + alignment - 1) / alignment * alignment
  }
}

/// The chunks of a region, from head to head.
struct Chunks: Sequence, IteratorProtocol {
  let region: Region
  let form: ChunkForm
  var offset: Int64
  private var left = 1000

  /// Real files have a dozen chunks; after 1000 the sequence ends.
  init(of region: Region, _ form: ChunkForm, from offset: Int64) {
    (self.region, self.form, self.offset) = (region, form, offset)
  }

  /// Returns the next chunk, or `nil` where none begins. Its content may extend beyond the end.
  mutating func next() -> ChunkForm.Chunk? {
    guard left > 0, offset < 1 << 61,
      let chunk = chunk(at: offset) ?? (isPadded ? chunk(at: offset - 1) : nil)
    else {
      return nil
    }
    left -= 1
    isPadded = form.end(of: chunk) > chunk.start + chunk.length
    offset = form.end(of: chunk)
    return chunk
  }

  /// Whether the chunk before has padding, which its writer may have left out.
  private var isPadded = false

  private func chunk(at offset: Int64) -> ChunkForm.Chunk? {
    form.chunk(region.upTo(form.headLength, at: offset), at: offset)
  }

  /// Returns the contents of the first chunks of the names, as far as they are short, and the chunk of the sound. It
  /// ends with both, because what follows the sound may be anywhere.
  func find(_ names: Set<String>, until sound: String) -> ([String: [UInt8]], ChunkForm.Chunk)? {
    var contents: [String: [UInt8]] = [:]
    var found: ChunkForm.Chunk?
    for chunk in self {
      if chunk.name == sound, found == nil {
        found = chunk
      } else if names.contains(chunk.name), contents[chunk.name] == nil, chunk.size <= 4096 {
        contents[chunk.name] = region.bytes(at: chunk.start, count: Int(chunk.size))
      }
      if let found, names.isSubset(of: contents.keys) || region.end == nil {
        return (contents, found)
      }
    }
    return found.map { (contents, $0) }
  }
}

extension PCMDescription {
  /// Returns the format of integers of so many bits, in as many bytes as they need.
  static func integers(
    bits: Int, isBigEndian: Bool, isSigned8: Bool = true
  ) -> RawSampleFormat? {
    switch (bits + 7) / 8 {
    case 1 where bits > 0: isSigned8 ? .s8 : .u8
    case 2: isBigEndian ? .s16be : .s16le
    case 3: isBigEndian ? .s24be : .s24le
    case 4: isBigEndian ? .s32be : .s32le
    default: nil
    }
  }

  static func floats(bits: Int, isBigEndian: Bool) -> RawSampleFormat? {
    switch bits {
    case 32: isBigEndian ? .f32be : .f32le
    case 64: isBigEndian ? .f64be : .f64le
    default: nil
    }
  }
}

/// Returns whether a size is one that writers to a pipe use when they do not know the size: a little below 2^31 (sox,
/// espeak-ng) or above (arecord), nearly 2^32 (ffmpeg), or an absurd 64-bit value.
func isPlaceholder(_ size: UInt64) -> Bool {
  let (half, whole): (UInt64, UInt64) = (1 << 31, 1 << 32)
  if size >= half - 1 << 25 && size <= half + 1 << 16 { return true }
  return size >= whole - 1 << 16 && size < whole || size >= 1 << 62
}
