internal import RealTime

/// A decoder of PCM: WAV, W64, AIFF, AU, CAF, SPHERE, and without a header.
///
/// The size that the header states is a hint. Where it ends and neither the end, a chunk, a tag, padding nor another
/// recording follows, the sound goes on.
final class PCMDecoder: SoundDecoder {
  let stream: ByteStream
  let info: SoundInfo
  private let samples: RawSampleFormat
  private let frameByteCount: Int
  /// Tells where sound goes on; `nil` if there is no header.
  private let note: ((String) -> Void)?
  /// The number of bytes that the header states; `nil` if it is unknown or wrong.
  private var stated: UInt64?
  /// How many bytes of sound have been read.
  private var taken: UInt64 = 0
  /// The last bytes read, which are a part of a frame.
  private var torn: [UInt8] = []

  /// Reads the sound of the recording with which `region` begins.
  init(_ description: PCMDescription, _ region: Region, note: @escaping (String) -> Void) {
    (stream, samples, self.note) = (region.stream, description.samples, note)
    frameByteCount = description.frameByteCount
    let stated = description.stated.map { Self.withOverflow($0, description, region) }
    let present = region.end.map { UInt64(max(0, $0 - region.start - description.start)) }
    let byteCount = stated == 0 ? present : stated.map { min($0, present ?? $0) } ?? present
    self.stated = stated
    var info = SoundInfo(
      "\(description.container), \(samples.encoding)", description.format, samples)
    info.frameCount = byteCount.map { Int64($0) / Int64(description.frameByteCount) }
    info.chunks = description.chunks
    self.info = info
    _ = stream.skip(description.start)
  }

  /// Reads a stream without a header.
  init(_ stream: ByteStream, _ format: RawPCMFormat) {
    (self.stream, samples, note) = (stream, format.sampleFormat, nil)
    frameByteCount = format.frameByteCount
    let sound = SoundFormat(sampleRate: format.sampleRate, channelCount: format.channelCount)
    info = SoundInfo("raw PCM, \(samples)", sound, samples)
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
    let padding = Self.padding(description.chunks, behind: whole)
    return RecordingEnd.isAt(rest, description.chunks, padding: padding) ? whole : stated
  }

  private static func padding(_ chunks: ChunkForm?, behind size: UInt64) -> Int64 {
    chunks?.padding(behind: Int64(clamping: size)) ?? 0
  }

  func next(_ wanted: Int) -> SoundBlock? {
    var bytes = torn
    repeat {
      let got = room(upTo: wanted * frameByteCount - bytes.count).map(stream.read) ?? []
      if got.isEmpty { return nil }
      bytes = bytes.isEmpty ? got : bytes + got
      torn = bytes
      taken += UInt64(got.count)
    } while bytes.count < frameByteCount
    let count = bytes.count / frameByteCount
    torn = Array(bytes[(count * frameByteCount)...])
    let sampleCount = count * info.format.channelCount
    let decoded = [Float](unsafeUninitializedCapacity: sampleCount) { buffer, initialized in
      var output = MutableSpan(_unsafeElements: buffer)
      samples.decode(bytes.span.bytes, count: sampleCount, into: &output)
      initialized = sampleCount
    }
    return SoundBlock(format: info.format, samples: decoded)
  }

  /// Returns how many bytes may be read, up to `most`; `nil` at the end.
  private func room(upTo most: Int) -> Int? {
    guard let stated else { return most }
    if taken < stated { return Int(min(UInt64(most), stated - taken)) }
    let padding = Self.padding(info.chunks, behind: stated)
    if let more = info.chunks?.find(in: Region(stream), from: padding)?.sound {
      _ = stream.skip(more.start + (info.chunks?.soundOffset ?? 0))
      self.stated = statedSize(more.size).map { taken + $0 }
      return room(upTo: most)
    }
    if RecordingEnd.isAt(Region(stream), info.chunks, padding: padding) {
      let isPadded = RecordingEnd.chunkLength(Region(stream), info.chunks, at: padding) != nil
      _ = stream.skip(isPadded ? padding : 0)
      return nil
    }
    note?("reads on behind the \(stated) bytes of sound that the header states")
    self.stated = nil
    return most
  }

  func finish() -> [AudioInputWarning] {
    if stream.isStopped { return [] }
    if note == nil, !torn.isEmpty { return [.tornFrame(bytes: torn.count)] }
    guard let stated, stated > taken else { return [] }
    let missing = stated - taken
    let seconds = Double(missing) / Double(frameByteCount * info.format.sampleRate)
    return [.torn(missingBytes: missing, missingSeconds: taken == 0 ? nil : seconds)]
  }
}
