import ArgumentParser
import Glibc
import SystemPackage

/// The entry point of the process.
@main
enum Program {
  static func main() {
    // If the reader of a pipe has gone, write fails with EPIPE, which becomes exit code 141. The signal would end
    // vadmon before it could remove its temporary files.
    signal(SIGPIPE, SIG_IGN)
    // For a file that reaches its size limit (ulimit -f), write fails with EFBIG.
    signal(SIGXFSZ, SIG_IGN)
    occupyClosedStreams()
    do {
      var command = try Vadmon.command(for: ArgumentBytes.commandLine())
      try command.run()
      end(0)
    } catch let error as RunError {
      Messages().report(error)
      end(error.exitCode)
    } catch {
      if Vadmon.exitCode(for: error) == .success { show(Vadmon.fullMessage(for: error)) }
      end(Vadmon.exitCode(for: error).rawValue)
    }
  }

  /// Ends the process with `status`, unless a signal has asked for the end.
  private static func end(_ status: Int32) -> Never {
    if EndingSignals.request != nil { TemporaryFiles.removeAllAndExit(status) }
    exit(status)
  }

  /// Opens /dev/null for each standard stream that was closed when vadmon was started, so that no file opened later
  /// takes its number.
  ///
  /// It is opened for the opposite direction, so that reading or writing the stream still fails (EBADF).
  private static func occupyClosedStreams() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
      // `open` returns the lowest free number, which is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Prints help or the version. If this fails, the exit code is not 0.
  private static func show(_ text: String) -> Never {
    do {
      try FileDescriptor.standardOutput.write(all: "\(text)\n".utf8, name: "standard output")
      exit(0)
    } catch {
      Messages().report(RunError(error))
      exit(error.exitCode)
    }
  }
}
