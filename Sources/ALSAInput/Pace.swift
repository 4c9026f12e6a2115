/// Decides how long the capture thread sleeps between two looks at its device, in addition to waiting for it.
///
/// A device is expected to wake the thread when there is something to read, and many do. PulseAudio's plugin does not:
/// while its source delivers nothing, its descriptor stays readable and poll(2) returns at once. A thread that relied
/// on it would occupy a whole core, and under SCHED_FIFO it would take that core from every other program. Two rules
/// bound the thread on every device:
///
/// - After an empty look, the next one comes half a period later, then a period, and so on up to 40 ms, or a quarter of
///   the device's buffer if that is shorter, so that returning sound cannot fill the buffer in the meantime. A device
///   that makes the thread wait that long by itself is not slowed down.
/// - Looks are 5 ms apart on average, whatever they brought, or half a period if the period is shorter than 10 ms. A
///   late thread may make up for 100 ms.
///
/// This is a value without a clock.
struct Pace {
  /// The longest pause after an empty look, ns.
  static let longestPause: Int64 = 40_000_000
  private static let catchUp: Int64 = 100_000_000

  private let period: Int64
  private let spacing: Int64
  private let longestEmptyPause: Int64
  /// When the next look would be due if all looks were `spacing` apart.
  private var due = Int64.min
  /// When the thread began to wait for the device.
  private var waitingSince = Int64.min
  /// The number of consecutive empty looks.
  private var emptyLooks = 0

  /// Creates the pace for a device.
  ///
  /// - Parameters:
  ///   - period: The time between two wake-ups by the device, ns.
  ///   - buffer: The length of the device's buffer, ns.
  init(period: Int64, buffer: Int64) {
    self.period = max(period, 1)
    spacing = min(5_000_000, self.period / 2)
    longestEmptyPause = min(Self.longestPause, buffer / 4)
  }

  /// Records a completed look.
  ///
  /// - Parameters:
  ///   - frames: The number of frames that it brought, including lost frames.
  ///   - now: The present time, CLOCK_MONOTONIC, ns.
  /// - Returns: How long to sleep before waiting for the device again, ms.
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
