internal import CVoiceActivity

/// The rule that decides when the notice is shown.
///
/// The notice appears when `isSpeakingWhileMuted` rises, and stays for its time whether or not that falls. While it
/// stays, further rises are ignored: they neither extend it nor queue another one.
///
/// The rule is a value without a clock. The caller shows what ``update(isSpeakingWhileMuted:at:)`` returns and calls
/// ``dismiss(_:)`` when the notice's time is over.
public struct MutedNoticeRule: Sendable {
  /// The settings. A change applies to the next notice; a notice that is shown stays as it is.
  public var configuration: MutedNotice.Configuration
  /// The notice that is shown now, if any.
  public private(set) var notice: MutedNotice?

  private var rule = va_muted_notice()

  /// Creates a rule in the state that nobody speaks while muted.
  public init(configuration: MutedNotice.Configuration = .init()) {
    self.configuration = configuration
    va_muted_notice_init(&rule)
    rule.duration_ms = .max  // The caller ends a notice.
  }

  /// Sets the present state. Repeating an equal state has no effect.
  ///
  /// - Parameters:
  ///   - new: Whether somebody speaks while muted.
  ///   - now: The time since an origin that is the same in all calls, in whole milliseconds.
  /// - Returns: The notice to show, if one is due. Dismiss it when its duration is over.
  public mutating func update(
    isSpeakingWhileMuted new: Bool, at now: Duration
  ) -> MutedNotice? {
    rule.is_enabled = configuration.isEnabled
    rule.is_once_per_mute = configuration.limit == .oncePerMute
    rule.interval_ms =
      if case .every(let interval) = configuration.limit { interval.milliseconds } else { 0 }
    guard va_muted_notice_update(&rule, new, now.milliseconds) else { return nil }
    notice = MutedNotice(id: .init(number: rule.shown), text: configuration.text)
    return notice
  }

  /// Ends a notice, because its time is over or the user closed it.
  ///
  /// - Returns: Whether this notice was the one shown. Dismissing an earlier one has no effect.
  @discardableResult
  public mutating func dismiss(_ id: MutedNotice.ID) -> Bool {
    guard va_muted_notice_dismiss(&rule, id.number) else { return false }
    notice = nil
    return true
  }

  /// Starts a new count for ``MutedNotice/Configuration/Limit/oncePerMute``. Hides nothing. Call it when the microphone
  /// is unmuted.
  public mutating func microphoneUnmuted() { va_muted_notice_unmuted(&rule) }
}

extension Duration {
  /// The whole milliseconds, within 290 million years.
  fileprivate var milliseconds: Int64 {
    let limit = Int64.max / 1000 - 1
    return min(max(components.seconds, -limit), limit) * 1000
      + components.attoseconds / 1_000_000_000_000_000
  }
}
