#if Metrics
  public import CoreMetrics
  public import VideoPause

  /// Reports pauses and resumes to metrics, for any number of subscribers.
  ///
  /// ```swift
  /// let meters = VideoPauseMeters(MetricsSystem.factory)  // one for all
  /// coordinator.onAction = meters.record
  /// ```
  /// Pauses are rare and are not decided on an audio thread, so the deciding thread reports them at once.
  ///
  /// Threads: any.
  public struct VideoPauseMeters: Sendable {
    /// The reported metrics and their names.
    public enum Metric: String, Sendable, CaseIterable {
      /// Counter: the number of pauses and resumes. Dimensions: `action`, which is `pause` or `resume`, and `reason`,
      /// the reason for the pause.
      case actions = "video_pause_actions_total"
      /// Timer: how long a resumed video had been paused for bandwidth. Other pauses last as long as somebody wants
      /// them to.
      case resume = "video_resume_seconds"
    }

    private let pauses, resumes: [PauseReason: Counter]
    private let resumeTime: CoreMetrics.Timer

    /// Creates all meters at once, so that they exist before their first event.
    public init(_ factory: any MetricsFactory) {
      func counters(_ action: String) -> [PauseReason: Counter] {
        let all = PauseReason.allCases.map { reason in
          let dimensions = [("action", action), ("reason", "\(reason)")]
          let counter = Counter(
            label: Metric.actions.rawValue, dimensions: dimensions, factory: factory)
          counter.increment(by: 0)
          return (reason, counter)
        }
        return Dictionary(uniqueKeysWithValues: all)
      }
      pauses = counters("pause")
      resumes = counters("resume")
      resumeTime = Timer(label: Metric.resume.rawValue, dimensions: [], factory: factory)
    }

    /// Counts an action.
    public func record(_ action: PauseAction) {
      switch action {
      case .paused(_, let reason): pauses[reason]?.increment()
      case .resumed(_, let reason, let length):
        resumes[reason]?.increment()
        if reason == .bandwidth { resumeTime.record(length) }
      }
    }
  }
#endif
