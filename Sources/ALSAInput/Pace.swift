/// Decides how long the capture thread sleeps between two looks at its device, beyond waiting for it.
///
/// A device is trusted to wake the thread when there is something to read, and many do. PulseAudio's plugin does not:
/// while its source gives nothing, its descriptor stays readable and poll(2) returns at once. A thread that believed it
/// would take a whole core, and under SCHED_FIFO it would take that core from everybody else. Two rules bound the
/// thread on every device:
///
/// - After a look that brought nothing, the next one comes half a period later, then a period, and so on to 40 ms, or a
///   quarter of the device's buffer if that is shorter: sound that comes again must not fill the buffer meanwhile. A
///   device that lets the thread wait for as long by itself is not slowed down.
/// - Looks are 5 ms apart on average, whatever they brought; half a period if the period is shorter than 10 ms.
///   A late thread may make up for 100 ms.
///
/// A value without a clock.
struct Pace {
  /// ns.
  static let longestPause: Int64 = 40_000_000
  private static let catchUp: Int64 = 100_000_000

  private let period: Int64
  private let spacing: Int64
  private let longestEmptyPause: Int64
  /// When the next look is due if all looks were `spacing` apart.
  private var due = Int64.min
  /// When the thread began to wait for the device.
  private var waitingSince = Int64.min
  /// Looks in a row that brought nothing.
  private var emptyLooks = 0

  /// - Parameters:
  ///   - period: How often the device wakes the thread, ns.
  ///   - buffer: How much the device keeps, ns.
  init(period: Int64, buffer: Int64) {
    self.period = max(period, 1)
    spacing = min(5_000_000, self.period / 2)
    longestEmptyPause = min(Self.longestPause, buffer / 4)
  }

  /// A look is over.
  ///
  /// - Parameters:
  ///   - frames: What it brought, lost frames included.
  ///   - now: CLOCK_MONOTONIC, ns.
  /// - Returns: How long to sleep before the device is waited for again, ms.
  mutating func pause(after frames: Int, at now: Int64) -> Int32 {
    let waited = waitingSince == .min ? 0 : now - waitingSince
    due = max(due, now - Self.catchUp) + spacing
    emptyLooks = frames == 0 ? emptyLooks + 1 : 0
    let pause = max(waited < emptyPause ? emptyPause : 0, due - now, 0)
    waitingSince = now + pause
    return Int32((pause + 999_999) / 1_000_000)
  }

  private var emptyPause: Int64 {
    guard emptyLooks > 0 else { return 0 }
    let first = max(period / 2, spacing)
    return min(first << Int64(min(emptyLooks - 1, 10)), longestEmptyPause)
  }
}
