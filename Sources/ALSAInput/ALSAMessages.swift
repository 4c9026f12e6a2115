internal import CALSA
internal import Glibc
internal import RealTime

/// Returns libasound's text for an error code.
func alsaText(_ code: Int32) -> String {
  snd_strerror(code).map { String(cString: $0) } ?? "\(code)"
}

/// Captures the messages that libasound prints on standard error.
///
/// libasound prints eight lines for an unknown name alone. A library should not do that, so the last line is kept for
/// the text of an error, and the rest is dropped. libasound keeps this handler per thread, so a host's own handler is
/// left alone.
enum ALSAMessages {
  private static let last = Guarded<String?>(nil)

  /// Runs `body`, which may ask for libasound's last message, if there was one.
  ///
  /// Do not call this from the capture loop, because it allocates.
  static func collected<Result, Failure: Error>(
    _ body: (_ lastMessage: () -> String?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    last.change { $0 = nil }
    let previous = snd_lib_error_set_local { _, _, _, _, format, arguments in
      guard let format, let arguments else { return }
      let message = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
        vsnprintf(text.baseAddress!, text.count, format, arguments)
        // Some end with a line break.
        return String(String(cString: text.baseAddress!).prefix { $0 != "\n" })
      }
      ALSAMessages.last.change { $0 = message }
    }
    defer { snd_lib_error_set_local(previous) }
    return try body { last.change { $0 } }
  }

  /// Discards everything that libasound prints on this thread from now on.
  static func silence() { snd_lib_error_set_local { _, _, _, _, _, _ in } }
}
