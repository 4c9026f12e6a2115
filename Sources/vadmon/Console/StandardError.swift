import Glibc
import RealTime

/// Standard error while libraries that print to it are at work.
enum StandardError {
  /// The descriptor of the real standard error while it is redirected.
  private static let own = Guarded<Int32?>(nil)

  /// Runs `body` with standard error redirected to /dev/null for the whole process.
  ///
  /// libasound passes its messages to us, but libraries that its plugins load print directly: JACK's prints five lines
  /// if its server is not running.
  static func silenced<Result>(_ body: () -> Result) -> Result {
    redirect()
    defer { restore() }
    return body()
  }

  private static func redirect() {
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard nowhere >= 0 else { return }
    own.change { own in
      let copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { return }
      own = copy
      dup2(nowhere, STDERR_FILENO)
    }
    close(nowhere)
  }

  /// Ends the redirection. A message that is due before `body` returns calls this first. Threads: any.
  static func restore() {
    own.change { own in
      guard let copy = own else { return }
      dup2(copy, STDERR_FILENO)
      close(copy)
      own = nil
    }
  }
}
