import ALSAInput
import AudioInput
import Glibc

/// The exit codes, as in `sysexits.h` where it defines one.
enum ExitStatus {
  static let noSpeech: Int32 = 1
  static let missedBound: Int32 = 1
  static let usage: Int32 = 64
  static let badData: Int32 = 65
  static let noInput: Int32 = 66
  static let unavailable: Int32 = 69
  static let inputOutput: Int32 = 74
  static let interrupted = ended(by: SIGINT)
  static let closedPipe = ended(by: SIGPIPE)

  /// Returns the exit code that shells report for a program that a signal ended.
  static func ended(by signal: Int32) -> Int32 { 128 + signal }
}

extension AudioInputError {
  var exitCode: Int32 {
    switch self {
    case .cannotOpen, .isFolder: ExitStatus.noInput
    case .notAudio, .empty, .noSound, .sampleRate, .channelCount, .noSuchChannel:
      ExitStatus.badData
    case .decoderMissing: ExitStatus.unavailable
    case .readFailed, .cannotSpool: ExitStatus.inputOutput
    }
  }
}

extension CaptureError {
  var exitCode: Int32 {
    if case .noSuchChannel = self { ExitStatus.usage } else { ExitStatus.unavailable }
  }
}
