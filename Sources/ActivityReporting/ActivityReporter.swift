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
    /// Counter: times that samples were missing, say overruns of a device or lost packets.
    case overruns = "vad_overruns_total"
    /// Counter: how many samples were.
    case samplesLost = "vad_samples_lost_total"
    /// Counter: times that speech began.
    case onsets = "vad_onsets_total"
    /// Counter: times that somebody began to speak while muted.
    case mutedSpeech = "vad_muted_speech_total"
    /// Gauge: streams at present.
    case streams = "vad_streams"
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
    let new = now.totals.growth(since: told.totals)
    #if Metrics
      meters?.tell(new, streams: now.streams)
    #endif
    log(new, streams: now.streams)
    told = ActivityReading(totals: told.totals + new, streams: now.streams)
  }

  private func log(_ new: VoiceActivityTotals, streams: Int) {
    let isNews = new.gaps > 0 || new.mutedSpeeches > 0 || streams != told.streams
    logger?.log(
      level: isNews ? .info : .debug, "voice activity",
      metadata: [
        "streams": "\(streams)", "hops": "\(new.hops)", "onsets": "\(new.onsets)",
        "muted_speech": "\(new.mutedSpeeches)", "overruns": "\(new.gaps)",
        "samples_lost": "\(new.missingSamples)",
      ])
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
    return growth
  }
}
