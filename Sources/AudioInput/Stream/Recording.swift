package import Logging
package import SystemPackage
internal import VoiceActivity

/// Opens recordings of any format: with libsndfile where it reads the format, otherwise with ffmpeg.
package enum Recording {
  /// Opens a file or a named pipe.
  package static func open(
    _ path: FilePath, channels: ChannelSelection = .mix, logger: Logger? = nil
  ) throws(AudioInputError) -> any RecordedSource {
    let descriptor = try OpenedFile.descriptor(path)
    guard descriptor.canSeek else {
      let stream = try ByteStream(descriptor, name: path.string, closing: true)
      return try open(stream, channels: channels, logger: logger)
    }
    let bytes = try OpenedFile.bytes(descriptor, path.string)
    if case .foreign(let format)? = AudioContainer(bytes) {
      return try decoded(try MediaDecoder(path, format: format), path.string, channels, logger)
    }
    do {
      let opened = try OpenedFile(bytes, name: path.string)
      return try AudioFileSource(opened, name: path.string, channels: channels, logger: logger)
    } catch .notAudio(let name, let reason) {
      guard let format = MediaName.foreignFormat(of: path) else {
        throw .notAudio(name: name, reason: reason)
      }
      return try decoded(try MediaDecoder(path, format: format), name, channels, logger)
    }
  }

  /// Returns whether the content of a file is audio, intact or damaged. A file without an extension that cannot be
  /// opened counts as well, so that opening it later reports the reason.
  package static func recognises(_ path: FilePath) -> Bool {
    guard let descriptor = try? OpenedFile.descriptor(path) else { return path.extension == nil }
    guard descriptor.canSeek, let bytes = try? OpenedFile.bytes(descriptor, path.string) else {
      return false
    }
    return AudioContainer(bytes) != nil || (try? OpenedFile(bytes, name: path.string)) != nil
  }

  /// Opens standard input: the recording that its first bytes identify, or raw PCM.
  ///
  /// - Parameters:
  ///   - stream: The stream to read, which can be stopped while nothing arrives.
  ///   - format: The format of raw PCM.
  ///   - isRaw: Whether to read raw PCM whatever the first bytes are.
  package static func open(
    _ stream: ByteStream, rawFormat format: RawPCMFormat, isRaw: Bool,
    channels: ChannelSelection = .mix, logger: Logger? = nil
  ) throws(AudioInputError) -> any RecordedSource {
    if !isRaw {
      if let file = try stream.wholeFile() {
        if let container = AudioContainer(file) {
          return try open(file, container, stream, channels, logger)
        }
      } else if try AudioContainer(stream) != nil {
        return try open(stream, channels: channels, logger: logger)
      }
    }
    try stream.checkNotEmpty()
    return try RawPCMSource(stream, format: format, channels: channels, logger: logger)
  }

  /// Kills the decoders. Call it when the process ends in any way other than returning from main.
  package static func endDecoders() { ChildProcess.killAll() }

  private static func open(
    _ file: ByteFile, _ container: AudioContainer, _ stream: ByteStream,
    _ channels: ChannelSelection, _ logger: Logger?
  ) throws(AudioInputError) -> any RecordedSource {
    if case .foreign(let format) = container {
      let decoder = try MediaDecoder(stream.descriptor, name: stream.name, format: format)
      return try decoded(decoder, stream.name, channels, logger)
    }
    return try AudioFileSource(
      try OpenedFile(file, name: stream.name), name: stream.name, channels: channels, logger: logger
    )
  }

  private static func open(
    _ stream: ByteStream, channels: ChannelSelection, logger: Logger?
  ) throws(AudioInputError) -> any RecordedSource {
    try stream.checkNotEmpty()
    guard case .foreign(let format)? = try AudioContainer(stream) else {
      return try AudioFileSource(
        try OpenedFile(stream), name: stream.name, channels: channels, logger: logger)
    }
    let copy = try Spool.copy(stream)
    defer { try? copy.close() }
    logger?.info("\(stream.name): copied to \(Spool.folder) first, because \(format) has to seek")
    let decoder = try MediaDecoder(copy, name: stream.name, format: format)
    return try decoded(decoder, stream.name, channels, logger)
  }

  private static func decoded(
    _ decoder: MediaDecoder, _ name: String, _ channels: ChannelSelection, _ logger: Logger?
  ) throws(AudioInputError) -> any RecordedSource {
    let stream = try ByteStream(decoder.output, name: name, closing: true)
    do {
      try stream.checkNotEmpty()
    } catch .empty {
      let message = decoder.finish()
      if decoder.foundNoSound { throw .noSound(name: name) }
      throw .decoderFailed(name: name, message: message ?? "it found no sound")
    }
    return try AudioFileSource(
      try OpenedFile(stream), name: name, decoder: decoder, channels: channels, logger: logger)
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
