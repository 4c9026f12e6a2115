public import VideoPause

/// The totals of a replay so far. A state counts from its time to that of the next; the last state counts for nothing.
public struct TraceSummary: Sendable {
  /// The totals of one stream, or of all together. Times are in microseconds, sums in bits × 10⁶.
  public struct Use: Sendable {
    /// The time for which the stream was present.
    public fileprivate(set) var present: Int64 = 0
    /// The time for which it was forwarded.
    public fileprivate(set) var forwarded: Int64 = 0
    /// The time for which it was paused for bandwidth.
    public fileprivate(set) var pausedForBandwidth: Int64 = 0
    /// What was sent.
    public fileprivate(set) var sent = 0.0
    /// What would have been sent with unlimited bandwidth.
    public fileprivate(set) var ideal = 0.0
    /// The number of pauses and resumes for bandwidth.
    public fileprivate(set) var toggles = 0
    /// Whether it was last seen paused for bandwidth; `nil` if it was absent, or not wanted, since it came.
    fileprivate var isPaused: Bool?
    /// The number of the last change of the decision that had a row for it.
    fileprivate var seen = 0

    /// The time for which it was paused for other reasons.
    public var notForwarded: Int64 { present - forwarded - pausedForBandwidth }
    /// The share of what would have been sent with unlimited bandwidth; `nil` if that is nothing.
    public var shareOfIdeal: Double? { ideal > 0 ? sent / ideal : nil }
    /// The mean in bits per second; `nil` if the stream was never present.
    public var meanBitrate: Double? { present > 0 ? sent / Double(present) : nil }
  }

  /// The length of the replay in microseconds.
  public private(set) var duration: Int64 = 0
  /// The number of decisions.
  public private(set) var decisions: UInt64 = 0
  /// The bits × 10⁶ that the estimate left for video.
  public private(set) var capacity = 0.0
  /// The time, in microseconds, for which some wanted stream was paused or reduced for bandwidth.
  public private(set) var deficient: Int64 = 0
  /// The time, in microseconds, for which streams that are never paused exceeded the budget.
  public private(set) var oversending: Int64 = 0
  /// The totals of each stream.
  public var streams: [StreamID: Use] { places.mapValues { uses[$0] } }
  /// The place of each stream in `uses`.
  private var places: [StreamID: Int] = [:]
  private var uses: [Use] = []
  /// The place of each row of the last decision.
  private var rows: [Int] = []
  private var changes = 0
  private var last: TraceState?

  /// Creates the totals of an empty replay.
  public init() {}

  /// Adds the next state.
  public mutating func add(_ state: TraceState) {
    if let last { count(last, until: state.at) }
    if last?.decision.generation != state.decision.generation { note(state.decision.streams) }
    decisions = state.decision.generation
    last = state
  }

  /// The totals of all streams.
  public var total: Use {
    uses.reduce(into: Use()) { total, use in
      total.present += use.present
      total.forwarded += use.forwarded
      total.pausedForBandwidth += use.pausedForBandwidth
      total.sent += use.sent
      total.ideal += use.ideal
      total.toggles += use.toggles
    }
  }

  /// Returns what was sent as a share of what the estimate left for video, or `nil` if it left nothing. Above 1, more
  /// was sent than the estimate allowed.
  public func useOfCapacity(_ use: Use) -> Double? { capacity > 0 ? use.sent / capacity : nil }

  private mutating func count(_ state: TraceState, until end: Timestamp) {
    let length = end.microseconds - state.at.microseconds
    duration += length
    capacity += Double(state.capacity) * Double(length)
    if state.decision.isDeficient { deficient += length }
    if state.decision.isOversending { oversending += length }
    for (row, stream) in zip(rows, state.decision.streams) { uses[row].add(stream, for: length) }
  }

  /// Notes the rows of a new decision, and counts changes between forwarded and paused for bandwidth. Pauses for other
  /// reasons are not counted, nor are streams that were absent meanwhile.
  private mutating func note(_ decisions: [StreamDecision]) {
    changes += 1
    rows.removeAll(keepingCapacity: true)
    for stream in decisions {
      let row = place(of: stream.id)
      rows.append(row)
      let before = uses[row].seen == changes - 1 ? uses[row].isPaused : nil
      let isWanted = stream.target.layer != nil || stream.isPausedForBandwidth
      let paused = isWanted ? stream.isPausedForBandwidth : before
      if let before, before != paused { uses[row].toggles += 1 }
      (uses[row].isPaused, uses[row].seen) = (paused, changes)
    }
  }

  private mutating func place(of id: StreamID) -> Int {
    if let place = places[id] { return place }
    places[id] = uses.count
    uses.append(Use())
    return uses.count - 1
  }
}

extension TraceSummary.Use {
  fileprivate mutating func add(_ stream: StreamDecision, for length: Int64) {
    present += length
    sent += Double(stream.target.bitrate) * Double(length)
    ideal += Double(stream.ideal?.bitrate ?? 0) * Double(length)
    if stream.target.layer != nil { forwarded += length }
    if stream.isPausedForBandwidth { pausedForBandwidth += length }
  }
}
