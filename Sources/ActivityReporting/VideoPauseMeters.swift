#if Metrics
  public import CoreMetrics
  public import VideoPause

  /// Tells metrics what is paused and resumed, for any number of subscribers.
  ///
  /// ```swift
  /// let meters = VideoPauseMeters(MetricsSystem.factory)  // one for all
  /// coordinator.onAction = meters.tell
  /// ```
  /// Pauses are rare and decided on no thread of audio, so that they are told at once, by the thread that decides.
  ///
  /// Threads: any.
  public struct VideoPauseMeters: Sendable {
    /// What is told, by name.
    public enum Metric: String, Sendable, CaseIterable {
      /// Counter: videos that were paused or resumed. Dimensions: `action`, which is `pause` or `resume`, and `reason`,
      /// why they are paused, or were.
      case actions = "video_pause_actions_total"
      /// Timer: how long a video that was resumed had been paused for bandwidth. Other pauses last as long as somebody
      /// wants them to.
      case resume = "video_resume_seconds"
    }

    private let pauses, resumes: [PauseReason: Counter]
    private let resumeTime: CoreMetrics.Timer

    /// Makes all meters, so that they exist before the first of their kind happens.
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
    public func tell(_ action: PauseAction) {
      switch action {
      case .paused(_, let reason): pauses[reason]?.increment()
      case .resumed(_, let reason, let length):
        resumes[reason]?.increment()
        if reason == .bandwidth { resumeTime.record(length) }
      }
    }
  }
#endif
