internal import RealTime

/// Returns the result of `body`, or nil if it takes longer than `limit`.
///
/// A call of libasound cannot be cancelled. `body` therefore runs on a thread of its own, and if it takes too long, the
/// thread is abandoned: it ends in its own time, and its result is ignored.
func withinTime<Value: Sendable>(
  _ limit: Duration, _ body: @escaping @Sendable () -> Value
) -> Value? {
  let answer = Guarded<Value?>(nil)
  let give = { @Sendable in
    let value = body()
    answer.change { $0 = value }
  }
  guard JoinableThread.startDetached(give) else { return nil }
  return answer.wait(until: monotonicTime(after: limit)) { $0 }
}
