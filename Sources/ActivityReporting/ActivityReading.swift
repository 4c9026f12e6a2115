public import VoiceActivity

/// What a reporter reads now and then: counts that only grow, and how many streams there are.
public struct ActivityReading: Sendable, Hashable {
  /// Of all streams, those that have ended included.
  public var totals: VoiceActivityTotals
  /// How long their calls took, of those that are timed.
  public var times: VoiceActivityTimes
  /// Streams at present.
  public var streams: Int

  /// A reading.
  public init(
    totals: VoiceActivityTotals = .init(), times: VoiceActivityTimes = .init(), streams: Int = 0
  ) {
    self.totals = totals
    self.times = times
    self.streams = streams
  }
}

/// Something that a reporter can read. Reading must not hold up an analysis.
public protocol ActivityReadable: Sendable {
  /// How it stands.
  var reading: ActivityReading { get }
}

extension VoiceActivityMonitor: ActivityReadable {
  /// One stream while it runs, with the counts of all its sources.
  public var reading: ActivityReading {
    ActivityReading(totals: totals, times: times, streams: snapshot.isRunning ? 1 : 0)
  }
}
