import VoiceMonitor

/// When to look for another input that has sound, and what of the results is news.
///
/// The first look comes when the chosen input has been silent for 10 s. Each further one comes after twice the silence,
/// for as long as vadmon runs: a microphone that a gate silences in pauses, or that is meant to be muted, must not open
/// others again and again.
///
/// This is a value without a clock.
struct OtherInputSearch: Sendable {
  /// When to look; `nil` if there is no reason to, and during a look.
  private(set) var next: Ticker.Instant?
  /// The input that was found in the present silence.
  private(set) var found: OtherInput?

  private var wasHeard = false
  private var isSilent = false
  private var isLooking = false
  /// Whether the silence has ended since the present look began.
  private var isOutdated = false
  private var pause = Duration.seconds(10)

  /// Notes the health of the chosen input.
  mutating func note(_ health: SignalHealth, at now: Ticker.Instant) {
    guard let silence = silence(before: health) else {
      if health == .good { wasHeard = true }
      (isSilent, next, found, isOutdated) = (false, nil, nil, isLooking)
      return
    }
    if !isSilent, !isLooking { next = now + pause - silence }
    isSilent = true
  }

  /// Returns whether to look now. If so, ``end(_:at:)`` has to follow.
  mutating func beginIfDue(at now: Ticker.Instant) -> Bool {
    guard let next, now >= next else { return false }
    (self.next, isLooking, isOutdated) = (nil, true, false)
    pause *= 2
    return true
  }

  /// Ends a look. Returns what it found if that is news.
  mutating func end(_ result: OtherInput?, at now: Ticker.Instant) -> OtherInput? {
    isLooking = false
    guard isSilent else { return nil }
    next = now + pause
    // Nobody may have spoken this time. That does not withdraw what was found before.
    guard !isOutdated, let result, result != found else { return nil }
    found = result
    return result
  }

  /// Returns how long an input has been silent when this health is found; `nil` if it is not silent.
  private func silence(before health: SignalHealth) -> Duration? {
    switch health {
    case .digitalSilence: .seconds(2)
    case .deadLine: wasHeard ? .seconds(5) : .seconds(10)
    case .starting, .good, .clipping, .noData, .cancelling: nil
    }
  }
}
