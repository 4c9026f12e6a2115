internal import CFLAC
internal import CLinux
internal import CSndFile

/// A decoder of FLAC by libFLAC: of 4 to 32 bits, also where rate, channels or bits change, and without a header.
///
/// The numbers of the frames tell which are missing; they become silence, so that times stay right.
final class FLACDecoder: SoundDecoder {
  private(set) var sampleRate = 0
  private(set) var channelCount = 0
  private(set) var bitsPerSample: Int?
  private(set) var frameCount: Int64?
  var formatName: String { LibSndFile.formatName(SF_FORMAT_FLAC, encoding) }
  var exceedsFloats: Bool { (bitsPerSample ?? 0) > 24 }

  let stream: ByteStream
  /// libFLAC's decoder. Valid until `deinit` deletes it, and no copy leaves this class.
  private let decoder: UnsafeMutablePointer<FLAC__StreamDecoder>
  private let start: Int64
  /// Where the last good frame ends.
  private var frameEnd: Int64
  /// Where another FLAC, or a recording of another format, begins.
  private var boundary: Int64?
  private var pending = PendingSamples()
  /// The first frame in another format, which waits until those before it have been read.
  private var next = PendingSamples()
  private var nextFormat: Format?
  /// The number of the frame of PCM that comes next.
  private var expected: Int64?
  private var decodedCount: Int64 = 0
  private var lostCount: Int64 = 0
  /// Whether decoding has failed since the last good frame, and whether the next frame to be delivered is bad.
  private var isDamaged = false
  private var isBad = false
  /// The frames of PCM that libFLAC has written since it was last asked for a frame.
  private var writtenCount: Int64 = 0
  private var hasEnded = false
  /// What no longer fits between two reads of the head of another FLAC.
  private var tail: [UInt8] = []

  private struct Format: Equatable {
    var rate: Int
    var channelCount: Int
    var bits: Int
  }

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
    while pending.count == 0, decodeFrame() {}
    guard sampleRate > 0, decodedCount > 0 || !isDamaged else {
      throw Refusal(decoder: "libFLAC", reason: "it finds no frame")
    }
  }

  deinit { FLAC__stream_decoder_delete(decoder) }

  private var encoding: Int {
    switch bitsPerSample ?? 16 {
    case ...8: SF_FORMAT_PCM_S8
    case ...16: SF_FORMAT_PCM_16
    case ...24: SF_FORMAT_PCM_24
    default: SF_FORMAT_PCM_32
    }
  }

  func read(into samples: UnsafeMutableBufferPointer<Float>) -> Int {
    while true {
      let room = samples[..<(samples.count / channelCount * channelCount)]
      let moved = pending.move(to: UnsafeMutableBufferPointer(rebasing: room))
      if moved > 0 { return moved / channelCount }
      if nextFormat != nil { takeNextFormat() } else if !decodeFrame() { return 0 }
    }
  }

  private func takeNextFormat() {
    guard let format = nextFormat else { return }
    (sampleRate, channelCount, bitsPerSample) = (format.rate, format.channelCount, format.bits)
    (pending, next, nextFormat) = (next, PendingSamples(), nil)
  }

  /// Decodes a frame, or a block of metadata. Returns `false` at the end.
  private func decodeFrame() -> Bool {
    guard !hasEnded else { return false }
    (isBad, writtenCount) = (false, 0)
    let isGood = FLAC__stream_decoder_process_single(decoder) != 0
    // Behind the metadata.
    if decodedCount == 0 { takeFrameEnd() }
    let state = FLAC__stream_decoder_get_state(decoder)
    hasEnded = !isGood || state == FLAC__STREAM_DECODER_END_OF_STREAM
    return !hasEnded || pending.count > 0 || nextFormat != nil
  }

  func finish() -> [AudioInputWarning] {
    let missing = (frameCount ?? 0) - decodedCount
    let isTorn = FLACFrame.begins(Region(stream, from: frameEnd).upTo(16, at: 0))
    stream.move(to: boundary ?? (missing > 0 || isTorn ? stream.size ?? stream.position : frameEnd))
    var warnings: [AudioInputWarning] = []
    if lostCount > 0 { warnings.append(.gaps(seconds: seconds(lostCount))) }
    if missing > 0 {
      warnings.append(.endedEarly(missingSeconds: seconds(missing)))
    } else if isTorn, boundary == nil {
      warnings.append(.endedEarly(missingSeconds: nil))
    }
    return warnings
  }

  private func seconds(_ frames: Int64) -> Double { Double(frames) / Double(sampleRate) }
}

