/// The chunks that determine the samples of a WAV file: `fmt `, `fact` and `data`, wherever they lie and whatever sizes
/// they claim. RIFF, RIFX (big endian), RF64 and BW64.
///
/// libsndfile 1.2 reads nothing where a streaming writer left the data size 0. It rejects an odd chunk without padding,
/// an RF64 without sizes, and a few more. Its parser is therefore shown a header made from these chunks with the true
/// size, and the samples after it.
///
/// Sources: RIFF as in ``WaveChunks``; RF64: EBU Tech 3306; BW64: ITU-R BS.2088.
struct WaveHeader {
  /// The offsets of the samples on disk.
  private(set) var samples: Range<Int64>
  /// The number of bytes that the header promises and the file lacks. A placeholder promises nothing.
  private(set) var missingByteCount: UInt64
  /// The size field of the data chunk, or RF64's 64-bit size.
  private(set) var declaredByteCount: UInt64

  private let isBigEndian: Bool
  private let format: [UInt8]
  private let fact: [UInt8]?

  /// The longest `fmt ` chunk that is accepted; real ones have 16 to 50 bytes.
  private static let longestFormat = 4096

  /// Reads the header of a file. Returns `nil` unless it is a WAV file with format and data.
  init?(_ file: ByteFile) {
    self.init(head: file)
    var rest = WaveChunks(of: file, isBigEndian: isBigEndian, from: 12)
    rest.offset = samples.lowerBound
    (samples, missingByteCount) = Self.extent(declaredByteCount, before: rest)
  }

  /// Reads a header alone, and takes its size of the samples as it is.
  init?(head: some HeaderBytes) {
    guard let form = head.bytesOnDisk(at: 0, count: 12), form[8...].elementsEqual("WAVE".utf8),
      ["RIFF", "RIFX", "RF64", "BW64"].contains(String(decoding: form[..<4], as: UTF8.self))
    else { return nil }
    isBigEndian = form[3] == UInt8(ascii: "X")
    let chunks = WaveChunks(of: head, isBigEndian: isBigEndian, from: 12)
    guard let found = Self.find(in: chunks), let data = found["data"],
      let format = head.content(of: found["fmt "], atMost: Self.longestFormat), format.count >= 16
    else { return nil }
    self.format = format
    fact = head.content(of: found["fact"], atMost: Self.longestFormat)
    let sizes = head.content(of: found["ds64"], atMost: Self.longestFormat)
    declaredByteCount = Self.declaredByteCount(of: data, sizes)
    samples = data.start..<data.start + Int64(min(declaredByteCount, 1 << 62))
    missingByteCount = 0
  }

  /// Creates a WAV header for another container's audio. `declared` is 0 if the size is unknown.
  init?(format: [UInt8], start: Int64, declared: UInt64) {
    guard format.count >= 16 else { return nil }
    (self.format, fact, isBigEndian) = (format, nil, false)
    (declaredByteCount, missingByteCount) = (declared, 0)
    samples = start..<start + Int64(min(declared, 1 << 62))
  }

  /// Returns the first chunk of each name, up to the one that completes format and data.
  private static func find(in chunks: WaveChunks) -> [String: WaveChunk]? {
    var found: [String: WaveChunk] = [:]
    for chunk in chunks.prefix(WaveChunks.mostChunks) {
      if found[chunk.name] == nil { found[chunk.name] = chunk }
      if found["data"] != nil && found["fmt "] != nil { return found }
    }
    return nil
  }

  /// Returns the declared size. RF64 sets the 32-bit field to its maximum and stores the size in `ds64`, after that of
  /// the RIFF.
  private static func declaredByteCount(of data: WaveChunk, _ sizes: [UInt8]?) -> UInt64 {
    guard data.size == .max, let sizes, sizes.count >= 16 else { return UInt64(data.size) }
    return sizes.integer(at: 8)
  }

