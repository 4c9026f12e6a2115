internal import CMPG123

/// A decoder of MPEG audio by libmpg123: MP3, MP2 and MP1.
///
/// libmpg123 gets one frame after the other, and reports a new format. What stands between two frames is passed over
/// here, as behind any recording, and what the encoder has added is cut off here, so that a wrong number in the first
/// frame cuts off nothing. Frames of a free bit rate do not tell their lengths: libmpg123 finds those itself.
final class MPEGDecoder: SoundDecoder {
  private(set) var sampleRate = 0
  private(set) var channelCount = 0
  private(set) var formatName = ""
  let stream: ByteStream

  /// libmpg123's handle. Valid until `deinit` deletes it, and no copy leaves this class.
  private let handle: OpaquePointer
  private let isFree: Bool
  /// The last frame that libmpg123 got.
  private var frame: MPEGFrame?
  /// The format of the frames behind the pending ones, where it changes.
  private var nextFormat: (rate: Int, channelCount: Int)?
  private var pending = PendingSamples()
  private var info: MPEGInfo?
  /// Whether the end of the first recording has been passed: another encoder's frame or another format has come.
  private var isJoined = false
  /// The number of MPEG frames of sound, and of the frames of PCM in one of them.
  private var soundFrameCount = 0
  private var frameLength = 0
  /// The samples of the last frame, which are held back until the next one follows it.
  private var lastCount = 0
  /// How many frames of PCM still have to be dropped at the start.
  private var surplus = 0
  /// How many bytes nobody can read, and how many are missing in the last frame.
  private var (unread, missing): (Int64, Int) = (0, 0)
  private var hasEnded = false

  /// The delay of any decoder of layer III, in frames of PCM.
  private static let decoderDelay = 529
  /// How much libmpg123 is given at once where it finds the frames.
  private static let blockLength = 1 << 14

  /// - Throws: ``Refusal`` if no frame can be decoded.
  init(_ stream: ByteStream) throws(Refusal) {
    self.stream = stream
    let header = Region(stream).upTo(MPEGFrame.headerLength, at: 0)
    isFree = MPEGFrame(header) == nil
    guard mpg123_init() == MPG123_OK.rawValue, let handle = mpg123_new(nil, nil) else {
      throw Refusal(decoder: "libmpg123", reason: "it cannot start")
    }
    self.handle = handle
    var flags = [MPG123_QUIET, MPG123_FORCE_FLOAT, MPG123_IGNORE_INFOFRAME, MPG123_SKIP_ID3V2]
    if !isFree { flags.append(MPG123_NO_READAHEAD) }
    mpg123_param2(
      handle, Int32(MPG123_ADD_FLAGS.rawValue), flags.reduce(0) { $0 | Int($1.rawValue) }, 0)
    mpg123_param2(handle, Int32(MPG123_RESYNC_LIMIT.rawValue), -1, 0)
    mpg123_open_feed(handle)
    while pending.count == 0, decodeFrame() {}
    guard isBegun else { throw Refusal(decoder: "libmpg123", reason: "it finds no frame") }
    var frame = mpg123_frameinfo2()
    mpg123_info2(handle, &frame)
    formatName = LibSndFile.mpegName(layer: Int(frame.layer))
  }

  deinit { mpg123_delete(handle) }

  var frameCount: Int64? {
    info?.frameCount.map { max(0, Int64($0 * frameLength - (info?.added ?? 0))) }
  }

  func read(into samples: UnsafeMutableBufferPointer<Float>) -> Int {
    let room = UnsafeMutableBufferPointer(
      rebasing: samples[..<(samples.count / channelCount * channelCount)])
    while true {
      let moved = pending.move(
        to: room, holding: nextFormat != nil || hasEnded ? 0 : max(addedCount, lastCount))
      if moved > 0 { return moved / channelCount }
      if nextFormat != nil {
        takeNextFormat()
      } else if hasEnded || !decodeFrame() {
        return readLast(room)
      }
    }
  }

  /// Reads what was held back, unless the encoder has added it.
  private func readLast(_ room: UnsafeMutableBufferPointer<Float>) -> Int {
    if !hasEnded, let stated = info?.frameCount, soundFrameCount >= stated {
      pending.dropLast(addedCount)
    }
    hasEnded = true
    return pending.move(to: room) / channelCount
  }

  /// How many of the last samples the encoder may have added. Behind a joint nothing tells.
  private var addedCount: Int {
    guard let info, !isJoined else { return 0 }
    return max(0, info.padding - Self.decoderDelay) * channelCount
  }

  private func takeNextFormat() {
    guard let format = nextFormat else { return }
    (sampleRate, channelCount) = (format.rate, format.channelCount)
    (nextFormat, isJoined) = (nil, true)
    takeFrame()
  }

