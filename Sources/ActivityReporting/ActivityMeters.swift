#if Metrics
  internal import CoreMetrics
  internal import VoiceActivity

  /// The metric handlers of ``ActivityReporter/Metric``, created once.
  struct ActivityMeters: Sendable {
    private let hops, overruns, gaps, samplesLost, onsets, mutedSpeech: Counter
    private let streams: Gauge
    private let process: CoreMetrics.Timer

    init(_ factory: any MetricsFactory) {
      func counter(_ metric: ActivityReporter.Metric) -> Counter {
        Counter(label: metric.rawValue, dimensions: [], factory: factory)
      }
      hops = counter(.hops)
      overruns = counter(.overruns)
      gaps = counter(.gaps)
      samplesLost = counter(.samplesLost)
      onsets = counter(.onsets)
      mutedSpeech = counter(.mutedSpeech)
      streams = Gauge(
        label: ActivityReporter.Metric.streams.rawValue, dimensions: [], factory: factory)
      process = Timer(
        label: ActivityReporter.Metric.process.rawValue, dimensions: [], factory: factory)
    }

    /// Reports the growth since the last report. Counters are incremented by 0 as well, so that they exist before their
    /// first event.
    func add(_ new: ActivityReading) {
      hops.increment(by: new.totals.hops)
      overruns.increment(by: new.totals.overruns)
      gaps.increment(by: new.totals.gaps)
      samplesLost.increment(by: new.totals.missingSamples)
      onsets.increment(by: new.totals.onsets)
      mutedSpeech.increment(by: new.totals.mutedSpeeches)
      streams.record(new.streams)
      for (length, count) in new.times.lengths {
        for _ in 0..<count { process.record(length) }
      }
    }
  }

  extension CoreMetrics.Timer {
    func record(_ time: Duration) {
      let nanoseconds = (time / .nanoseconds(1)).rounded()
      recordNanoseconds(nanoseconds < 9e18 ? Int64(nanoseconds) : .max)
    }
  }
#endif
