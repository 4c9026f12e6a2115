import RealTime

/// Work on several threads.
enum Parallel {
  private struct State<Value> {
    var next = 0
    var running: Int
    var values: [Value?]
  }

  /// Returns `body` of 0 ..< `count`, in order, computed on `jobs` threads, or as many as the system allows.
  static func map<Value: Sendable>(
    _ count: Int, jobs: Int, _ body: @escaping @Sendable (Int) -> Value
  ) -> [Value] {
    let jobs = min(jobs, count)
    let state = Guarded(State<Value>(running: 1, values: Array(repeating: nil, count: count)))
    let work: @Sendable () -> Void = {
      while let index = state.change({ state -> Int? in
        guard state.next < count else { return nil }
        defer { state.next += 1 }
        return state.next
      }) {
        let value = body(index)
        state.change { $0.values[index] = value }
      }
      state.change { $0.running -= 1 }
    }
    for _ in 1..<max(1, jobs) {
      state.change { $0.running += 1 }
      if !JoinableThread.startDetached(work) { state.change { $0.running -= 1 } }
    }
    work()
    return state.wait { $0.running == 0 ? $0.values.compactMap(\.self) : nil }
  }
}