// MARK: - What libFLAC calls

extension FLACDecoder {
  fileprivate func readBytes(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard boundary == nil || stream.position < boundary! else { return 0 }
    let before = stream.position
    let count = stream.readSome(buffer)
    guard let place = place(of: buffer[..<count]) else { return count }
    let found = before + Int64(place)
    guard found > start else { return count }
    boundary = found
    return max(0, place)
  }

  /// Returns where the head of a FLAC stands among new bytes: a little before them if it begins in the ones before.
  private func place(of bytes: Slice<UnsafeMutableRawBufferPointer>) -> Int? {
    let overlap = tail.count
    let seam = tail + bytes.prefix(Self.head.count)
    tail = Array((tail + bytes.suffix(Self.head.count)).suffix(Self.head.count - 1))
    for place in 0..<max(0, seam.count - Self.head.count + 1)
    where seam[place...].starts(with: Self.head) {
      return place - overlap
    }
    // The pointers are those of `bytes`, and do not outlive the call.
    let first = bytes.base.baseAddress!
    return memmem(first, bytes.count, Self.head, Self.head.count).map { $0 - first }
  }

  fileprivate var offset: UInt64 { UInt64(stream.position - start) }

  fileprivate func takeInfo(_ info: FLAC__StreamMetadata_StreamInfo) {
    (sampleRate, channelCount, expected) = (Int(info.sample_rate), Int(info.channels), 0)
    bitsPerSample = Int(info.bits_per_sample)
    // Writers to a pipe leave zeros, or ones in all 36 bits.
    let stated = Int64(info.total_samples)
    frameCount = stated == 0 || stated == 1 << 36 - 1 ? nil : stated
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
    let format = Format(
      rate: Int(header.sample_rate), channelCount: Int(header.channels),
      bits: Int(header.bits_per_sample))
    if format.rate != sampleRate || format.channelCount != channelCount {
      nextFormat = format
      if pending.count == 0 { takeNextFormat() }
    }
    let (count, number) = (Int64(header.blocksize), Int64(header.number.sample_number))
    if isDamaged, nextFormat == nil, let expected, 1...Self.longestGap ~= number - expected {
      pending.appendZeros(Int(number - expected) * channelCount)
      (lostCount, decodedCount) = (lostCount + number - expected, decodedCount + number - expected)
    }
    append(Int(count), channels, format)
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

  /// Appends a frame to those that are pending, or to those in the next format.
  private func append(
    _ count: Int, _ channels: UnsafePointer<UnsafePointer<FLAC__int32>?>, _ format: Format
  ) {
    let scale = 1 / Float(UInt32(1) << UInt32(format.bits - 1))
    let interleave = { (samples: UnsafeMutablePointer<Float>) in
      for channel in 0..<format.channelCount {
        guard let source = channels[channel] else { return }
        if format.channelCount == 1 {
          for index in 0..<count { samples[index] = Float(source[index]) * scale }
        } else {
          for index in 0..<count {
            samples[index * format.channelCount + channel] = Float(source[index]) * scale
          }
        }
      }
    }
    if nextFormat == nil {
      pending.append(count * format.channelCount, interleave)
    } else {
      next.append(count * format.channelCount, interleave)
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
