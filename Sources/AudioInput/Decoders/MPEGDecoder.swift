internal import CMPG123

/// A decoder of MPEG audio by libmpg123: MP3, MP2 and MP1.
///
/// libmpg123 gets one frame after the other, and reports a new format. What stands between two frames is passed over
/// here, as behind any recording, and what the encoder has added is cut off here, so that a wrong number in the first
/// frame cuts off nothing.
final class MPEGDecoder: SoundDecoder {
  let stream: ByteStream
  private(set) var info = SoundInfo("")

  /// libmpg123's handle. Valid until `deinit` deletes it, and no copy leaves this class.
  private let handle: OpaquePointer
  /// The length of the frames, if their bit rate is free.
  private let freeLength: Int?
  /// The header of the last frame that libmpg123 got, and what it tells instead of holding sound.
  private var frame: MPEGFrame?
  private var encoderInfo: MPEGInfo?
  private var format = SoundFormat()
  /// Decoded frames that are held back, because the encoder may have added them or the last may not be whole.
  private var held: [SoundBlock] = []
  private var first: MPEGInfo?
  /// Whether the end of the first recording has been passed: another encoder's frame or another format has come.
  private var isJoined = false
  /// The number of MPEG frames of sound, and of the frames of PCM in one of them.
  private var (soundFrameCount, frameLength) = (0, 0)
  /// How many frames of PCM still have to be dropped at the start.
  private var surplus = 0
  /// How many bytes nobody can read, and how many are missing in the last frame.
  private var (unread, missing): (Int64, Int) = (0, 0)
  private var hasEnded = false

  /// The delay of any decoder of layer III, in frames of PCM.
  private static let decoderDelay = 529

  /// - Throws: ``Refusal`` if no frame can be decoded.
  init(_ stream: ByteStream) throws(Refusal) {
    self.stream = stream
    freeLength = MPEGFrame.freeLength(in: Region(stream))
    guard mpg123_init() == MPG123_OK.rawValue, let handle = mpg123_new(nil, nil) else {
      throw Refusal.says("libmpg123", "it cannot start")
    }
    self.handle = handle
    let flags = [
      MPG123_QUIET, MPG123_FORCE_FLOAT, MPG123_IGNORE_INFOFRAME, MPG123_SKIP_ID3V2,
      MPG123_NO_READAHEAD,
    ]
    mpg123_param2(
      handle, Int32(MPG123_ADD_FLAGS.rawValue), flags.reduce(0) { $0 | Int($1.rawValue) }, 0)
    mpg123_param2(handle, Int32(MPG123_RESYNC_LIMIT.rawValue), -1, 0)
    // It counts neither the header nor padding.
    if let freeLength {
      mpg123_param2(handle, Int32(MPG123_FREEFORMAT_SIZE.rawValue), freeLength - 4, 0)
    }
    mpg123_open_feed(handle)
    while held.isEmpty, decodeFrame() {}
    guard soundFrameCount > 0 || first != nil else {
      throw Refusal.says("libmpg123", "it finds no frame")
    }
    var frame = mpg123_frameinfo2()
    mpg123_info2(handle, &frame)
    info.name = "MPEG-1/2 Audio, MPEG Layer \(String(repeating: "I", count: Int(frame.layer)))"
    info.format = format
    info.frameCount = first?.frameCount.map {
      max(0, Int64($0 * frameLength - (first?.added ?? 0)))
    }
  }

  deinit { mpg123_delete(handle) }

  func next(_ wanted: Int) -> SoundBlock? {
    while !hasEnded {
      // The encoder may have added any but the first, and foreign bytes may follow the last.
      let behind = held.dropFirst().reduce(0) { $0 + $1.frameCount }
      if held.count > 1, behind >= addedCount { return held.removeFirst() }
      if !decodeFrame() { end() }
    }
    return held.isEmpty ? nil : held.removeFirst()
  }

  /// How many of the last frames of PCM the encoder may have added. Behind a joint nothing tells.
  private var addedCount: Int { isJoined ? 0 : max(0, (first?.padding ?? 0) - Self.decoderDelay) }

  /// Cuts off what the encoder has added, if all of its frames have come.
  private func end() {
    hasEnded = true
    guard let stated = first?.frameCount, soundFrameCount >= stated else { return }
    var added = addedCount
    for index in held.indices.reversed() {
      let count = min(added, held[index].frameCount)
      held[index].samples.removeLast(count * format.channelCount)
      added -= count
    }
  }

