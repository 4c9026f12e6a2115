import RealTime

/// Threads for work that blocks on files and pipes, which must not run on Swift's cooperative threads.
enum Thread {
  /// Starts a detached thread, which ends with `body` or with the process. Returns `false` if the system cannot create
  /// another thread.
  @discardableResult
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard let thread = try? JoinableThread(body) else { return false }
    thread.detach()
    return true
  }
}
