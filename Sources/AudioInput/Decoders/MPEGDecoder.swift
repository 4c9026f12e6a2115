internal import CMPG123

/// A decoder of MPEG audio by libmpg123: MP3, MP2 and MP1.
///
/// libmpg123 finds the next frame behind whatever is none, reports a new format, and needs no seeking. Here are counted
/// what it passes over and what the encoder has added, so that a wrong number in the first frame cuts off nothing.
final class MPEGDecoder: SoundDecoder {
  private(set) var sampleRate = 0
  private(set) var channelCount = 0
  private(set) var formatName = ""

  let stream: ByteStream
  /// libmpg123's handle. Valid until `deinit` deletes it, and no copy leaves this class.
  private let handle: OpaquePointer
  /// Where the first frame begins in the stream, and where the last one ends.
  private let start: Int64
  private var frameEnd: Int64
  /// The format of the frames behind the pending ones, where it changes.
  private var nextFormat: (rate: Int, channelCount: Int)?
  private var pending = PendingSamples()
  private var info: MPEGInfo?
  /// Whether another recording with an encoder's frame of its own follows.
  private var isJoined = false
  /// The number of MPEG frames of sound, and of the samples in one of them.
  private var soundFrameCount = 0
  private var frameLength = 0
  /// The samples of the last frame, which are held back until the next one follows it.
  private var lastCount = 0
  /// How many frames of PCM still have to be dropped at the start.
  private var surplus = 0
  private var unread: Int64 = 0
  private var hasEnded = false

  /// The delay of any decoder of layer III, in frames of PCM.
  private static let decoderDelay = 529
  /// How much libmpg123 is given at once.
  private static let blockLength = 1 << 14
  /// How far libmpg123 may search for a frame before a recording of another format is looked for.
  private static let longestSearch: Int64 = 1 << 16

  /// - Throws: ``Refusal`` if no frame can be decoded.
  init(_ stream: ByteStream) throws(Refusal) {
    self.stream = stream
    (start, frameEnd) = (stream.position, stream.position)
    guard mpg123_init() == MPG123_OK.rawValue, let handle = mpg123_new(nil, nil) else {
      throw Refusal(decoder: "libmpg123", reason: "it cannot start")
    }
    self.handle = handle
    stream.remembers = true
    let flags = [MPG123_QUIET, MPG123_FORCE_FLOAT, MPG123_IGNORE_INFOFRAME, MPG123_SKIP_ID3V2]
      .reduce(0) { $0 | Int($1.rawValue) }
    mpg123_param2(handle, Int32(MPG123_ADD_FLAGS.rawValue), flags, 0)
    mpg123_param2(handle, Int32(MPG123_RESYNC_LIMIT.rawValue), -1, 0)
    mpg123_open_feed(handle)
    while pending.count == 0, decodeFrame() {}
    guard isBegun else {
      throw Refusal(decoder: "libmpg123", reason: "it finds no frame")
    }
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

  /// Decodes the frame that libmpg123 has found, and accounts for the bytes before it.
  private func takeFrame() {
    let place = start + Int64(mpg123_framepos(handle))
    let foreign = place > frameEnd ? foreignByteCount(from: frameEnd, to: place) : 0
    // Behind foreign bytes, three frames must follow each other. In front of them, the last frame is not whole.
    let isChance =
      foreign > 0 && isBegun && MPEGFrame.format(in: Region(stream, from: place), at: 0) != .mpeg
    var frame = mpg123_frameinfo2()
    mpg123_info2(handle, &frame)
    let info = encoderInfo()
    var (number, audio, byteCount) = (off_t(), nil as UnsafeMutablePointer<UInt8>?, 0)
    let status = mpg123_framebyframe_decode(handle, &number, &audio, &byteCount)
    if isChance { return }
    if foreign > 0, soundFrameCount > 0 { pending.dropLast(lastCount) }
    unread += foreign
    frameEnd = place + Int64(frame.framesize)
    guard status == MPG123_OK.rawValue, let audio else { return }
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

  /// Returns how many bytes between two frames are neither tags nor zeros.
  private func foreignByteCount(from begin: Int64, to end: Int64) -> Int64 {
    var gap = Region(stream, from: begin)
    var offset: Int64 = 0
    while offset < end - begin, let length = Tag.length(gap, at: offset) { offset += length }
    gap = Region(stream, from: begin + offset)
    gap.end = max(end, gap.start)
    let count = Tag.trailing(gap)
    let bytes = gap.upTo(Int(min(count, Self.longestSearch)), at: 0)
    return bytes.allSatisfy { $0 == 0 } && bytes.count == count ? 0 : count
  }

  // MARK: Bytes

  /// Gives libmpg123 more bytes. Returns `false` at the end, or where a recording of another format begins.
  private func feed() -> Bool {
    if stream.position - frameEnd > Self.longestSearch, soundFrameCount > 0 {
      if let length = Tag.length(Region(stream, from: frameEnd), at: 0) {
        frameEnd += length
      } else if isBeforeAnother() {
        return false
      }
    }
    let block = Self.blockLength
    return withUnsafeTemporaryAllocation(byteCount: block, alignment: 1) { bytes in
      let count = stream.readSome(bytes)
      guard count > 0 else { return false }
      return mpg123_feed(handle, bytes.baseAddress, count) == MPG123_OK.rawValue
    }
  }

  private func isBeforeAnother() -> Bool {
    let region = Region(stream, from: frameEnd)
    return AudioFormat.search(region.upTo(Int(Self.longestSearch), at: 0)) != nil
  }

  func finish() -> [AudioInputWarning] {
    let torn = tornByteCount()
    stream.move(to: torn == nil ? frameEnd : stream.size ?? stream.position)
    var warnings: [AudioInputWarning] = unread > 0 ? [.unread(bytes: UInt64(unread))] : []
    // Some encoders count their own frame.
    let lacking = (info?.frameCount).map { $0 - soundFrameCount } ?? 0
    if !isJoined, lacking > (torn == nil ? 1 : 0) {
      let frames = lacking * frameLength - addedCount / max(1, channelCount)
      warnings.append(.endedEarly(missingSeconds: Double(max(0, frames)) / Double(sampleRate)))
    } else if let torn {
      warnings.append(
        .torn(missingBytes: UInt64(torn), missingSeconds: Double(frameLength) / Double(sampleRate)))
    }
    return warnings
  }

  /// How many bytes of the last frame are missing; `nil` if the last frame is whole.
  private func tornByteCount() -> Int64? {
    let rest = Region(stream, from: frameEnd)
    guard let frame = MPEGFrame(rest.upTo(MPEGFrame.headerLength, at: 0)), frame.kind == .mpeg
    else {
      return nil
    }
    let present = Int64(rest.upTo(frame.length, at: 0).count)
    return present < frame.length ? Int64(frame.length) - present : nil
  }
}
