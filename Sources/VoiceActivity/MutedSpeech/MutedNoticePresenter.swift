public import Observation

/// Shows the notice and takes it away again: what a view observes.
///
/// ```swift
/// let presenter = MutedNoticePresenter()
/// Task { await presenter.follow(monitor.isSpeakingWhileMuted) }
/// // in a view: if let notice = presenter.notice { Text(notice.text) }
/// ```
@MainActor @Observable
public final class MutedNoticePresenter {
  /// What to show now.
  public private(set) var notice: MutedNotice?

  /// A change is for the next notice; the one that is shown stays as it is.
  @ObservationIgnored public var configuration: MutedNotice.Configuration {
    get { rule.configuration }
    set { rule.configuration = newValue }
  }

  @ObservationIgnored private var rule: MutedNoticeRule
  @ObservationIgnored private let clock: any Clock<Duration>
  /// Time since the presenter was made.
  @ObservationIgnored private let elapsed: () -> Duration
  /// Waits for the end of the notice that is shown.
  @ObservationIgnored private var dismissal: Task<Void, Never>?

  /// - Parameter clock: what the notice's time is measured with.
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

  /// The state now. Equal states may be told any number of times.
  public func update(isSpeakingWhileMuted: Bool) {
    let shown = rule.update(isSpeakingWhileMuted: isSpeakingWhileMuted, at: elapsed())
    guard let shown else { return }
    notice = shown
    dismissal = Task { [weak self, clock, duration = configuration.duration] in
      // Cancelled: somebody else has dismissed it, or nobody looks any more.
      guard (try? await clock.sleep(for: duration)) != nil else { return }
      self?.dismiss(shown.id)
    }
  }

  /// Hides the notice before its time. Does nothing if another one is shown, or none.
  public func dismiss(_ id: MutedNotice.ID) {
    guard rule.dismiss(id) else { return }
    dismissal?.cancel()
    dismissal = nil
    notice = nil
  }

  /// The microphone was unmuted: ``MutedNotice/Configuration/Limit/oncePerMute`` counts anew. Hides nothing.
  public func microphoneUnmuted() { rule.microphoneUnmuted() }

  /// Follows the states until they end or the task is cancelled. A notice that is shown then still has its time.
  public func follow(_ states: some AsyncSequence<Bool, Never>) async {
    for await isSpeaking in states { update(isSpeakingWhileMuted: isSpeaking) }
    update(isSpeakingWhileMuted: false)
  }
}
