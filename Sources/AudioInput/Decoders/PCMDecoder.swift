internal import RealTime

/// A decoder of PCM: WAV, W64, AIFF, AU, CAF, SPHERE, and without a header.
///
/// The size that the header states is a hint. Where it ends and neither the end, a chunk, a tag, padding nor another
/// recording follows, the sound goes on.
final class PCMDecoder: SoundDecoder {
  let stream: ByteStream
  private(set) var info: SoundInfo
  private let pcm: PCMDescription
  private var format: RawPCMFormat { pcm.format }
  /// The number of bytes that the header states; `nil` if it is unknown or wrong.
  private var stated: UInt64?
  /// The number that it states where sound goes on.
  private var exceeded: UInt64?
  /// How many bytes of sound have been read.
  private var taken: UInt64 = 0
  /// The last bytes read, which are a part of a frame.
  private var torn: [UInt8] = []

  /// Reads the sound of the recording with which `region` begins.
  init(_ pcm: PCMDescription, _ region: Region) {
    (stream, self.pcm) = (region.stream, pcm)
    let (format, samples) = (pcm.format, pcm.format.sampleFormat)
    info = SoundInfo(
      pcm.container.map { "\($0), \(samples.encoding)" } ?? "raw PCM, \(samples)",
      SoundFormat(sampleRate: format.sampleRate, channelCount: format.channelCount), samples)
    info.chunks = pcm.chunks
    stated = pcm.stated.map { withOverflow($0, region) }
    _ = stream.skip(pcm.start)
    guard pcm.container != nil else { return }
    let present = region.end.map { UInt64(max(0, $0 - region.start - pcm.start)) }
    let byteCount = stated == 0 ? present : stated.map { min($0, present ?? $0) } ?? present
    info.frameCount = byteCount.map { Int64($0) / Int64(format.frameByteCount) }
  }

  /// Returns the stated size, with 2^32 bytes or a multiple where a size of 32 bits has overflowed.
  private func withOverflow(_ stated: UInt64, _ region: Region) -> UInt64 {
    guard let end = region.end, pcm.chunks?.sizeLength != 8 else { return stated }
    let start = region.start + pcm.start
    let behind = end - start - Int64(clamping: stated)
    guard behind >= 1 << 32 else { return stated }
    let whole = stated + UInt64(behind) & ~0xFFFF_FFFF
    let rest = Region(stream, from: start + Int64(whole))
    return RecordingEnd.distance(in: rest, pcm.chunks, behind: whole) == nil ? stated : whole
  }

  func next(_ wanted: Int) -> SoundBlock? {
    let frameByteCount = format.frameByteCount
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
    let sampleCount = count * format.channelCount
    let decoded = [Float](unsafeUninitializedCapacity: sampleCount) { buffer, initialized in
      var output = MutableSpan(_unsafeElements: buffer)
      format.sampleFormat.decode(bytes.span.bytes, count: sampleCount, into: &output)
      initialized = sampleCount
    }
    return SoundBlock(format: info.format, samples: decoded)
  }

  /// Goes on in a file, within what the header states and is there.
  func pass(_ count: Int64) -> Int64 {
    guard let size = stream.size, let stated, torn.isEmpty else { return 0 }
    let frameByteCount = Int64(format.frameByteCount)
    let rest = min(Int64(clamping: stated - min(stated, taken)), size - stream.position)
    let frames = max(0, min(count, rest / frameByteCount))
    taken += UInt64(stream.skip(frames * frameByteCount))
    return frames
  }

  /// Returns how many bytes may be read, up to `most`; `nil` at the end.
  private func room(upTo most: Int) -> Int? {
    guard let stated else { return most }
    if taken < stated { return Int(min(UInt64(most), stated - taken)) }
    let rest = Region(stream)
    if let chunks = pcm.chunks,
      let more = chunks.find(in: rest, from: chunks.padding(behind: stated))?.sound
    {
      _ = stream.skip(more.start + chunks.soundOffset)
      self.stated = statedSize(more.size).map { taken + $0 }
      return room(upTo: most)
    }
    if let distance = RecordingEnd.distance(in: rest, pcm.chunks, behind: stated) {
      _ = stream.skip(distance)
      return nil
    }
    (exceeded, self.stated) = (stated == 0 ? nil : stated, nil)
    return most
  }

  func finish() -> [AudioInputWarning] {
    if stream.isStopped { return [] }
    if pcm.container == nil, !torn.isEmpty { return [.tornFrame(bytes: torn.count)] }
    if let exceeded {
      // Some bytes of padding are not heard.
      let isHeard = taken - exceeded >= UInt64(format.frameByteCount * format.sampleRate / 100)
      return isHeard ? [.exceeded(statedBytes: exceeded, bytes: taken - exceeded)] : []
    }
    guard let stated, stated > taken else { return [] }
    let missing = stated - taken
    let seconds = Double(missing) / Double(format.frameByteCount * format.sampleRate)
    return [.torn(missingBytes: missing, missingSeconds: taken == 0 ? nil : seconds)]
  }
}
