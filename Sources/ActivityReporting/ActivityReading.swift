public import VoiceActivity
public import VoiceMonitor

/// The numbers that a reporter reads: counts that only grow, and the number of streams.
public struct ActivityReading: Sendable, Hashable {
  /// The totals of all streams, including those that have ended.
  public var totals: VoiceActivityTotals
  /// The durations of the calls of timed detectors.
  public var times: VoiceActivityTimes
  /// The number of streams at present.
  public var streams: Int

  /// Creates a reading.
  public init(
    totals: VoiceActivityTotals = .init(), times: VoiceActivityTimes = .init(), streams: Int = 0
  ) {
    self.totals = totals
    self.times = times
    self.streams = streams
  }
}

/// A source of readings for a reporter. Reading must not hold up an analysis.
public protocol ActivityReadable: Sendable {
  /// The present counts. Any thread may read it.
  var reading: ActivityReading { get }
}

extension VoiceActivityMonitor: ActivityReadable {
  /// The counts of all the monitor's sources; the monitor counts as one stream while it runs.
  public var reading: ActivityReading {
    ActivityReading(totals: totals, times: times, streams: snapshot.isRunning ? 1 : 0)
  }
}
