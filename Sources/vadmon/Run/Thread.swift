import VoiceActivity

/// A thread for what blocks on files and pipes, which Swift's cooperative threads must not.
enum Thread {
  /// Starts a thread that nobody waits for; it ends with `body` or the process. `false` if the system has
  /// none left.
  @discardableResult
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard let thread = try? JoinableThread(body) else { return false }
    thread.detach()
    return true
  }
}
