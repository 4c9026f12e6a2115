internal import SystemPackage

/// A file that libsndfile has taken, and what had to be put right for that.
struct OpenedFile {
  let sound: SoundFile
  /// What is wrong and lost.
  private(set) var warnings: [AudioInputWarning] = []
  /// What was wrong and is put right: for the log.
  private(set) var corrections: [String] = []

  init(_ path: FilePath) throws(AudioInputError) {
    let bytes: ByteFile
    do {
      bytes = try ByteFile(catching { try FileDescriptor.open(path, .readOnly) })
    } catch {
      throw .cannotOpen(name: path.string, error)
    }
    let wave = WaveHeader(bytes)
    if let wave { bytes.show(prefix: wave.corrected(), body: wave.samples) }
    do {
      sound = try SoundFile(bytes)
    } catch {
      throw Self.error(path, error, bytes.failure)
    }
    if let wave { judge(wave) }
  }

  /// Compares what the header of a WAV file says with what is there.
  private mutating func judge(_ header: WaveHeader) {
    let declared = header.declaredByteCount
    if header.missingByteCount > 0 {
      let seconds = Double(header.missingByteCount) / Double(max(1, header.bytesPerSecond))
      warnings.append(.torn(missingBytes: header.missingByteCount, missingSeconds: seconds))
    } else if declared != header.samples.count {
      corrections.append("took \(header.samples.count) for the data size, not \(declared)")
    }
  }

  private static func error(
    _ path: FilePath, _ refusal: SoundFile.Refusal, _ failure: Errno?
  ) -> AudioInputError {
    switch failure {
    case .isDirectory?: .isFolder(name: path.string)
    case let errno?: .readFailed(name: path.string, errno)
    case nil: .notAudio(name: path.string, reason: refusal.reason)
    }
  }
}
