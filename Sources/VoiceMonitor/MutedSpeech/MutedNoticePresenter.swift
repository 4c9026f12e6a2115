public import Observation

/// An object that shows the muted notice and removes it again, for a view to observe.
///
/// ```swift
/// let presenter = MutedNoticePresenter()
/// Task { await presenter.follow(monitor.isSpeakingWhileMuted) }
/// // in a view: if let notice = presenter.notice { Text(notice.text) }
/// ```
@MainActor @Observable
public final class MutedNoticePresenter {
  /// The notice to show now, if any.
  public private(set) var notice: MutedNotice?

  /// The settings. A change applies to the next notice; a notice that is shown stays as it is.
  @ObservationIgnored public var configuration: MutedNotice.Configuration {
    get { rule.configuration }
    set { rule.configuration = newValue }
  }

  @ObservationIgnored private var rule: MutedNoticeRule
  @ObservationIgnored private let clock: any Clock<Duration>
  /// Returns the time since the presenter was made.
  @ObservationIgnored private let elapsed: () -> Duration
  /// The task that waits until the present notice's time is over.
  @ObservationIgnored private var dismissal: Task<Void, Never>?

  /// Creates a presenter that shows nothing.
  ///
  /// - Parameters:
  ///   - configuration: The settings.
  ///   - clock: The clock that measures how long a notice stays.
  public init(
    configuration: MutedNotice.Configuration = .init(),
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    let origin = clock.now
    rule = MutedNoticeRule(configuration: configuration)
    elapsed = { origin.duration(to: clock.now) }
    self.clock = clock
  }

  deinit { dismissal?.cancel() }

  /// Sets the present state. Repeating an equal state has no effect.
  public func update(isSpeakingWhileMuted: Bool) {
    let shown = rule.update(isSpeakingWhileMuted: isSpeakingWhileMuted, at: elapsed())
    guard let shown else { return }
    notice = shown
    dismissal = Task { [weak self, clock, duration = configuration.duration] in
      // Cancelled: the notice was dismissed early, or the presenter is gone.
      guard (try? await clock.sleep(for: duration)) != nil else { return }
      self?.dismiss(shown.id)
    }
  }

  /// Hides the notice before its time is over. Does nothing if another notice is shown, or none.
  public func dismiss(_ id: MutedNotice.ID) {
    guard rule.dismiss(id) else { return }
    dismissal?.cancel()
    dismissal = nil
    notice = nil
  }

  /// Starts a new count for ``MutedNotice/Configuration/Limit/oncePerMute``. Hides nothing. Call it when the microphone
  /// is unmuted.
  public func microphoneUnmuted() { rule.microphoneUnmuted() }

  /// Follows the states until they end or the task is cancelled. A notice shown at that moment stays for its full time.
  public func follow(_ states: some AsyncSequence<Bool, Never>) async {
    for await isSpeaking in states { update(isSpeakingWhileMuted: isSpeaking) }
    update(isSpeakingWhileMuted: false)
  }
}