  /// Returns where the samples really lie, and how many bytes of them are missing. `rest` begins with the samples.
  private static func extent(
    _ declared: UInt64, before rest: WaveChunks
  ) -> (Range<Int64>, missing: UInt64) {
    let start = rest.offset
    let present = UInt64(max(0, rest.file.sizeOnDisk - start))
    var behind = rest
    if declared > present {
      return (start..<start + Int64(present), isPlaceholder(declared) ? 0 : declared - present)
    }
    behind.offset += Int64(declared + declared % 2)
    if behind.fillTheFile() { return (start..<start + Int64(declared), 0) }
    // The writer never came back to fill in the size, or the size overflowed 32 bits.
    let overflow = (present - declared) & ~0xFFFF_FFFF
    let lost = declared == 0 ? present : overflow
    return (start..<start + Int64(declared + lost), 0)
  }
}

extension WaveHeader {
  /// A fault in the header that makes the file unreadable.
  var flaw: String? {
    let channelCount: UInt16 = format.integer(at: 2, isBigEndian: isBigEndian)
    let sampleRate: UInt32 = format.integer(at: 4, isBigEndian: isBigEndian)
    if channelCount == 0 { return "its header says 0 channels" }
    return sampleRate == 0 ? "its header says 0 Hz" : nil
  }

  /// Only chunks may follow the samples.
  var trailer: Trailer { .chunks(isBigEndian: isBigEndian) }

  /// Whether each sample is stored on its own (PCM, floats, A-law, µ-law) rather than in blocks that are decoded as a
  /// whole.
  var isUncompressed: Bool {
    let tag: UInt16 = format.integer(at: 0, isBigEndian: isBigEndian)
    let isExtensible = tag == 0xFFFE && format.count >= 26
    return [1, 3, 6, 7].contains(
      isExtensible ? format.integer(at: 24, isBigEndian: isBigEndian) : tag)
  }

  /// Returns a correct header, to be followed by `count` bytes. It is RF64 only where 32 bits are not enough.
  func corrected(count: Int64) -> [UInt8] {
    let description = chunk("fmt ", format) + (fact.map { chunk("fact", $0) } ?? [])
    let size = UInt64(count)
    let riffSize = size + UInt64(description.count + 12)
    guard riffSize > UInt32.max, !isBigEndian else {
      return Array((isBigEndian ? "RIFX" : "RIFF").utf8) + bytes(UInt32(clamping: riffSize))
        + Array("WAVE".utf8) + description + Array("data".utf8) + bytes(UInt32(clamping: size))
    }
    let frameCount = UInt64(0)  // libsndfile computes it from the size.
    let sizes = bytes(riffSize + 36) + bytes(size) + bytes(frameCount) + bytes(UInt32(0))
    return Array("RF64".utf8) + bytes(UInt32.max) + Array("WAVE".utf8) + chunk("ds64", sizes)
      + description + Array("data".utf8) + bytes(UInt32.max)
  }

  private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + bytes(UInt32(content.count)) + content + (content.count % 2 == 1 ? [0] : [])
  }

  private func bytes<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    withUnsafeBytes(of: isBigEndian ? value.bigEndian : value.littleEndian) { Array($0) }
  }
}

extension HeaderBytes {
  /// Returns the content of a chunk if the chunk exists and is no longer than `limit`.
  fileprivate func content(of chunk: WaveChunk?, atMost limit: Int) -> [UInt8]? {
    guard let chunk, chunk.size <= limit else { return nil }
    return bytesOnDisk(at: chunk.start, count: Int(chunk.size))
  }
}

/// Returns whether a size is one that writers to a pipe use when they do not know the size: a little below 2^31 (sox,
/// espeak-ng) or above (arecord), nearly 2^32 (ffmpeg), or an absurd 64-bit value.
func isPlaceholder(_ size: UInt64) -> Bool {
  let (half, whole): (UInt64, UInt64) = (1 << 31, 1 << 32)
  if size >= half - 1 << 25 && size <= half + 1 << 16 { return true }
  return size >= whole - 1 << 16 && size < whole || size >= 1 << 62
}
