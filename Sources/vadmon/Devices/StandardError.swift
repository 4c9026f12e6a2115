import Glibc

enum StandardError {
  /// Runs `body` with standard error closed to everybody. libasound leaves its messages to us, but libraries that its
  /// plugins load print what they like: JACK's, five lines for a server that does not run.
  static func silenced<Result>(_ body: () -> Result) -> Result {
    let (own, nowhere) = (dup(STDERR_FILENO), open("/dev/null", O_WRONLY | O_CLOEXEC))
    defer {
      if own >= 0 { dup2(own, STDERR_FILENO) }
      for descriptor in [own, nowhere] where descriptor >= 0 { close(descriptor) }
    }
    if own >= 0 && nowhere >= 0 { dup2(nowhere, STDERR_FILENO) }
    return body()
  }
}
