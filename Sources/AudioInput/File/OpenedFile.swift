internal import Glibc
internal import SystemPackage

/// A file that libsndfile has taken, and what had to be put right for that.
struct OpenedFile {
  let sound: SoundFile
  /// Frames in all, as far as can be told.
  let frameCount: Int64?
  /// What is wrong and lost.
  private(set) var warnings: [AudioInputWarning] = []
  /// What was wrong and is put right: for the log.
  private(set) var corrections: [String] = []

  /// Takes over `descriptor` and closes it in the end.
  init(_ descriptor: FileDescriptor, name: String) throws(AudioInputError) {
    let bytes = try Self.bytes(descriptor, name)
    let (wave, mpeg, chunk) = (WaveHeader(bytes), MPEGHeader(bytes), AudioChunk(bytes))
    if let wave { bytes.show(prefix: wave.corrected(), body: wave.samples) }
    if let mpeg, mpeg.isShort { mpeg.hideLength(in: bytes) }
    chunk?.correctSize(in: bytes)
    do {
      sound = try SoundFile(bytes)
    } catch {
      throw Self.error(name, wave?.flaw ?? error.reason, bytes.failure)
    }
    frameCount = mpeg?.isShort == true ? nil : sound.frameCount
    if mpeg?.isShort == true { corrections.append("read to the end, whatever the header says") }
    if let wave { judge(wave) }
    if let chunk { warn(missing: chunk.missingByteCount, present: chunk.presentByteCount) }
    if OggEnd.isThere(in: bytes) == false { warnings.append(.endedEarly(missingSeconds: nil)) }
  }

  static func descriptor(_ path: FilePath) throws(AudioInputError) -> FileDescriptor {
    let descriptor: FileDescriptor
    do {
      descriptor = try catching { try FileDescriptor.open(path, .readOnly) }
    } catch {
      throw .cannotOpen(name: path.string, error)
    }
    // Reading tells, but not alike on all file systems.
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

  private static func bytes(
    _ descriptor: FileDescriptor, _ name: String
  ) throws(AudioInputError) -> ByteFile {
    let bytes: ByteFile
    do {
      bytes = try ByteFile(descriptor)
    } catch {
      throw .readFailed(name: name, error)
    }
    // UTF-16 text: libmpg123 takes its byte order mark for the start of a frame, and says on standard
    // error what it thinks of the rest.
    let isText = bytes.bytesOnDisk(at: 0, count: 2) == [0xFF, 0xFE]
    if isText { throw .notAudio(name: name, reason: nil) }
    return bytes
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

  /// Compares what the header of a WAV file says with what is there.
  private mutating func judge(_ header: WaveHeader) {
    let (declared, present) = (header.declaredByteCount, UInt64(header.samples.count))
    warn(missing: header.missingByteCount, present: present)
    if header.missingByteCount == 0 && declared != present {
      corrections.append("took \(present) for the data size, not \(declared)")
    }
  }

  private mutating func warn(missing: UInt64, present: UInt64) {
    guard missing > 0 else { return }
    let heard = Double(sound.frameCount ?? 0) / Double(sound.sampleRate)
    let seconds = present == 0 ? nil : heard * Double(missing) / Double(present)
    warnings.append(.torn(missingBytes: missing, missingSeconds: seconds))
  }
}
