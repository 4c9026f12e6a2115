internal import Logging
internal import RealTime
internal import SystemPackage

extension AudioFileSource {
  /// What opening waits for.
  package enum Awaited: Sendable {
    /// The first bytes of a pipe or, in formats that have to seek, all of them.
    case input
    /// The first samples from ffmpeg.
    case decoder
  }

  /// A function that is called before opening waits, with an object that is waited for and a function that ends the
  /// wait. Opening then fails, or returns a source without sound.
  package typealias Waiting = (
    _ awaited: Awaited, _ owner: AnyObject, _ stop: @escaping @Sendable () -> Void
  ) -> Void
}

/// The opening of one recording, and of those behind it in the same file.
struct Opening {
  var logger: Logger?
  var waiting: AudioFileSource.Waiting?
  /// The format that the extension of the file's name is for.
  var formatByName: AudioFormat?

  func note(_ text: String, _ stream: ByteStream) { logger?.info("\(stream.name): \(text)") }

  // MARK: The beginning

  /// Waits for the first byte, or for one behind a tag. Throws if there is none.
  func awaitFirstByte(of stream: ByteStream) throws(AudioInputError) {
    if stream.size == nil { waiting?(.input, stream, stream.stop) }
    let isEmpty = stream.peek(1, at: stream.position).isEmpty
    if let failure = stream.failure { throw .readFailed(name: stream.name, failure) }
    guard isEmpty, !stream.isStopped else { return }
    throw stream.position == 0
      ? .empty(name: stream.name) : .notAudio(name: stream.name, reason: "it ends with its tag")
  }

  /// Passes over tags, and over foreign bytes before a head that counts anywhere or before three frames. Returns the
  /// format of the recording, `nil` in doubt; then nothing but tags is passed over.
  ///
  /// - Parameter mayBeRaw: Whether it may be PCM without a header instead.
  func start(
    of stream: ByteStream, mayBeRaw: Bool = false
  ) throws(AudioInputError) -> AudioFormat? {
    try awaitFirstByte(of: stream)
    while let length = Tag.length(Region(stream), at: 0) {
      _ = stream.skip(length)
      try awaitFirstByte(of: stream)
    }
    if let format = AudioFormat(of: Region(stream)) { return format }
    let begin = stream.position
    if stream.size != nil { _ = RecordingEnd.skipZeros(stream) }
    let bytes = Region(stream).upTo(RecordingEnd.blockLength, at: 0)
    var found = RecordingEnd.firstRecording(bytes, Region(stream), mayBeRaw: mayBeRaw)
    // Bytes in front of a recording are not PCM.
    if mayBeRaw, let place = found?.place {
      found = RecordingEnd.firstRecording(Array(bytes[..<place]), Region(stream)) ?? found
    }
    guard let found else {
      stream.move(to: begin)
      return AudioFormat(of: Region(stream))
    }
    _ = stream.skip(Int64(found.place))
    note("begins with \(stream.position - begin) bytes that belong to no recording", stream)
    return found.format
  }

  // MARK: The decoder

