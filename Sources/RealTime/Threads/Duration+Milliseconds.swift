extension Duration {
  /// The duration in milliseconds, rounded up. It must be shorter than 290 million years.
  package var millisecondsRoundedUp: Int64 {
    let attosecondsPerMillisecond: Int64 = 1_000_000_000_000_000
    let (seconds, attoseconds) = components
    return seconds * 1000 + (attoseconds + attosecondsPerMillisecond - 1)
      / attosecondsPerMillisecond
  }

  /// The duration in nanoseconds, limited to 30 years either way, so that it can be added to a time.
  package var nanoseconds: Int64 { Int64(min(max(self / .nanoseconds(1), -1e18), 1e18)) }

  /// The duration in words, to the nearest millisecond: `5 s`, `250 ms`.
  package var inWords: String {
    let milliseconds = Int((self / .milliseconds(1)).rounded())
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}
