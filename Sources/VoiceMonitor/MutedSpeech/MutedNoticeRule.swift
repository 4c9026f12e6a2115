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

  private var isSpeakingWhileMuted = false
  private var lastNumber: UInt64 = 0
  /// When the last notice was shown.
  private var shownAt: Duration?
  private var wasShownDuringMute = false

  /// Creates a rule in the state that nobody speaks while muted.
  public init(configuration: MutedNotice.Configuration = .init()) {
    self.configuration = configuration
  }

  /// Sets the present state. Repeating an equal state has no effect.
  ///
  /// - Parameters:
  ///   - new: Whether somebody speaks while muted.
  ///   - now: The time since an origin that is the same in all calls.
  /// - Returns: The notice to show, if one is due. Dismiss it when its duration is over.
  public mutating func update(
    isSpeakingWhileMuted new: Bool, at now: Duration
  ) -> MutedNotice? {
    let rises = new && !isSpeakingWhileMuted
    isSpeakingWhileMuted = new
    guard rises, configuration.isEnabled, notice == nil, allows(now) else { return nil }
    lastNumber += 1
    shownAt = now
    wasShownDuringMute = true
    notice = MutedNotice(id: .init(number: lastNumber), text: configuration.text)
    return notice
  }

  /// Ends a notice, because its time is over or the user closed it.
  ///
  /// - Returns: Whether this notice was the one shown. Dismissing an earlier one has no effect.
  @discardableResult
  public mutating func dismiss(_ id: MutedNotice.ID) -> Bool {
    guard notice?.id == id else { return false }
    notice = nil
    return true
  }

  /// Starts a new count for ``MutedNotice/Configuration/Limit/oncePerMute``. Hides nothing. Call it when the microphone
  /// is unmuted.
  public mutating func microphoneUnmuted() { wasShownDuringMute = false }

  private func allows(_ now: Duration) -> Bool {
    switch configuration.limit {
    case .none: true
    case .oncePerMute: !wasShownDuringMute
    case .every(let interval): shownAt.map { now - $0 >= interval } ?? true
    }
  }
}
