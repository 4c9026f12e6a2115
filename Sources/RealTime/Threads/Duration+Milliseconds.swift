extension Duration {
  /// The duration in milliseconds, rounded up. It must be shorter than 290 million years.
  package var millisecondsRoundedUp: Int64 {
    let attosecondsPerMillisecond: Int64 = 1_000_000_000_000_000
    let (seconds, attoseconds) = components
    return seconds * 1000 + (attoseconds + attosecondsPerMillisecond - 1)
      / attosecondsPerMillisecond
  }

  /// The duration in words, to the nearest millisecond: `5 s`, `250 ms`.
  package var inWords: String {
    let milliseconds = Int((self / .milliseconds(1)).rounded())
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}
