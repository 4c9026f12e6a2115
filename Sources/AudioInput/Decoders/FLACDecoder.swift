internal import CFLAC
internal import RealTime

/// A decoder of FLAC by libFLAC: of 4 to 32 bits, also where rate, channels or bits change, and without a header.
///
/// The numbers of the frames tell which are missing; they become silence, so that times stay right.
final class FLACDecoder: SoundDecoder {
  let stream: ByteStream
  private(set) var info = SoundInfo("")

  /// libFLAC's decoder. Valid until `deinit` deletes it, and no copy leaves this class.
  private let decoder: UnsafeMutablePointer<FLAC__StreamDecoder>
  private let start: Int64
  /// Where the last good frame ends.
  private var frameEnd: Int64
  /// Where another FLAC, or a recording of another format, begins.
  private var boundary: Int64?
  /// How far it has been searched for.
  private var searched: Int64 = 0
  /// The format of the last good frame.
  private var format = SoundFormat()
  /// Decoded frames that have not been handed on.
  private var blocks: [SoundBlock] = []
  /// The number of the frame of PCM that comes next.
  private var expected: Int64?
  private var decodedCount: Int64 = 0
  private var lostCount: Int64 = 0
  /// Whether decoding has failed since the last good frame, and whether the next frame to be delivered is bad.
  private var isDamaged = false
  private var isBad = false
  /// The frames of PCM that libFLAC has written since it was last asked for a frame.
  private var writtenCount: Int64 = 0

  /// More than is lost between two frames; a larger jump is that of another recording.
  private static let longestGap: Int64 = 1 << 26

  /// - Throws: ``Refusal`` if no frame can be decoded.
  init(_ stream: ByteStream) throws(Refusal) {
    self.stream = stream
    (start, frameEnd) = (stream.position, stream.position)
    guard let decoder = FLAC__stream_decoder_new() else {
      throw Refusal.says("libFLAC", "it cannot start")
    }
    self.decoder = decoder
    // The pointer outlives this call: it is valid as long as the decoder, which deinit deletes.
    let own = Unmanaged.passUnretained(self).toOpaque()
    FLAC__stream_decoder_init_stream(
      decoder,
      { _, buffer, count, own in
        let bytes = UnsafeMutableRawBufferPointer(start: buffer, count: count!.pointee)
        count!.pointee = flac(own).readBytes(bytes)
        return count!.pointee == 0
          ? FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM
          : FLAC__STREAM_DECODER_READ_STATUS_CONTINUE
      }, nil,
      { _, offset, own in
        offset!.pointee = UInt64(flac(own).stream.position - flac(own).start)
        return FLAC__STREAM_DECODER_TELL_STATUS_OK
      }, nil, nil,
      { _, frame, channels, own in
        flac(own).takeFrame(frame!.pointee, channels!)
        return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
      },
      { _, metadata, own in
        guard metadata!.pointee.type == FLAC__METADATA_TYPE_STREAMINFO else { return }
        flac(own).takeInfo(metadata!.pointee.data.stream_info)
      }, { _, status, own in flac(own).takeFailure(status) }, own)
    while blocks.isEmpty, decodeFrame() {}
    guard format.sampleRate > 0, decodedCount > 0 || !isDamaged else {
      throw Refusal.says("libFLAC", "it finds no frame")
    }
    let samples = RawSampleFormat(bits: info.bitsPerSample ?? 16, isBigEndian: false)
    info.name = "FLAC (Free Lossless Audio Codec)" + (samples.map { ", \($0.encoding)" } ?? "")
    info.format = format
    info.exceedsFloats = samples == .s32le
  }

  deinit { FLAC__stream_decoder_delete(decoder) }

  func next(_ wanted: Int) -> SoundBlock? {
    while blocks.isEmpty { guard decodeFrame() || !blocks.isEmpty else { return nil } }
    return blocks.removeFirst()
  }

  /// Decodes a frame, or a block of metadata. Returns `false` at the end.
  private func decodeFrame() -> Bool {
    let state = FLAC__stream_decoder_get_state(decoder)
    guard state.rawValue < FLAC__STREAM_DECODER_END_OF_STREAM.rawValue else { return false }
    (isBad, writtenCount) = (false, 0)
    let isGood = FLAC__stream_decoder_process_single(decoder) != 0
    // Behind the metadata.
    if decodedCount == 0 { frameEnd = decodePosition ?? frameEnd }
    return isGood
  }

