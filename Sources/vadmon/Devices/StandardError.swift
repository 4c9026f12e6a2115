import Glibc

enum StandardError {
  /// Runs `body` with standard error redirected to /dev/null for the whole process.
  ///
  /// libasound passes its messages to us, but libraries that its plugins load print directly: JACK's prints five lines
  /// if its server is not running.
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
