import VoiceActivity

/// The time at which `vadmon live` no longer waits for anything: one for the device, the recording, the program of
/// `--on-event` and whoever reads the output, so that their patience does not add up.
///
/// It is set by the first thing that asks for an end, which may come while the end of the input is waited for.
///
/// Threads: any.
final class StopDeadline: Sendable {
  /// From the first request on. The rest of half a second belongs to a terminal that takes nothing, and to the end of
  /// the process.
  static let patience = Duration.milliseconds(350)
  /// What the device leaves of that to those that are waited for after it. An ``ALSASource`` gives libasound up before,
  /// and reports what was missing.
  static let deviceReserve = Duration.milliseconds(50)
  /// What a recording and a program of `--on-event` leave of it: time to kill the program, and for a disk that is slow.
  static let hookReserve = Duration.milliseconds(100)

  private let instant = Guarded<Ticker.Instant?>(nil)

  /// Somebody wants an end. Only the first call counts.
  func begin() { instant.change { $0 = $0 ?? .now + Self.patience } }

  /// `nil`: nobody wants an end yet.
  ///
  /// - Parameter reserve: Time that is left to those who come later.
  func instant(reserving reserve: Duration = .zero) -> Ticker.Instant? {
    instant.change { $0.map { $0 - reserve } }
  }
}

/// How long something that may hang is waited for.
struct Patience: Sendable {
  /// When it is over at the latest.
  let limit: Ticker.Instant
  /// Ends it earlier, as soon as somebody wants an end.
  var deadline: StopDeadline?
  /// How much earlier than the deadline.
  var reserve = Duration.zero

  /// So long from now on.
  init(_ duration: Duration, until deadline: StopDeadline? = nil) {
    limit = .now + duration
    self.deadline = deadline
  }

  func reserving(_ reserve: Duration) -> Patience {
    var patience = self
    patience.reserve = reserve
    return patience
  }

  var isOver: Bool { .now >= min(limit, deadline?.instant(reserving: reserve) ?? limit) }
}
