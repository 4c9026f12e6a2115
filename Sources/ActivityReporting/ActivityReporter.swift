public import Logging
internal import VoiceActivity

#if Metrics
  public import CoreMetrics
#endif

/// Tells metrics and logs, now and then, what detectors and monitors have counted.
///
/// ```swift
/// let reporter = ActivityReporter(of: register, logger: logger, metrics: MetricsSystem.factory)
/// await reporter.run()  // until the task is cancelled
/// ```
/// Capture and analysis know nothing of it: it reads what they count anyway, in a task of its own. It logs one
/// line of level `info` when something was lost or somebody spoke while muted, otherwise of level `debug`; never one
/// per stream or event.
///
/// Metrics need the package's trait `Metrics`; the names are in ``Metric``. None has a label: neither streams nor
/// participants are told apart.
///
/// Threads: a value that one task runs.
public struct ActivityReporter: ~Copyable, Sendable {
  /// What is told to metrics, by name.
  public enum Metric: String, Sendable, CaseIterable {
    /// Counter: 10 ms steps that were decided.
    case hops = "vad_hops_total"
    /// Counter: times that samples were lost because a reader or a capture was late: overruns of a device, of a
    /// source's ring, or those that ``StreamRegister/countOverrun()`` was told.
    case overruns = "vad_overruns_total"
    /// Counter: times that samples were missing for whatever reason, lost packets and DTX as well as overruns.
    case gaps = "vad_gaps_total"
    /// Counter: how many samples were.
    case samplesLost = "vad_samples_lost_total"
    /// Counter: times that speech began.
    case onsets = "vad_onsets_total"
    /// Counter: times that somebody began to speak while muted.
    case mutedSpeech = "vad_muted_speech_total"
    /// Gauge: streams at present.
    case streams = "vad_streams"
    /// Timer: how long a call of `process` took, for one call in 17 of the detectors that are timed and of monitors.
    case process = "vad_process_seconds"
  }

  private let source: any ActivityReadable
  private let logger: Logger?
  private var told = ActivityReading()
  #if Metrics
    private let meters: ActivityMeters?
  #endif

  #if Metrics
    /// Of one monitor or of many streams. What is counted already is told with the first report.
    public init(
      of source: any ActivityReadable, logger: Logger? = nil, metrics: (any MetricsFactory)? = nil
    ) {
      self.source = source
      self.logger = logger
      meters = metrics.map(ActivityMeters.init)
    }
  #else
    /// Of one monitor or of many streams. What is counted already is told with the first report.
    public init(of source: any ActivityReadable, logger: Logger? = nil) {
      self.source = source
      self.logger = logger
    }
  #endif

  /// Reports every so often until the task is cancelled, and once more then.
  public consuming func run(every interval: Duration = .seconds(10)) async {
    while (try? await Task.sleep(for: interval)) != nil { report() }
    report()
  }

  /// Reports what has changed since the last report.
  public mutating func report() {
    let now = source.reading
    let new = now.growth(since: told)
    #if Metrics
      meters?.tell(new)
    #endif
    log(new)
    told.totals += new.totals
    told.times += new.times
    told.streams = now.streams
  }

  private func log(_ new: ActivityReading) {
    let totals = new.totals
    let isLossy = totals.gaps > 0 || totals.overruns > 0
    let isNews = isLossy || totals.mutedSpeeches > 0 || new.streams != told.streams
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
  /// What has come since, of the streams at present.
  func growth(since old: Self) -> Self {
    ActivityReading(
      totals: totals.growth(since: old.totals), times: times.growth(since: old.times),
      streams: streams)
  }
}

extension VoiceActivityTotals {
  /// What has come since. A count that seems to fall, beside a detector's reset, has not grown.
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
