import ArgumentParser
import Glibc

/// Where the process begins and, unless ``TemporaryFiles`` has to clean up first, ends.
@main
enum Program {
  static func main() {
    // A reader that has gone away is reported by write as EPIPE, which becomes exit code 141; the signal
    // would end vadmon before it could remove its temporary files.
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try Vadmon.parseAsRoot(ArgumentBytes.commandLine())
      try command.run()
    } catch {
      Vadmon.exit(withError: error)
    }
  }
}

/// Exit codes, as in `sysexits.h` where it has one.
enum ExitStatus {
  static let noSpeech: Int32 = 1
  static let usage: Int32 = 64
  static let badData: Int32 = 65
  static let noInput: Int32 = 66
  static let unavailable: Int32 = 69
  static let inputOutput: Int32 = 74
  /// What shells report of a program that SIGINT ended.
  static let interrupted: Int32 = 130
  /// What shells report of a program that SIGPIPE ended.
  static let closedPipe: Int32 = 141
}