  // MARK: Frames

  /// Decodes a frame, unless it has a new format and others are pending. Returns `false` at the end.
  private func decodeFrame() -> Bool {
    while true {
      switch mpg123_framebyframe_next(handle) {
      case MPG123_OK.rawValue:
        takeFrame()
        return true
      case MPG123_NEW_FORMAT.rawValue:
        takeFormat()
        if nextFormat == nil { takeFrame() }
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
    if pending.count == 0 {
      (sampleRate, self.channelCount) = (rate, Int(channelCount))
    } else if rate != sampleRate || Int(channelCount) != self.channelCount {
      nextFormat = (rate, Int(channelCount))
    }
  }

  /// Decodes the frame that libmpg123 has found.
  private func takeFrame() {
    let info = encoderInfo()
    var (number, audio, byteCount) = (off_t(), nil as UnsafeMutablePointer<UInt8>?, 0)
    guard mpg123_framebyframe_decode(handle, &number, &audio, &byteCount) == MPG123_OK.rawValue,
      let audio
    else { return }
    let count = byteCount / MemoryLayout<Float>.size
    frameLength = count / channelCount
    if let info, !isBegun {
      self.info = info
      surplus = info.delay.map { $0 + Self.decoderDelay } ?? 0
      return
    }
    isJoined = isJoined || info != nil
    soundFrameCount += 1
    let dropped = min(surplus, frameLength)
    surplus -= dropped
    lastCount = count - dropped * channelCount
    audio.withMemoryRebound(to: Float.self, capacity: count) { samples in
      pending.append(UnsafeBufferPointer(start: samples + count - lastCount, count: lastCount))
    }
  }

  /// Whether a frame has been decoded.
  private var isBegun: Bool { soundFrameCount > 0 || info != nil }

  private func encoderInfo() -> MPEGInfo? {
    var (header, content, byteCount) = (UInt(), nil as UnsafeMutablePointer<UInt8>?, 0)
    guard mpg123_framedata(handle, &header, &content, &byteCount) == MPG123_OK.rawValue, let content
    else { return nil }
    return MPEGInfo(
      header: UInt32(truncatingIfNeeded: header),
      content: UnsafeBufferPointer(start: content, count: byteCount))
  }

  // MARK: Bytes

  /// Gives libmpg123 the next frame. Returns `false` at the end, or where a recording of another format begins.
  private func feed() -> Bool {
    if isFree { return feed(Self.blockLength) }
    let region = Region(stream)
    let next = MPEGFrame(region.upTo(MPEGFrame.headerLength, at: 0))
    guard let next, next.kind == .mpeg, frame.map(next.isLike) ?? true || isCertain(region) else {
      return passGap() && feed()
    }
    frame = next
    missing = next.length - region.upTo(next.length, at: 0).count
    return missing == 0 && feed(next.length)
  }

  private func feed(_ most: Int) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: most, alignment: 1) { bytes in
      let count = isFree ? stream.readSome(bytes) : stream.fill(bytes)
      return count > 0 && mpg123_feed(handle, bytes.baseAddress, count) == MPG123_OK.rawValue
    }
  }

  /// Returns whether frames of another rate or layer begin here, and not a header by chance.
  private func isCertain(_ region: Region) -> Bool {
    MPEGFrame.format(in: region, at: 0) == .mpeg
  }

  /// Passes over what is no frame. Returns `false` at the end, or before a recording of another format.
  private func passGap() -> Bool {
    let (next, count) = RecordingEnd.pass(stream)
    unread += count
    // Frames of a free bit rate need a decoder of their own.
    guard next == .mpeg, isCertain(Region(stream)) else { return false }
    // Foreign bytes amid the frames: the one in front of them is not whole.
    if count > 0, soundFrameCount > 0 { pending.dropLast(lastCount) }
    return true
  }

  func finish() -> [AudioInputWarning] {
    if missing > 0 { _ = stream.skip(.max) }
    var warnings: [AudioInputWarning] = unread > 0 ? [.unread(bytes: UInt64(unread))] : []
    // Some encoders count their own frame.
    let lacking = (info?.frameCount).map { $0 - soundFrameCount } ?? 0
    if !isJoined, lacking > (missing > 0 ? 0 : 1) {
      let frames = max(0, lacking * frameLength - addedCount / channelCount)
      warnings.append(.endedEarly(missingSeconds: Double(frames) / Double(sampleRate)))
    } else if missing > 0 {
      let seconds = Double(frameLength) / Double(sampleRate)
      warnings.append(.torn(missingBytes: UInt64(missing), missingSeconds: seconds))
    }
    return warnings
  }
}
