package import Logging
package import RealTime
package import SystemPackage

/// Opens recordings of any format: with libsndfile where it reads the format, otherwise with ffmpeg.
package enum Recording {
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

  /// Opens a file or a named pipe.
  package static func open(
    _ path: FilePath, channels: ChannelSelection = .mix, logger: Logger? = nil,
    waiting: Waiting? = nil
  ) throws(AudioInputError) -> any RecordedSource {
    let opening = Opening(channels: channels, logger: logger, waiting: waiting)
    let descriptor = try OpenedFile.descriptor(path)
    guard descriptor.canSeek else {
      let stream = try ByteStream(descriptor, name: path.string, closing: true)
      waiting?(.input, stream, stream.stop)
      return try opening.open(stream)
    }
    let bytes = try OpenedFile.bytes(descriptor, path.string)
    return try opening.open(
      bytes, AudioContainer(bytes), path.string, formatByName: MediaName.foreignFormat(of: path)
    ) { (format, demuxer, end) throws(AudioInputError) in
      try MediaDecoder(path, format: format, demuxer: demuxer, end: end)
    }
  }

  /// Returns whether the content of a file is audio, intact or damaged. A file without an extension that cannot be
  /// opened counts as well, so that opening it later reports the reason.
  package static func recognises(_ path: FilePath) -> Bool {
    guard let descriptor = try? OpenedFile.descriptor(path) else { return path.extension == nil }
    guard descriptor.canSeek, let bytes = try? OpenedFile.bytes(descriptor, path.string) else {
      return false
    }
    if let container = AudioContainer(bytes) { return container != .playlist }
    return (try? OpenedFile(bytes, name: path.string)) != nil
  }

  /// Opens standard input: the recording that its first bytes identify, or raw PCM.
  ///
  /// - Parameters:
  ///   - stream: The stream to read, which can be stopped while nothing arrives.
  ///   - format: The format of raw PCM.
  ///   - isRaw: Whether to read raw PCM whatever the first bytes are.
  ///   - waiting: Called for the stream too.
  package static func open(
    _ stream: ByteStream, rawFormat format: RawPCMFormat, isRaw: Bool,
    channels: ChannelSelection = .mix, logger: Logger? = nil, waiting: Waiting? = nil
  ) throws(AudioInputError) -> any RecordedSource {
    let opening = Opening(channels: channels, logger: logger, waiting: waiting)
    waiting?(.input, stream, stream.stop)
    if !isRaw {
      if let file = try stream.wholeFile() {
        if let container = AudioContainer(file) {
          return try opening.open(file, stream.descriptor, container, stream.name)
        }
      } else if try AudioContainer(stream) != nil {
        return try opening.open(stream)
      }
    }
    try stream.checkNotEmpty()
    return try RawPCMSource(stream, format: format, channels: channels, logger: logger)
  }
}

/// The opening of one recording.
private struct Opening {
  let channels: ChannelSelection
  let logger: Logger?
  let waiting: Recording.Waiting?

  /// A function that starts ffmpeg on a recording of a usual name, with one demuxer if its format is certain.
  typealias MakeDecoder = (
    _ format: String, _ demuxer: String?, _ end: RecordingEnd?
  ) throws(AudioInputError) -> MediaDecoder

  /// Opens a stream that cannot seek.
  func open(_ stream: ByteStream) throws(AudioInputError) -> any RecordedSource {
    try stream.checkNotEmpty()
    let container = try AudioContainer(stream)
    try checkNoPlaylist(container, stream.name)
    guard let container, container.isCopiedHere else {
      return try AudioFileSource(
        try OpenedFile(stream), name: stream.name, channels: channels, logger: logger)
    }
    let copy = try Spool.copy(stream)
    logger?.info(
      "\(stream.name): copied to \(Spool.folder) first, because \(container.name) has to seek")
    let file = try OpenedFile.bytes(copy, stream.name)
    // `file` closes the copy, which must be open until ffmpeg has inherited it.
    defer { withExtendedLifetime(file) {} }
    return try open(file, copy, container, stream.name)
  }

  /// Opens a file that can seek and is open.
  func open(
    _ file: ByteFile, _ descriptor: FileDescriptor, _ container: AudioContainer, _ name: String
  ) throws(AudioInputError) -> any RecordedSource {
    try open(file, container, name) { (format, demuxer, end) throws(AudioInputError) in
      try MediaDecoder(descriptor, name: name, format: format, demuxer: demuxer, end: end)
    }
  }

