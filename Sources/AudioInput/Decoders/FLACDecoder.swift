internal import CFLAC
internal import CSndFile
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
  /// The format of the last good frame.
  private var format = SoundFormat()
  /// Decoded frames that have not been handed on, and how many frames of silence stand before them.
  private var blocks: [SoundBlock] = []
  private var silence: Int64 = 0
  /// The number of the frame of PCM that comes next.
  private var expected: Int64?
  private var decodedCount: Int64 = 0
  private var lostCount: Int64 = 0
  /// Whether decoding has failed since the last good frame, and whether the next frame to be delivered is bad.
  private var isDamaged = false
  private var isBad = false
  /// The frames of PCM that libFLAC has written since it was last asked for a frame.
  private var writtenCount: Int64 = 0

  /// The head of a FLAC whose first block of metadata is, as it must be, the one of 34 bytes.
  private static let head: [UInt8] = Array("fLaC".utf8) + [0, 0, 0, 34]
  /// More than is lost between two frames; a larger jump is that of another recording.
  private static let longestGap: Int64 = 1 << 26

  /// - Throws: ``Refusal`` if no frame can be decoded.
  init(_ stream: ByteStream) throws(Refusal) {
    self.stream = stream
    (start, frameEnd) = (stream.position, stream.position)
    guard let decoder = FLAC__stream_decoder_new() else {
      throw Refusal(decoder: "libFLAC", reason: "it cannot start")
    }
    self.decoder = decoder
    stream.remembers = true
    // The pointer outlives this call: it is valid as long as the decoder, which deinit deletes.
    let own = Unmanaged.passUnretained(self).toOpaque()
    FLAC__stream_decoder_init_stream(
      decoder, readCallback, nil, tellCallback, nil, nil, writeCallback, metadataCallback,
      errorCallback, own)
    while blocks.isEmpty, decodeFrame() {}
    guard format.sampleRate > 0, decodedCount > 0 || !isDamaged else {
      throw Refusal(decoder: "libFLAC", reason: "it finds no frame")
    }
    let samples = RawSampleFormat(bits: info.bitsPerSample ?? 16, isBigEndian: false)
    info.name = LibSndFile.formatName(SF_FORMAT_FLAC, samples?.encoding ?? 0)
    info.format = format
    info.exceedsFloats = samples == .s32le
  }

  deinit { FLAC__stream_decoder_delete(decoder) }

  func next(_ wanted: Int) -> SoundBlock? {
    while blocks.isEmpty { guard decodeFrame() || !blocks.isEmpty else { return nil } }
    guard silence > 0 else { return blocks.removeFirst() }
    let count = min(silence, Int64(wanted))
    silence -= count
    return SoundBlock(
      format: format, samples: Array(repeating: 0, count: Int(count) * format.channelCount))
  }

  /// Decodes a frame, or a block of metadata. Returns `false` at the end.
  private func decodeFrame() -> Bool {
    let state = FLAC__stream_decoder_get_state(decoder)
    guard state.rawValue < FLAC__STREAM_DECODER_END_OF_STREAM.rawValue else { return false }
    (isBad, writtenCount) = (false, 0)
    let isGood = FLAC__stream_decoder_process_single(decoder) != 0
    // Behind the metadata.
    if decodedCount == 0 { takeFrameEnd() }
    return isGood
  }

  func finish() -> [AudioInputWarning] {
    let missing = (info.frameCount ?? 0) - decodedCount
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
  fileprivate func readBytes(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard boundary == nil else { return 0 }
    let before = stream.position
    let bytes = stream.read(buffer.count)
    if bytes.isEmpty { return 0 }
    buffer.copyBytes(from: bytes)
    // The head of another FLAC may have begun in the bytes before.
    let begin = max(start + 1, before - Int64(Self.head.count - 1))
    let place = stream.peek(Int(stream.position - begin), at: begin).place(of: Self.head)
    guard let place else { return bytes.count }
    boundary = begin + Int64(place)
    return max(0, Int(begin - before) + place)
  }

  fileprivate var offset: UInt64 { UInt64(stream.position - start) }

  fileprivate func takeInfo(_ stated: FLAC__StreamMetadata_StreamInfo) {
    format = SoundFormat(sampleRate: Int(stated.sample_rate), channelCount: Int(stated.channels))
    (info.bitsPerSample, expected) = (Int(stated.bits_per_sample), 0)
    // Writers to a pipe leave zeros, or ones in all 36 bits.
    let count = Int64(stated.total_samples)
    info.frameCount = count == 0 || count == 1 << 36 - 1 ? nil : count
  }

  fileprivate func takeFailure(_ status: FLAC__StreamDecoderErrorStatus) {
    isDamaged = true
    if status == FLAC__STREAM_DECODER_ERROR_STATUS_FRAME_CRC_MISMATCH { isBad = true }
    guard boundary == nil, decodedCount > 0 else { return }
    let behind = Region(stream, from: frameEnd).upTo(1 << 16, at: 0)
    boundary = AudioFormat.search(behind).map { frameEnd + Int64($0.place) }
  }

  /// Takes a good frame; libFLAC reports one that fails its checksum before it delivers it.
  fileprivate func takeFrame(
    _ frame: FLAC__Frame, _ channels: UnsafePointer<UnsafePointer<FLAC__int32>?>
  ) {
    guard !isBad else { return }
    let header = frame.header
    let next = SoundFormat(
      sampleRate: Int(header.sample_rate), channelCount: Int(header.channels))
    let (count, number) = (Int64(header.blocksize), Int64(header.number.sample_number))
    if isDamaged, next == format, let expected, 1...Self.longestGap ~= number - expected {
      silence = number - expected
      (lostCount, decodedCount) = (lostCount + silence, decodedCount + silence)
    }
    info.bitsPerSample = info.bitsPerSample ?? Int(header.bits_per_sample)
    format = next
    blocks.append(
      SoundBlock(
        format: next, samples: samples(Int(count), channels, bits: header.bits_per_sample)))
    // libFLAC writes silence for frames that it misses, before the one that it has found.
    (lostCount, writtenCount) = (lostCount + writtenCount, count)
    (expected, decodedCount, isDamaged) = (number + count, decodedCount + count, false)
    takeFrameEnd()
  }

  private func takeFrameEnd() {
    var position = FLAC__uint64()
    if FLAC__stream_decoder_get_decode_position(decoder, &position) != 0 {
      frameEnd = start + Int64(position)
    }
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

private let readCallback: FLAC__StreamDecoderReadCallback = { _, buffer, count, own in
  let bytes = UnsafeMutableRawBufferPointer(start: buffer, count: count!.pointee)
  count!.pointee = flac(own).readBytes(bytes)
  return count!.pointee == 0
    ? FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM : FLAC__STREAM_DECODER_READ_STATUS_CONTINUE
}

private let tellCallback: FLAC__StreamDecoderTellCallback = { _, offset, own in
  offset!.pointee = flac(own).offset
  return FLAC__STREAM_DECODER_TELL_STATUS_OK
}

private let writeCallback: FLAC__StreamDecoderWriteCallback = { _, frame, channels, own in
  flac(own).takeFrame(frame!.pointee, channels!)
  return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
}

private let metadataCallback: FLAC__StreamDecoderMetadataCallback = { _, metadata, own in
  if metadata!.pointee.type == FLAC__METADATA_TYPE_STREAMINFO {
    flac(own).takeInfo(metadata!.pointee.data.stream_info)
  }
}

private let errorCallback: FLAC__StreamDecoderErrorCallback = { _, status, own in
  flac(own).takeFailure(status)
}
