import VoiceMonitor

/// The notice "You are muted. Unmute to speak.", and when it ends.
struct NoticeTimer: Sendable {
  private var rule = MutedNoticeRule()
  private let start = ContinuousClock.now
  /// When the notice ends; `nil` if it is not shown.
  private(set) var end: Ticker.Instant?

  var isShown: Bool { end != nil }

  mutating func update(isSpeakingWhileMuted: Bool, at now: Ticker.Instant) {
    guard rule.update(isSpeakingWhileMuted: isSpeakingWhileMuted, at: now - start) != nil else {
      return
    }
    end = now + rule.configuration.duration
  }

  /// Dismisses the notice, which no longer applies.
  mutating func microphoneUnmuted() {
    rule.microphoneUnmuted()
    dismiss()
  }

  mutating func dismissIfOver(at now: Ticker.Instant) {
    if let end, now >= end { dismiss() }
  }

  private mutating func dismiss() {
    if let shown = rule.notice { rule.dismiss(shown.id) }
    end = nil
  }
}
