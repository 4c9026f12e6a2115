/// The chunk of audio in a file whose header states its size but that is not WAV: AIFF, AU, Wave64, CAF, SPH.
///
/// libsndfile reads what is left of a truncated file without a report, and rejects a truncated CAF. It also rejects a
/// CAF whose writer could not go back to fill in the size, although the format allows that.
///
/// Sources: "Audio Interchange File Format AIFF-C" (Apple, 1991); au(4) of SunOS; "Sony Pictures Digital
/// Wave 64" (2003); "Apple Core Audio Format Specification 1.0"; "SPeech HEader REsources (SPHERE)" 2.6 (NIST).
struct AudioChunk {
  /// The offset on disk of the samples, or of a few bytes before them that count as samples.
  let start: Int64
  /// The number of bytes that the header promises; `nil` if its writer did not know.
  let declaredByteCount: UInt64?
  private let isCAF: Bool
  private let isWave64: Bool
  private let sizeOnDisk: Int64

  var presentByteCount: UInt64 { UInt64(max(0, sizeOnDisk - start)) }
  var missingByteCount: UInt64 {
    guard let declaredByteCount, declaredByteCount > presentByteCount else { return 0 }
    return declaredByteCount - presentByteCount
  }

  /// Finds the chunk. Returns `nil` for other files and for those without such a chunk.
  init?(_ file: ByteFile) {
    guard let head = file.bytesOnDisk(at: 0, count: 28) else { return nil }
    let magic = String(decoding: head[..<4], as: UTF8.self)
    let found: (start: Int64, size: UInt64)? =
      switch magic {
      case ".snd": (Int64(head.bigEndian32(at: 4)), UInt64(head.bigEndian32(at: 8)))
      case "FORM": Self.soundData(file)
      case "riff": Self.wave64Data(file)
      case "caff": Self.coreAudioData(file)
      case "NIST": Self.sphereData(file)
      default: nil
      }
    guard let found, 0...file.sizeOnDisk ~= found.start else { return nil }
    start = found.start
    declaredByteCount = isPlaceholder(found.size) ? nil : found.size
    (isCAF, isWave64) = (magic == "caff", magic == "riff")
    sizeOnDisk = file.sizeOnDisk
  }

  private static func soundData(_ file: ByteFile) -> (Int64, UInt64)? {
    let chunks = WaveChunks(of: file, isBigEndian: true, from: 12)
    let data = chunks.prefix(WaveChunks.mostChunks).first { $0.name == "SSND" }
    return data.map { ($0.start, UInt64($0.size)) }
  }

  /// W64: names of 16 bytes, sizes of 8 bytes that include name and size, chunks at multiples of 8.
  private static func wave64Data(_ file: ByteFile) -> (Int64, UInt64)? {
    var offset: Int64 = 40
    for _ in 0..<WaveChunks.mostChunks {
      guard let header = file.bytesOnDisk(at: offset, count: 24) else { return nil }
      let size: UInt64 = header.integer(at: 16)
      if header.starts(with: "data".utf8) { return (offset + 24, size < 24 ? .max : size - 24) }
      guard 24...UInt64(file.sizeOnDisk) ~= size else { return nil }
      offset += Int64(size + 7) & ~7
    }
    return nil
  }

  /// CAF: names of 4 bytes, sizes of 8 bytes, where −1 means "to the end of the file".
  private static func coreAudioData(_ file: ByteFile) -> (Int64, UInt64)? {
    var offset: Int64 = 8
    for _ in 0..<WaveChunks.mostChunks {
      guard let header = file.bytesOnDisk(at: offset, count: 12) else { return nil }
      let size: UInt64 = header.integer(at: 4, isBigEndian: true)
      if header.starts(with: "data".utf8) { return (offset + 12, size) }
      guard size <= UInt64(file.sizeOnDisk) else { return nil }
      offset += 12 + Int64(size)
    }
    return nil
  }

  /// SPH: lines of text, of which the second states the length of the header and the others have a name, a type and a
  /// value. The last is `end_head`. A coded recording has another size than its samples.
  private static func sphereData(_ file: ByteFile) -> (Int64, UInt64)? {
    guard let head = file.bytesOnDisk(at: 0, count: Int(min(file.sizeOnDisk, longestSphereHead)))
    else { return nil }
    let lines = head.split(separator: UInt8(ascii: "\n")).map { line in
      String(decoding: line, as: UTF8.self).split(separator: " ")
    }
    func value(_ name: String) -> Substring? {
      lines.prefix { $0 != ["end_head"] }.first { $0.count == 3 && $0[0] == name }?[2]
    }
    guard lines.count > 1, let start = lines[1].first.flatMap({ Int64($0) }),
      let sampleCount = value("sample_count").flatMap({ UInt32($0) }),
      let sampleSize = value("sample_n_bytes").flatMap({ UInt8($0) }),
      let channelCount = UInt16(value("channel_count") ?? "1"),
      ["pcm", "ulaw", "alaw"].contains(value("sample_coding") ?? "pcm")
    else { return nil }
    return (start, UInt64(sampleCount) * UInt64(sampleSize) * UInt64(channelCount))
  }

  /// Headers have 1024 bytes, rarely a multiple of that.
  private static let longestSphereHead: Int64 = 1 << 14
}

extension AudioChunk {
  /// Shows libsndfile the true size of a CAF's audio, and of a W64 only its audio, because libsndfile takes everything
  /// that follows for samples.
  func correctSize(in file: ByteFile) {
    if isWave64, let declaredByteCount, declaredByteCount < presentByteCount {
      file.show(body: 0..<start + Int64(declaredByteCount))
    }
    guard isCAF, declaredByteCount.map({ $0 > presentByteCount }) ?? true,
      let head = file.bytesOnDisk(at: 0, count: Int(start) - 8)
    else { return }
    let size = withUnsafeBytes(of: presentByteCount.bigEndian) { Array($0) }
    file.show(prefix: head + size, body: start..<sizeOnDisk)
  }
}

extension [UInt8] {
  fileprivate func bigEndian32(at offset: Int) -> UInt32 { integer(at: offset, isBigEndian: true) }
}