  // MARK: Frames

  /// Decodes a frame. Returns `false` at the end.
  private func decodeFrame() -> Bool {
    while true {
      switch mpg123_framebyframe_next(handle) {
      case MPG123_OK.rawValue, MPG123_NEW_FORMAT.rawValue:
        takeFormat()
        takeFrame()
        return true
      case MPG123_NEED_MORE.rawValue: if !feed() { return false }
      case MPG123_DONE.rawValue: return false
      default:
        // What cannot be decoded is passed over.
        if mpg123_errcode(handle) == MPG123_OUT_OF_MEM.rawValue { return false }
      }
    }
  }

  private func takeFormat() {
    var (rate, channelCount, encoding) = (0, Int32(), Int32())
    mpg123_getformat(handle, &rate, &channelCount, &encoding)
    let next = SoundFormat(sampleRate: rate, channelCount: Int(channelCount))
    isJoined = isJoined || soundFrameCount > 0 && next != format
    format = next
  }

  /// Decodes the frame that libmpg123 has found.
  private func takeFrame() {
    var (number, audio, byteCount) = (off_t(), nil as UnsafeMutablePointer<UInt8>?, 0)
    guard mpg123_framebyframe_decode(handle, &number, &audio, &byteCount) == MPG123_OK.rawValue,
      let audio
    else { return }
    let count = byteCount / MemoryLayout<Float>.size
    frameLength = count / format.channelCount
    if let encoderInfo, soundFrameCount == 0, first == nil {
      first = encoderInfo
      surplus = encoderInfo.delay.map { $0 + Self.decoderDelay } ?? 0
      return
    }
    isJoined = isJoined || encoderInfo != nil
    soundFrameCount += 1
    let dropped = min(surplus, frameLength)
    surplus -= dropped
    let samples = audio.withMemoryRebound(to: Float.self, capacity: count) { samples in
      Array(UnsafeBufferPointer(start: samples, count: count)[(dropped * format.channelCount)...])
    }
    held.append(SoundBlock(format: format, samples: samples))
  }

  // MARK: Bytes

  /// Gives libmpg123 the next frame, and passes over what is none. Returns `false` at the end, or where a recording of
  /// another format begins.
  private func feed() -> Bool {
    while true {
      let region = Region(stream)
      if let next = MPEGFrame(in: region, freeLength: freeLength), next.kind == .mpeg,
        frame.map(next.isLike) ?? true || isCertain(region)
      {
        let bytes = region.upTo(next.length, at: 0)
        (frame, encoderInfo, missing) = (next, MPEGInfo(bytes), next.length - bytes.count)
        _ = stream.skip(Int64(bytes.count))
        return missing == 0 && mpg123_feed(handle, bytes, bytes.count) == MPG123_OK.rawValue
      }
      let (following, count) = RecordingEnd.pass(stream)
      unread += count
      guard following == .mpeg, isCertain(Region(stream)) else { return false }
      // Foreign bytes amid the frames: the one in front of them is not whole.
      if count > 0 { _ = held.popLast() }
    }
  }

  /// Returns whether frames of any rate or layer begin here, and not a header by chance. Frames of a free bit rate need
  /// a decoder of their own.
  private func isCertain(_ region: Region) -> Bool {
    MPEGFrame(in: region) != nil && MPEGFrame.format(in: region, at: 0) == .mpeg
  }

  func finish() -> [AudioInputWarning] {
    if missing > 0 { _ = stream.skip(.max) }
    var warnings: [AudioInputWarning] = unread > 0 ? [.unread(bytes: UInt64(unread))] : []
    // Some encoders count their own frame.
    let lacking = (first?.frameCount).map { $0 - soundFrameCount } ?? 0
    if !isJoined, lacking > (missing > 0 ? 0 : 1) {
      let frames = max(0, lacking * frameLength - addedCount)
      warnings.append(.endedEarly(missingSeconds: format.seconds(Int64(frames))))
    } else if missing > 0 {
      warnings.append(
        .torn(
          missingBytes: UInt64(missing), missingSeconds: format.seconds(Int64(frameLength))))
    }
    return warnings
  }
}
