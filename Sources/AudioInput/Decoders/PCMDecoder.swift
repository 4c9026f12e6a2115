internal import RealTime

/// A decoder of PCM: WAV, W64, AIFF, AU, CAF and SPHERE.
///
/// The size that the header states is a hint. Where it ends and neither the end, a chunk, a tag, padding nor another
/// recording follows, the sound goes on.
final class PCMDecoder: SoundDecoder {
  let formatName: String
  let frameCount: Int64?
  var sampleRate: Int { description.sampleRate }
  var channelCount: Int { description.channelCount }
  var bitsPerSample: Int? { description.samples.bitsPerSample }
  var exceedsFloats: Bool { description.samples.exceedsFloats }
  var chunks: ChunkForm? { description.chunks }

  let stream: ByteStream
  private let description: PCMDescription
  private let note: (String) -> Void
  /// Whether there is no header.
  private let isRaw: Bool
  /// The number of bytes that the header states; `nil` if it is unknown or wrong.
  private var stated: UInt64?
  /// How many bytes of sound have been read.
  private var taken: UInt64 = 0
  /// The bytes read, of which the first `held` are a part of a frame.
  private var bytes: [UInt8]
  private var held = 0

  /// The most bytes that are read at once.
  private static let mostBytes = 1 << 16

  /// Reads the sound of the recording with which `region` begins.
  init(_ description: PCMDescription, _ region: Region, note: @escaping (String) -> Void) {
    (stream, self.description, self.note) = (region.stream, description, note)
    stated = description.stated.map { Self.withOverflow($0, description, region) }
    let present = region.end.map { UInt64(max(0, $0 - region.start - description.start)) }
    let byteCount = stated == 0 ? present : stated.map { min($0, present ?? $0) } ?? present
    frameCount = byteCount.map { Int64($0) / Int64(description.frameByteCount) }
    formatName = LibSndFile.formatName(description.container, description.samples.encoding)
    let capacity = max(Self.mostBytes, 2 * description.frameByteCount)
    bytes = Array(repeating: 0, count: capacity)
    isRaw = false
    _ = stream.skip(description.start)
  }

  /// Reads a stream without a header.
  init(_ stream: ByteStream, _ format: RawPCMFormat) {
    self.stream = stream
    description = PCMDescription(
      container: 0, sampleRate: format.sampleRate, channelCount: format.channelCount,
      samples: format.sampleFormat, start: 0)
    formatName = "raw PCM, \(format.sampleFormat)"
    bytes = Array(repeating: 0, count: max(Self.mostBytes, 2 * format.frameByteCount))
    (frameCount, note, isRaw) = (nil, { _ in }, true)
  }

  /// Returns the stated size, with 2^32 bytes or a multiple where a size of 32 bits has overflowed.
  private static func withOverflow(
    _ stated: UInt64, _ description: PCMDescription, _ region: Region
  ) -> UInt64 {
    guard let end = region.end, description.chunks?.sizeLength != 8 else { return stated }
    let behind = end - region.start - description.start - Int64(clamping: stated)
    guard behind >= 1 << 32 else { return stated }
    let whole = stated + UInt64(behind) & ~0xFFFF_FFFF
    let rest = Region(region.stream, from: region.start + description.start + Int64(whole))
    return RecordingEnd.isAt(rest, description.chunks, isOdd: whole % 2 == 1) ? whole : stated
  }

  func read(into samples: UnsafeMutableBufferPointer<Float>) -> Int {
    let frameByteCount = description.frameByteCount
    let most = min(samples.count / channelCount * frameByteCount, bytes.count)
    repeat {
      guard let room = room(upTo: most - held) else { return 0 }
      let got = bytes.withUnsafeMutableBytes { bytes in
        stream.readSome(.init(rebasing: bytes[held..<held + room]))
      }
      if got == 0 { return 0 }
      (held, taken) = (held + got, taken + UInt64(got))
    } while held < frameByteCount
    let count = held / frameByteCount
    bytes.withUnsafeMutableBytes { bytes in
      var output = MutableSpan(_unsafeElements: samples)
      description.samples.decode(bytes.bytes, count: count * channelCount, into: &output)
      let used = count * frameByteCount
      bytes.copyBytes(from: bytes[used..<held])
      held -= used
    }
    return count
  }

  /// Returns how many bytes may be read, up to `most`; `nil` at the end.
  private func room(upTo most: Int) -> Int? {
    guard let stated else { return most }
    if taken < stated { return Int(min(UInt64(most), stated - taken)) }
    if RecordingEnd.isAt(Region(stream), chunks, isOdd: stated % 2 == 1) { return nil }
    note("reads on behind the \(stated) bytes of sound that the header states")
    self.stated = nil
    return most
  }

  func finish() -> [AudioInputWarning] {
    if isRaw, held > 0, !stream.isStopped { return [.tornFrame(bytes: held)] }
    guard let stated, stated > taken, !stream.isStopped else { return [] }
    let frames = Double(taken) / Double(description.frameByteCount)
    return [
      .torn(missing: stated - taken, present: taken, seconds: frames / Double(sampleRate))
    ]
  }
}
