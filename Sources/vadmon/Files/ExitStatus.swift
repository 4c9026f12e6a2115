import ALSAInput
import AudioInput
import Glibc
import RealTime

/// The exit codes, as in `sysexits.h` where it defines one. docs/terminal.md has a table of them, and each command's
/// help a list; a test compares both with ``all``.
enum ExitStatus {
  static let done: Int32 = 0
  static let noSpeech: Int32 = 1
  static let missedBound: Int32 = 1
  static let usage: Int32 = 64
  static let badData: Int32 = 65
  static let noInput: Int32 = 66
  static let unavailable: Int32 = 69
  static let commandFailed: Int32 = 70
  static let inputOutput: Int32 = 74
  static let interrupted = ended(by: SIGINT)

  /// What can end any command, by the exit code that a shell reports.
  private static let ends: KeyValuePairs<Int32, String> = [
    ended(by: SIGHUP): "SIGHUP, or a terminal that was closed",
    interrupted: "Ctrl-C (SIGINT)",
    ended(by: SIGPIPE): "a reader of the results that has gone",
    ended(by: SIGTERM): "SIGTERM",
  ]

  /// All codes, in the order of their numbers.
  static let all =
    [done, noSpeech, usage, badData, noInput, unavailable, commandFailed, inputOutput]
    + ends.map(\.key)

  /// Returns the list of codes for the help of a command.
  ///
  /// - Parameter own: What they mean for it, apart from those that every command has.
  static func help(_ own: KeyValuePairs<Int32, String>) -> String {
    let common = [(usage, "usage error"), (inputOutput, "reading or writing failed")]
    let codes = (own.map { ($0.key, $0.value) } + common).sorted { $0.0 < $1.0 }
    let list = codes.map { "\($0.0) \($0.1)" }.joined(separator: "; ")
    let ends = ends.map { "\($0.key) \($0.value)" }.joined(separator: "; ")
    return "Exit codes: \(list). Ended by a signal: \(ends)."
  }

  /// Returns the exit code that shells report for a program that a signal ended.
  static func ended(by signal: Int32) -> Int32 { 128 + signal }
}

extension AudioInputError {
  var exitCode: Int32 {
    switch self {
    case .cannotOpen(_, let errno) where errno.remedyForLimit != nil: ExitStatus.inputOutput
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
