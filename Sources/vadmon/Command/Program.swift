import ArgumentParser
import Glibc
import SystemPackage

/// Where the process begins and, unless ``TemporaryFiles`` has to clean up first, ends.
@main
enum Program {
  static func main() {
    // A reader that has gone away is reported by write as EPIPE, which becomes exit code 141; the signal
    // would end vadmon before it could remove its temporary files.
    signal(SIGPIPE, SIG_IGN)
    // A file that has grown to its limit (ulimit -f) is an error of write as well, EFBIG.
    signal(SIGXFSZ, SIG_IGN)
    occupyClosedStreams()
    do {
      var command = try Vadmon.command(for: ArgumentBytes.commandLine())
      try command.run()
    } catch let error as UsageError {
      Messages(isQuiet: false, progress: nil).error(error.message)
      exit(ExitStatus.usage)
    } catch {
      if Vadmon.exitCode(for: error) == .success { show(Vadmon.fullMessage(for: error)) }
      exit(Vadmon.exitCode(for: error).rawValue)
    }
  }

  /// Whoever starts vadmon with a standard stream closed must not find that the next file opened takes its
  /// number. What keeps the place is opened the wrong way round, so that reading or writing it still fails (EBADF).
  private static func occupyClosedStreams() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number, which is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Help and version: an answer that could not be written is not a success.
  private static func show(_ text: String) -> Never {
    print(text)
    if fflush(nil) == 0 { exit(0) }
    let error = OutputError(name: "standard output", Errno(rawValue: errno))
    if error != .closedPipe { Messages(isQuiet: false, progress: nil).error(error.description) }
    exit(error.exitCode)
  }
}

/// Exit codes, as in `sysexits.h` where it has one.
enum ExitStatus {
  static let noSpeech: Int32 = 1
  static let missedBound: Int32 = 1
  static let usage: Int32 = 64
  static let badData: Int32 = 65
  static let noInput: Int32 = 66
  static let unavailable: Int32 = 69
  static let inputOutput: Int32 = 74
  static let closedPipe = ended(by: SIGPIPE)

  /// What shells report of a program that a signal ended.
  static func ended(by signal: Int32) -> Int32 { 128 + signal }
}
