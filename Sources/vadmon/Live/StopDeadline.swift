import RealTime

/// The time after which `vadmon live` no longer waits for anything. The device, the recording, the `--on-event` program
/// and the reader of the output share it, so that their waiting times do not add up.
///
/// The first request to end sets it, which may come while the session waits for the end of the input.
///
/// Threads: any.
final class StopDeadline: Sendable {
  /// The waiting time after the first request. The rest of half a second is for a terminal that accepts no output and
  /// for ending the process.
  static let patience = Duration.milliseconds(350)
  /// The part of this time that the device leaves to what is waited for after it. An ``ALSASource`` gives up waiting
  /// for libasound earlier than that and reports what was missing.
  static let deviceReserve = Duration.milliseconds(50)
  /// The part of this time that the recording and the `--on-event` program leave: for killing the program, and for a
  /// slow disk.
  static let hookReserve = Duration.milliseconds(100)

  private let instant = Guarded<Ticker.Instant?>(nil)

  /// Sets the deadline. Only the first call has an effect.
  func begin() { instant.change { $0 = $0 ?? .now + Self.patience } }

  /// Returns the deadline, or `nil` if nothing has asked for the end yet.
  ///
  /// - Parameter reserve: How long before the deadline the result lies, for later steps.
  func instant(reserving reserve: Duration = .zero) -> Ticker.Instant? {
    instant.change { $0.map { $0 - reserve } }
  }
}

/// How long to wait for something that may hang.
struct Patience: Sendable {
  /// The latest time at which the wait ends.
  let limit: Ticker.Instant
  /// A deadline that ends the wait earlier once it is set.
  var deadline: StopDeadline?
  /// How much earlier than the deadline the wait ends.
  var reserve = Duration.zero

  /// Creates a limit `duration` from now.
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
