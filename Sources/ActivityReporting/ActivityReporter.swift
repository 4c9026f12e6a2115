public import Logging
internal import VoiceActivity

#if Metrics
  public import CoreMetrics
#endif

/// Periodically reports the counts of detectors and monitors to metrics and logs.
///
/// ```swift
/// let reporter = ActivityReporter(of: register, logger: logger, metrics: MetricsSystem.factory)
/// await reporter.run()  // until the task is cancelled
/// ```
/// Capture and analysis are not involved: the reporter, in a task of its own, reads counts that they keep anyway. It
/// logs one line per report, never one per stream or event. The level is `info` if something was lost, muted speech
/// occurred or the number of streams changed, otherwise `debug`.
///
/// Metrics need the package's trait `Metrics`; ``Metric`` lists the names. No metric has labels, so streams and
/// participants are not distinguished.
///
/// Threads: a value that one task runs.
public struct ActivityReporter: ~Copyable, Sendable {
  /// The reported metrics and their names.
  public enum Metric: String, Sendable, CaseIterable {
    /// Counter: the number of 10 ms hops analysed.
    case hops = "vad_hops_total"
    /// Counter: how often samples were lost because a reader or a capture was late: overruns of a device or of a
    /// source's ring, and those reported through ``StreamRegister/countOverrun()``.
    case overruns = "vad_overruns_total"
    /// Counter: how often samples were missing for any reason, including lost packets and DTX as well as overruns.
    case gaps = "vad_gaps_total"
    /// Counter: the number of missing samples.
    case samplesLost = "vad_samples_lost_total"
    /// Counter: the number of speech onsets.
    case onsets = "vad_onsets_total"
    /// Counter: how often muted speech began.
    case mutedSpeech = "vad_muted_speech_total"
    /// Gauge: the number of streams at present.
    case streams = "vad_streams"
    /// Timer: the duration of one call of `process` in 17, for monitors and for timed detectors.
    case process = "vad_process_seconds"
  }

  private let source: any ActivityReadable
  private let logger: Logger?
  private var reported = ActivityReading()
  #if Metrics
    private let meters: ActivityMeters?
  #endif

  #if Metrics
    /// Creates a reporter of one monitor or of many streams. The first report includes everything counted so far.
    public init(
      of source: any ActivityReadable, logger: Logger? = nil, metrics: (any MetricsFactory)? = nil
    ) {
      self.source = source
      self.logger = logger
      meters = metrics.map(ActivityMeters.init)
    }
  #else
    /// Creates a reporter of one monitor or of many streams. The first report includes everything counted so far.
    public init(of source: any ActivityReadable, logger: Logger? = nil) {
      self.source = source
      self.logger = logger
    }
  #endif

  /// Reports at every interval until the task is cancelled, and once more then.
  public consuming func run(every interval: Duration = .seconds(10)) async {
    await run(every: interval, on: ContinuousClock())
  }

  /// As above, by a clock that tests may drive.
  package consuming func run(every interval: Duration, on clock: some Clock<Duration>) async {
    while (try? await clock.sleep(for: interval)) != nil { report() }
    report()
  }

  /// Reports what has changed since the last report.
  public mutating func report() {
    let now = source.reading
    let new = now.growth(since: reported)
    #if Metrics
      meters?.add(new)
    #endif
    log(new)
    reported.totals += new.totals
    reported.times += new.times
    reported.streams = now.streams
  }

  private func log(_ new: ActivityReading) {
    let totals = new.totals
    let isLossy = totals.gaps > 0 || totals.overruns > 0
    let isNews = isLossy || totals.mutedSpeeches > 0 || new.streams != reported.streams
    logger?.log(
      level: isNews ? .info : .debug, "voice activity",
      metadata: [
        "streams": "\(new.streams)", "hops": "\(totals.hops)", "onsets": "\(totals.onsets)",
        "muted_speech": "\(totals.mutedSpeeches)", "overruns": "\(totals.overruns)",
        "gaps": "\(totals.gaps)", "samples_lost": "\(totals.missingSamples)",
      ])
  }
}

extension ActivityReading {
  /// Returns what the counts have grown by, with the present number of streams.
  func growth(since old: Self) -> Self {
    ActivityReading(
      totals: totals.growth(since: old.totals), times: times.growth(since: old.times),
      streams: streams)
  }
}

extension VoiceActivityTotals {
  /// Returns what the totals have grown by. A total that seems to fall, next to a reset of the detector, counts as
  /// unchanged.
  func growth(since old: Self) -> Self {
    func more(_ count: KeyPath<Self, UInt64>) -> UInt64 {
      self[keyPath: count] - min(self[keyPath: count], old[keyPath: count])
    }
    var growth = Self()
    growth.hops = more(\.hops)
    growth.onsets = more(\.onsets)
    growth.mutedSpeeches = more(\.mutedSpeeches)
    growth.gaps = more(\.gaps)
    growth.missingSamples = more(\.missingSamples)
    growth.overruns = more(\.overruns)
    return growth
  }
}
