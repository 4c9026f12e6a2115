internal import Glibc
internal import SystemPackage

/// A file that libsndfile has opened, and what had to be corrected for that.
struct OpenedFile {
  let sound: SoundFile
  let formatName: String
  /// The total number of frames, if known.
  let frameCount: Int64?
  /// Faults that lost sound.
  private(set) var warnings: [AudioInputWarning] = []
  /// Faults that were corrected, for the log.
  private(set) var corrections: [String] = []

  /// Takes over `descriptor` and closes it at the end.
  init(_ descriptor: FileDescriptor, name: String) throws(AudioInputError) {
    if descriptor.canSeek {
      try self.init(try Self.bytes(descriptor, name), name: name)
    } else {
      try self.init(try ByteStream(descriptor, name: name, closing: true))
    }
  }

  /// Opens a seekable file.
  init(_ bytes: ByteFile, name: String) throws(AudioInputError) {
    guard bytes.sizeOnDisk > 0 else { throw .empty(name: name) }
    // UTF-16 text: libmpg123 takes its byte order mark for the start of a frame, and writes complaints about the rest
    // to standard error.
    let isText = bytes.bytesOnDisk(at: 0, count: 2) == [0xFF, 0xFE]
    if isText { throw .notAudio(name: name, reason: nil) }
    let (wave, mpeg, chunk) = (WaveHeader(bytes), MPEGHeader(bytes), AudioChunk(bytes))
    if let wave {
      bytes.show(prefix: wave.corrected(count: Int64(wave.samples.count)), body: wave.samples)
      bytes.trailer = wave.trailer
    }
    let end = wave == nil ? AudioContainer(bytes).flatMap { RecordingEnd(of: $0, in: bytes) } : nil
    if case .before(_, let offset)? = end { bytes.show(body: 0..<offset) }
    if let mpeg, mpeg.isShort { mpeg.hideLength(in: bytes) }
    chunk?.correctSize(in: bytes)
    sound = try Self.open(bytes, name, flaw: wave?.flaw)
    formatName = sound.formatName()
    frameCount = mpeg?.isShort == true ? nil : sound.frameCount
    if mpeg?.isShort == true { corrections.append("read to the end, whatever the header says") }
    if let wave { judge(wave) }
    if let chunk { warn(missing: chunk.missingByteCount, present: chunk.presentByteCount) }
    if end == .torn, warnings.isEmpty { warnings.append(.endedEarly(missingSeconds: nil)) }
    let trackCount = OggPage.soundStreamCount(of: bytes)
    if trackCount > 1 { warnings.append(.otherTracks(count: trackCount)) }
  }

  /// Opens a stream. WAV, W64 and FLAC are read as they arrive; formats that require seeking are copied to a temporary
  /// file first.
  init(_ stream: ByteStream) throws(AudioInputError) {
    let name = stream.name
    let container = try AudioContainer(stream)
    if container == .flac {
      let sound = try Self.open(StreamFile(stream), name, flaw: nil)
      self.init(sound, formatName: sound.formatName(), frameCount: sound.frameCount)
    } else if container == .wave || container == .wave64,
      let wave = WaveHeader(StreamHead(stream: stream), isWave64: container == .wave64)
    {
      stream.drop(Int(wave.samples.lowerBound))
      // Practically endless: 2^53 bytes.
      let count = wave.hasKnownSize ? Int64(wave.samples.count) : 1 << 53
      let file = StreamFile(stream, behind: wave.corrected(count: count), count: count)
      if container == .wave, wave.hasKnownSize { file.trailer = wave.trailer }
      let sound = try Self.open(file, name, flaw: wave.flaw)
      // Where the size is unknown, libsndfile sees RF64.
      let real: SoundFile.Container? =
        container == .wave64 ? .wave64 : wave.hasKnownSize ? nil : .wave
      let frameCount = wave.hasKnownSize ? sound.frameCount : nil
      self.init(sound, formatName: sound.formatName(in: real), frameCount: frameCount)
    } else {
      let copy = try Spool.copy(stream)
      try self.init(try Self.bytes(copy, name), name: name)
      let what = container?.name ?? "a format that is not certain"
      corrections.append("copied to \(Spool.folder) first, because \(what) has to seek")
    }
  }

  private init(_ sound: SoundFile, formatName: String, frameCount: Int64?) {
    (self.sound, self.formatName, self.frameCount) = (sound, formatName, frameCount)
  }

  private static func open(
    _ bytes: any SoundBytes, _ name: String, flaw: String?
  ) throws(AudioInputError) -> SoundFile {
    do {
      return try SoundFile(bytes)
    } catch {
      throw Self.error(name, flaw ?? error.reason, bytes.failure)
    }
  }

  static func descriptor(_ path: FilePath) throws(AudioInputError) -> FileDescriptor {
    let descriptor: FileDescriptor
    do {
      descriptor = try catching {
        // Without waiting for a writer of a named pipe: `ByteStream` waits for its bytes, and can be stopped.
        try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
      }
    } catch {
      throw .cannotOpen(name: path.string, error)
    }
    // Reading would fail too, but with different errors on different file systems.
    guard !isFolder(descriptor) else {
      try? descriptor.close()
      throw .isFolder(name: path.string)
    }
    return descriptor
  }

  private static func isFolder(_ descriptor: FileDescriptor) -> Bool {
    var status = stat()
    return fstat(descriptor.rawValue, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  static func bytes(
    _ descriptor: FileDescriptor, _ name: String
  ) throws(AudioInputError) -> ByteFile {
    do {
      return try ByteFile(descriptor)
    } catch {
      throw .readFailed(name: name, error)
    }
  }

  private static func error(
    _ name: String, _ reason: String?, _ failure: Errno?
  ) -> AudioInputError {
    switch failure {
    case .isDirectory?: .isFolder(name: name)
    case let errno?: .readFailed(name: name, errno)
    case nil: .notAudio(name: name, reason: reason)
    }
  }

  /// Compares the sizes that a WAV file's header claims with those on disk.
  private mutating func judge(_ header: WaveHeader) {
    let (declared, present) = (header.declaredByteCount, UInt64(header.samples.count))
    warn(missing: header.missingByteCount, present: present)
    if header.missingByteCount == 0 && declared != present {
      corrections.append("took \(present) for the data size, not \(declared)")
    }
  }

  private mutating func warn(missing: UInt64, present: UInt64) {
    guard missing > 0 else { return }
    let seconds = Double(sound.frameCount ?? 0) / Double(sound.sampleRate)
    warnings.append(.torn(missing: missing, present: present, seconds: seconds))
  }
}

extension FileDescriptor {
  var canSeek: Bool { (try? seek(offset: 0, from: .current)) != nil }
}
