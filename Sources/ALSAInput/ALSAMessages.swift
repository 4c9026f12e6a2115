internal import CALSA
internal import Glibc
internal import Synchronization

/// What libasound says of an error, by its code.
func alsaText(_ code: Int32) -> String {
  snd_strerror(code).map { String(cString: $0) } ?? "\(code)"
}

/// libasound prints on standard error what goes wrong inside it, eight lines for a name that it does not
/// know. That is not a library's place: the last line is kept for an error's text, the rest is dropped.
///
/// libasound keeps such a handler for each thread, so a host's own is left alone.
enum ALSAMessages {
  private static let last = Mutex<String?>(nil)

  /// Runs `body` and gives what libasound said last, if it said anything. Not for the capture loop:
  /// it allocates.
  static func collected<Result, Failure: Error>(
    _ body: (_ lastMessage: () -> String?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    last.withLock { $0 = nil }
    let previous = snd_lib_error_set_local { _, _, _, _, format, arguments in
      guard let format, let arguments else { return }
      let message = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
        vsnprintf(text.baseAddress!, text.count, format, arguments)
        return String(cString: text.baseAddress!)
      }
      ALSAMessages.last.withLock { $0 = message }
    }
    defer { snd_lib_error_set_local(previous) }
    return try body { last.withLock { $0 } }
  }

  /// Drops everything that libasound says on this thread from now on.
  static func silence() { snd_lib_error_set_local { _, _, _, _, _, _ in } }
}
