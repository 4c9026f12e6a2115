internal import SystemPackage

/// Bytes that can be examined in any order: those of a file, or the first ones of a stream.
protocol HeaderBytes {
  /// The number of bytes; for a stream, more than anybody examines.
  var sizeOnDisk: Int64 { get }
  /// Returns the bytes at an offset, or `nil` if there are too few.
  func bytesOnDisk(at offset: Int64, count: Int) -> [UInt8]?
}

extension ByteFile: HeaderBytes {}

/// The first bytes of a stream, which can still be read afterwards.
struct StreamHead: HeaderBytes {
  let stream: ByteStream

  /// The longest head. Headers with pictures before the sound are rare in streams; those beyond 1 MiB are spooled.
  static let limit = 1 << 20

  var sizeOnDisk: Int64 { .max }

  func bytesOnDisk(at offset: Int64, count: Int) -> [UInt8]? {
    guard offset >= 0, count >= 0, offset <= Int64(Self.limit - count),
      let bytes = try? stream.peek(Int(offset) + count), bytes.count == Int(offset) + count
    else { return nil }
    return Array(bytes.dropFirst(Int(offset)))
  }
}

extension WaveHeader {
  /// Reads the header of a WAV or W64 stream up to its first sample. Returns `nil` if that is not enough to read the
  /// stream from front to back.
  init?(_ head: StreamHead, isWave64: Bool) {
    guard let header = isWave64 ? Self.wave64(head) : WaveHeader(head: head),
      header.isUncompressed
    else { return nil }
    self = header
  }

  /// Whether the size of the audio is known.
  var hasKnownSize: Bool { declaredByteCount > 0 && !isPlaceholder(declaredByteCount) }

  /// Reads a W64 header: names of 16 bytes, sizes of 8 bytes that include name and size, chunks at multiples of 8. The
  /// content of `fmt ` is that of WAV.
  private static func wave64(_ head: StreamHead) -> WaveHeader? {
    var offset: Int64 = 40
    var format: [UInt8]?
    for _ in 0..<WaveChunks.mostChunks {
      guard let chunk = head.bytesOnDisk(at: offset, count: 24) else { return nil }
      let size: UInt64 = chunk.integer(at: 16)
      if chunk.starts(with: "data".utf8) {
        let declared = size <= 24 || size >= 1 << 62 ? 0 : size - 24
        return format.flatMap { WaveHeader(format: $0, start: offset + 24, declared: declared) }
      }
      guard 24...UInt64(StreamHead.limit) ~= size else { return nil }
      if chunk.starts(with: "fmt ".utf8) {
        format = head.bytesOnDisk(at: offset + 24, count: Int(size) - 24)
      }
      offset += Int64(size + 7) & ~7
    }
    return nil
  }
}