  /// Opens the recording with which the rest of a stream begins.
  ///
  /// - Parameter known: Its format, if it has been looked for.
  func decoder(
    _ stream: ByteStream, as known: AudioFormat? = nil
  ) throws(AudioInputError) -> any SoundDecoder {
    let format = if let known { known } else { try start(of: stream) }
    if format == .playlist { throw .notAudio(name: stream.name, reason: Refusal.playlist.reason) }
    var refusals: [Refusal] = []
    let begin = stream.position
    do throws(Refusal) {
      if let decoder = try ours(stream, format) { return decoder }
    } catch {
      refusals.append(error)
      stream.move(to: begin)
    }
    let file =
      stream.size != nil
      ? stream
      : try copy(stream, because: "\(format?.name ?? "a format that is not certain") has to seek")
    // A copy shows more than the head of a pipe.
    if file !== stream, let decoder = try? ours(file, format) { return decoder }
    var region = Region(file)
    let end = format.flatMap { RecordingEnd(of: $0, in: region) }
    if case .at(let offset)? = end { region.end = region.start + offset }
    let size = format?.chunks?.trueSize(in: region)
    file.patch = size.map { ($0.offset, $0.bytes) }
    var flaws = format?.flaws?(region) ?? AudioFormat.Flaws()
    if end == .torn || size?.isTorn ?? false { flaws.isCutOff = true }
    for decoder in asked(format, region, flaws) {
      // ffmpeg sees the size that is stated. It finds the end of a file that is cut off.
      if decoder == .ffmpeg, file.patch != nil, !flaws.isCutOff {
        file.move(to: region.start)
        region = Region(try copy(file, because: "its header states a wrong size"))
      }
      do throws(Refusal) {
        return decoder == .ffmpeg
          ? try byFFmpeg(region, format, flaws) : try LibSndFile(region, flaws)
      } catch {
        refusals.append(error)
      }
    }
    if let failure = file.failure ?? refusals.compactMap(\.shortage).first {
      throw .readFailed(name: stream.name, failure)
    }
    throw AudioInputError(stream.name, format ?? formatByName, refusals)
  }

  /// Opens what is decoded from front to back, also from a pipe. Returns `nil` for everything else.
  private func ours(_ stream: ByteStream, _ format: AudioFormat?) throws(Refusal) -> (
    any SoundDecoder
  )? {
    switch format?.decoder ?? (formatByName == .flac ? .libFLAC : nil) {
    case .libFLAC: return try FLACDecoder(stream)
    case .libmpg123: return try MPEGDecoder(stream)
    default: break
    }
    let region = Region(stream)
    guard let description = format?.pcm?(region) else { return nil }
    let count = description.format.channelCount
    guard supportedChannelCounts ~= count else {
      throw Refusal(reason: "its header says \(count.inChannels)")
    }
    if description.format.sampleRate == 0 { throw Refusal(reason: "its header says 0 Hz") }
    return PCMDecoder(description, region)
  }

  /// Returns who is asked to decode a file, in turn.
  private func asked(
    _ format: AudioFormat?, _ region: Region, _ flaws: AudioFormat.Flaws
  ) -> [AudioFormat.Decoder] {
    switch format?.decoder {
    case nil where LibSndFile.takesForMP3(region): return [.ffmpeg]
    case .ffmpeg, .libFLAC, .libmpg123: return [.ffmpeg]
    case .libsndfile where flaws.isForFFmpeg: return [.ffmpeg, .libsndfile]
    default: return [.libsndfile, .ffmpeg]
    }
  }

  private func byFFmpeg(
    _ region: Region, _ format: AudioFormat?, _ flaws: AudioFormat.Flaws
  ) throws(Refusal) -> any SoundDecoder {
    let decoder = try FFmpegDecoder(
      region, format ?? formatByName, isCertain: format != nil || formatByName?.name == "GSM",
      flaws)
    waiting?(.decoder, decoder.awaited, decoder.stop)
    try decoder.begin()
    return decoder
  }

  /// Returns a copy on disk of the rest of a stream.
  private func copy(
    _ stream: ByteStream, because reason: String
  ) throws(AudioInputError) -> ByteStream {
    let copy = try Spool.copy(stream)
    note("copied to \(Spool.folder) first, because \(reason)", stream)
    return try ByteStream(copy, name: stream.name, closing: true)
  }
}

extension AudioInputError {
  /// Why nobody decodes a recording, and who was asked.
  fileprivate init(_ name: String, _ format: AudioFormat?, _ refusals: [Refusal]) {
    if refusals.contains(.noSound) {
      self = .noSound(name: name)
    } else if let format, format.decoder == .ffmpeg, refusals.contains(.noFFmpeg) {
      self = .decoderMissing(name: name, format: format.name)
    } else {
      let known = refusals.filter { $0 == .playlist || $0 == .noIndex }
      let reasons = known.isEmpty ? refusals : known
      self = .notAudio(name: name, reason: reasons.map(\.reason).joined(separator: ", and "))
    }
  }
}
