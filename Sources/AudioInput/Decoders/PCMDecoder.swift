internal import RealTime

/// A decoder of PCM: WAV, W64, AIFF, AU, CAF, SPHERE, and without a header.
///
/// The size that the header states is a hint. Where it ends and neither the end, a chunk, a tag, padding nor another
/// recording follows, the sound goes on.
final class PCMDecoder: SoundDecoder {
  let stream: ByteStream
  private(set) var info: SoundInfo
  private let samples: RawSampleFormat
  private let frameByteCount: Int
  private let hasHeader: Bool
  /// Tells where sound goes on.
  private let note: (String) -> Void
  /// The number of bytes that the header states; `nil` if it is unknown or wrong.
  private var stated: UInt64?
  /// How many bytes of sound have been read.
  private var taken: UInt64 = 0
  /// The last bytes read, which are a part of a frame.
  private var torn: [UInt8] = []

  /// Reads the sound of the recording with which `region` begins.
  init(
    _ description: PCMDescription, _ region: Region, note: @escaping (String) -> Void = { _ in }
  ) {
    (stream, samples, self.note) = (region.stream, description.samples, note)
    (hasHeader, frameByteCount) = (description.container != nil, description.frameByteCount)
    stated = description.stated.map { Self.withOverflow($0, description, region) }
    let encoding = hasHeader ? samples.encoding : "\(samples)"
    info = SoundInfo(
      "\(description.container ?? "raw PCM"), \(encoding)", description.format, samples)
    info.chunks = description.chunks
    _ = stream.skip(description.start)
    guard hasHeader else { return }
    let present = region.end.map { UInt64(max(0, $0 - region.start - description.start)) }
    let byteCount = stated == 0 ? present : stated.map { min($0, present ?? $0) } ?? present
    info.frameCount = byteCount.map { Int64($0) / Int64(frameByteCount) }
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
    return RecordingEnd.distance(in: rest, description.chunks, behind: whole) != nil
      ? whole : stated
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
    let rest = Region(stream)
    if let chunks = info.chunks,
      let more = chunks.find(in: rest, from: chunks.padding(behind: stated))?.sound
    {
      _ = stream.skip(more.start + chunks.soundOffset)
      self.stated = statedSize(more.size).map { taken + $0 }
      return room(upTo: most)
    }
    if let distance = RecordingEnd.distance(in: rest, info.chunks, behind: stated) {
      _ = stream.skip(distance)
      return nil
    }
    note("reads on behind the \(stated) bytes of sound that the header states")
    self.stated = nil
    return most
  }

  func finish() -> [AudioInputWarning] {
    if stream.isStopped { return [] }
    if !hasHeader, !torn.isEmpty { return [.tornFrame(bytes: torn.count)] }
    guard let stated, stated > taken else { return [] }
    let missing = stated - taken
    let seconds = Double(missing) / Double(frameByteCount * info.format.sampleRate)
    return [.torn(missingBytes: missing, missingSeconds: taken == 0 ? nil : seconds)]
  }
}
