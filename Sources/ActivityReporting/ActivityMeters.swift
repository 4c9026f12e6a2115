#if Metrics
  internal import CoreMetrics
  internal import VoiceActivity

  /// The handlers of ``ActivityReporter/Metric``, made once.
  struct ActivityMeters: Sendable {
    private let hops, overruns, samplesLost, onsets, mutedSpeech: Counter
    private let streams: Gauge

    init(_ factory: any MetricsFactory) {
      func counter(_ metric: ActivityReporter.Metric) -> Counter {
        Counter(label: metric.rawValue, dimensions: [], factory: factory)
      }
      hops = counter(.hops)
      overruns = counter(.overruns)
      samplesLost = counter(.samplesLost)
      onsets = counter(.onsets)
      mutedSpeech = counter(.mutedSpeech)
      streams = Gauge(
        label: ActivityReporter.Metric.streams.rawValue, dimensions: [], factory: factory)
    }

    /// A counter is told 0 as well, so that it exists before the first of its kind happens.
    func tell(_ new: VoiceActivityTotals, streams count: Int) {
      hops.increment(by: new.hops)
      overruns.increment(by: new.gaps)
      samplesLost.increment(by: new.missingSamples)
      onsets.increment(by: new.onsets)
      mutedSpeech.increment(by: new.mutedSpeeches)
      streams.record(count)
    }
  }
#endif
