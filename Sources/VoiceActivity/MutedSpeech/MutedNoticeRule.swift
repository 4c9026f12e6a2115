/// Decides when the notice is shown.
///
/// It is shown when `isSpeakingWhileMuted` rises, stays for its time whether or not that falls, and while it stays
/// further rises are ignored: they neither lengthen it nor come later. A value without a clock: whoever shows what
/// ``update(isSpeakingWhileMuted:at:)`` returns calls ``dismiss(_:)`` when the notice's time is over.
public struct MutedNoticeRule: Sendable {
  /// A change is for the next notice; the one that is shown stays as it is.
  public var configuration: MutedNotice.Configuration
  /// What is shown now.
  public private(set) var notice: MutedNotice?

  private var isSpeakingWhileMuted = false
  private var lastNumber: UInt64 = 0
  /// Of the last notice.
  private var shownAt: Duration?
  private var wasShownDuringMute = false

  /// Nobody speaks yet.
  public init(configuration: MutedNotice.Configuration = .init()) {
    self.configuration = configuration
  }

  /// The state now. Equal states may be told any number of times.
  ///
  /// - Parameter now: time since any moment, as long as it is always the same.
  /// - Returns: a notice to show, to be dismissed when its duration is over.
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

  /// The notice's time is over, or the user has closed it.
  ///
  /// - Returns: whether it was this one that was shown. A dismissal of an earlier one changes nothing.
  @discardableResult
  public mutating func dismiss(_ id: MutedNotice.ID) -> Bool {
    guard notice?.id == id else { return false }
    notice = nil
    return true
  }

  /// The microphone was unmuted: ``MutedNotice/Configuration/Limit/oncePerMute`` counts anew. Hides nothing.
  public mutating func microphoneUnmuted() { wasShownDuringMute = false }

  private func allows(_ now: Duration) -> Bool {
    switch configuration.limit {
    case .none: true
    case .oncePerMute: !wasShownDuringMute
    case .every(let interval): shownAt.map { now - $0 >= interval } ?? true
    }
  }
}