  /// Opens a file that can seek: with libsndfile, or with ffmpeg if its head or, where libsndfile refuses it, its name
  /// is that of a format that libsndfile does not read.
  func open(
    _ file: ByteFile, _ container: AudioContainer?, _ name: String, formatByName: String? = nil,
    makeDecoder: MakeDecoder
  ) throws(AudioInputError) -> any RecordedSource {
    try checkNoPlaylist(container, name)
    if let container, case .foreign(let format) = container {
      return try decode(makeDecoder(format, nil, RecordingEnd(of: container, in: file)), name)
    }
    if let tracks = try decodeTracks(of: file, name, makeDecoder) { return tracks }
    do {
      return try AudioFileSource(
        try OpenedFile(file, name: name), name: name, channels: channels, logger: logger)
    } catch .notAudio(let name, let reason) {
      let refusal = AudioInputError.notAudio(name: name, reason: reason)
      if let container, let demuxer = container.demuxer {
        return try decode(file, container, demuxer, name, after: refusal, makeDecoder)
      }
      guard let formatByName else { throw refusal }
      return try decode(makeDecoder(formatByName, nil, nil), name)
    }
  }

  /// Decodes an Ogg with several sound tracks. libsndfile would let the times begin with the first track, even if
  /// another one begins earlier. Returns `nil` for other files and without ffmpeg.
  private func decodeTracks(
    of file: ByteFile, _ name: String, _ makeDecoder: MakeDecoder
  ) throws(AudioInputError) -> (any RecordedSource)? {
    guard OggPage.soundStreamCount(of: file) > 1 else { return nil }
    do {
      let end = RecordingEnd(of: .ogg, in: file)
      return try decode(makeDecoder(AudioContainer.ogg.name, AudioContainer.ogg.demuxer, end), name)
    } catch .decoderMissing {
      return nil
    }
  }

  /// Decodes a file of a format that libsndfile reads, but has refused. What neither decoder reads is damaged, unless
  /// it is an Ogg, whose many codecs are the likelier reason.
  private func decode(
    _ file: ByteFile, _ container: AudioContainer, _ demuxer: String, _ name: String,
    after refusal: AudioInputError, _ makeDecoder: MakeDecoder
  ) throws(AudioInputError) -> any RecordedSource {
    let format = "\(container.name) with a codec that libsndfile does not read"
    do {
      let end = RecordingEnd(of: container, in: file)
      return try decode(makeDecoder(format, demuxer, end), name)
    } catch {
      throw container == .ogg ? error : refusal
    }
  }

  private func decode(
    _ decoder: MediaDecoder, _ name: String
  ) throws(AudioInputError) -> any RecordedSource {
    let stream = try ByteStream(decoder.output, name: name, closing: true)
    waiting?(.decoder, stream) {
      stream.stop()
      decoder.stop()
    }
    do {
      try stream.checkNotEmpty()
    } catch .empty {
      let message = decoder.finish()
      if decoder.foundNoSound { throw .noSound(name: name) }
      if decoder.refusedFormat { throw .notAudio(name: name, reason: playlistReason) }
      throw .decoderFailed(name: name, message: message ?? "it found no sound")
    }
    return try AudioFileSource(
      try OpenedFile(stream), name: name, decoder: decoder, channels: channels, logger: logger)
  }

  private func checkNoPlaylist(
    _ container: AudioContainer?, _ name: String
  ) throws(AudioInputError) {
    guard container == .playlist else { return }
    throw .notAudio(name: name, reason: playlistReason)
  }

  private var playlistReason: String {
    "it is a playlist, or in a format that ffmpeg may not read here"
  }
}

extension AudioContainer {
  /// Whether a stream is copied before it is known who decodes it. The others are read as they arrive where possible.
  fileprivate var isCopiedHere: Bool { ![.wave, .wave64, .flac].contains(self) }

  /// ffmpeg's name of a format that libsndfile reads, but not with every codec.
  fileprivate var demuxer: String? {
    switch self {
    case .wave: "wav"
    case .wave64: "w64"
    case .ogg: "ogg"
    case .aiff: "aiff"
    case .au: "au"
    case .caf: "caf"
    case .voc: "voc"
    default: nil
    }
  }
}

extension ByteStream {
  /// Throws if the stream is empty; waits for the first byte.
  fileprivate func checkNotEmpty() throws(AudioInputError) {
    do {
      if try peek(1).isEmpty, !isStopped { throw AudioInputError.empty(name: name) }
    } catch let error as AudioInputError {
      throw error
    } catch {
      throw .readFailed(name: name, error as? Errno ?? .ioError)
    }
  }

  /// Returns the file that the descriptor was opened on; `nil` if it cannot seek or its start has already been read.
  fileprivate func wholeFile() throws(AudioInputError) -> ByteFile? {
    guard (try? descriptor.seek(offset: 0, from: .current)) == 0 else { return nil }
    do {
      // Duplicates share their offset in the file, and the stream is read from its beginning.
      defer { _ = try? descriptor.seek(offset: 0, from: .start) }
      return try ByteFile(try catching { try descriptor.duplicate() })
    } catch {
      throw .readFailed(name: name, error)
    }
  }
}
