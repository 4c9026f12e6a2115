import Foundation

/// Returns what `body` returns, which runs on a thread of its own. Calls `act` as soon as that thread sleeps in the
/// kernel, or has ended.
public func whileBlocked<Result: Sendable>(
  in body: @escaping @Sendable () -> Result, act: @escaping @Sendable () -> Void
) async -> Result {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      let path = "/proc/thread-self"
      let thread = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
      Thread.detachNewThread {
        if let thread { waitUntilAsleep(thread) }
        act()
      }
      continuation.resume(returning: body())
    }
  }
}

/// A thread that sleeps in ten looks waits for more than a lock.
private func waitUntilAsleep(_ thread: String) {
  var looks = 0
  while looks < 10, let line = try? String(contentsOfFile: "/proc/\(thread)/stat", encoding: .utf8)
  {
    // The state is behind the name of the thread, which is in parentheses.
    let isAsleep = line.split(separator: ")").last?.hasPrefix(" S") == true
    looks = isAsleep ? looks + 1 : 0
    usleep(1000)
  }
}