  func finish() -> [AudioInputWarning] {
    // If the beginning was cut off, only the number of the last frame shows that nothing is missing at the end.
    let missing = (info.frameCount ?? 0) - max(decodedCount, expected ?? 0)
    let isTorn = FLACFrame(Region(stream, from: frameEnd).upTo(16, at: 0)) != nil
    stream.move(to: boundary ?? (missing > 0 || isTorn ? stream.size ?? stream.position : frameEnd))
    var warnings: [AudioInputWarning] = []
    if lostCount > 0 { warnings.append(.gaps(seconds: format.seconds(lostCount))) }
    if missing > 0 {
      warnings.append(.endedEarly(missingSeconds: format.seconds(missing)))
    } else if isTorn, boundary == nil {
      warnings.append(.endedEarly(missingSeconds: nil))
    }
    return warnings
  }
}

// MARK: - What libFLAC calls

extension FLACDecoder {
  private func readBytes(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let room = boundary.map { Int(max(0, $0 - stream.position)) } ?? buffer.count
    let bytes = stream.read(min(room, buffer.count))
    if isDamaged { searchBoundary() }
    buffer.copyBytes(from: bytes)
    return bytes.count
  }

  private func takeInfo(_ stated: FLAC__StreamMetadata_StreamInfo) {
    format = SoundFormat(sampleRate: Int(stated.sample_rate), channelCount: Int(stated.channels))
    (info.bitsPerSample, expected) = (Int(stated.bits_per_sample), 0)
    // Writers to a pipe leave zeros, or ones in all 36 bits.
    let count = Int64(stated.total_samples)
    info.frameCount = count == 0 || count == 1 << 36 - 1 ? nil : count
  }

  private func takeFailure(_ status: FLAC__StreamDecoderErrorStatus) {
    isDamaged = true
    if status == FLAC__STREAM_DECODER_ERROR_STATUS_FRAME_CRC_MISMATCH { isBad = true }
    searchBoundary()
  }

  /// Searches what has been read behind the last good frame for another recording. libFLAC would read on to the end.
  private func searchBoundary() {
    guard boundary == nil, decodedCount > 0 else { return }
    let start = max(frameEnd, searched - Int64(AudioFormat.headLength))
    searched = stream.position
    let region = Region(stream, from: start)
    let behind = region.upTo(max(1 << 16, Int(searched - start)), at: 0)
    boundary = RecordingEnd.firstRecording(behind, region, behind: .flac).map {
      start + Int64($0.place)
    }
  }

  /// Takes a good frame; libFLAC reports one that fails its checksum before it delivers it.
  private func takeFrame(
    _ frame: FLAC__Frame, _ channels: UnsafePointer<UnsafePointer<FLAC__int32>?>
  ) {
    let header = frame.header
    // A rate that no detector takes is damage, unless the recording begins with it.
    guard !isBad, !isBeyondBoundary(),
      decodedCount == 0 || supportedSampleRates ~= Int(header.sample_rate)
    else { return }
    let next = SoundFormat(
      sampleRate: Int(header.sample_rate), channelCount: Int(header.channels))
    let (count, number) = (Int64(header.blocksize), Int64(header.number.sample_number))
    let gap = number - (expected ?? number)
    let silence = isDamaged && next == format && 1...Self.longestGap ~= gap ? gap : 0
    info.bitsPerSample = info.bitsPerSample ?? Int(header.bits_per_sample)
    format = next
    let samples = samples(Int(count), channels, bits: header.bits_per_sample)
    blocks.append(SoundBlock(format: next, samples: samples, silentFrames: silence))
    // libFLAC writes silence for frames that it misses, before the one that it has found.
    (lostCount, writtenCount) = (lostCount + silence + writtenCount, count)
    (expected, decodedCount, isDamaged) = (number + count, decodedCount + silence + count, false)
    frameEnd = decodePosition ?? frameEnd
  }

  /// Where the frame ends that libFLAC has decoded last.
  private var decodePosition: Int64? {
    var position = FLAC__uint64()
    let isKnown = FLAC__stream_decoder_get_decode_position(decoder, &position) != 0
    return isKnown ? start + Int64(position) : nil
  }

  /// Returns whether the frame belongs to what follows: libFLAC had read it before the boundary was found.
  private func isBeyondBoundary() -> Bool {
    guard let boundary, let end = decodePosition else { return false }
    return end > boundary
  }

  /// Interleaves a frame.
  private func samples(
    _ count: Int, _ channels: UnsafePointer<UnsafePointer<FLAC__int32>?>, bits: UInt32
  ) -> [Float] {
    let (scale, channelCount) = (1 / Float(UInt32(1) << (bits - 1)), format.channelCount)
    return [Float](unsafeUninitializedCapacity: count * channelCount) { samples, initialized in
      for channel in 0..<channelCount {
        let source = channels[channel]!
        for index in 0..<count {
          samples[index * channelCount + channel] = Float(source[index]) * scale
        }
      }
      initialized = count * channelCount
    }
  }
}

private func flac(_ pointer: UnsafeMutableRawPointer?) -> FLACDecoder {
  Unmanaged<FLACDecoder>.fromOpaque(pointer!).takeUnretainedValue()
}
