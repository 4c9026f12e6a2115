import VideoPause

/// Who hears of a trace while it is played.
protocol TraceListener {
  /// Before the first event.
  mutating func begin(_ configuration: VideoPauseConfiguration) throws(RunError)
  mutating func take(_ event: TraceEvent) throws(RunError)
  /// A line is bad: there are no more events, but there may be more of these.
  mutating func take(fault sentence: String)
}

/// Plays a trace line by line, and tells of each what it led to as soon as that is known.
///
/// Behind a bad line nothing is decided, for it would be decided wrongly; the lines are only read, so that all that is
/// wrong with them is told.
struct TracePlayer<Listener: TraceListener> {
  private(set) var listener: Listener
  private let name: String
  private var reader = TraceReader()
  /// From the first input on.
  private var replay: Replay?
  private var faults = LineFaults()

  /// `name` is what messages call the trace.
  init(name: String, listener: Listener) { (self.name, self.listener) = (name, listener) }

  var configuration: VideoPauseConfiguration { reader.configuration }
  var hasEstimate: Bool { reader.hasEstimate }

  mutating func take(_ line: TextLines.Line) throws(RunError) {
    let step: TraceStep?
    do throws(LineFault) {
      step = try reader.step(line)
    } catch {
      return note(error, line.number)
    }
    if let step, faults.isEmpty { try play(step) }
  }

  /// The trace is over. Throws if something was wrong with it.
  mutating func finish() throws(RunError) {
    try faults.check(name)
    guard reader.hasSteps else {
      throw RunError(
        "\(name) has no inputs: write one JSON object on each line, as docs/vadmon-pause.md says",
        exitCode: ExitStatus.badData)
    }
    try tell(before: nil)
  }

  private mutating func play(_ step: TraceStep) throws(RunError) {
    if replay == nil {
      replay = try Replay(reader.configuration)
      try listener.begin(reader.configuration)
    }
    try tell(before: step.at)
    do throws(LineFault) {
      try replay?.give(step)
    } catch {
      return note(error, step.line)
    }
    try tell(before: step.at)
  }

  private mutating func tell(before time: Moment?) throws(RunError) {
    while let event = try replay?.next(before: time) { try listener.take(event) }
  }

  private mutating func note(_ fault: LineFault, _ line: Int) {
    faults.add(fault, line: line)
    for sentence in faults.take(name) { listener.take(fault: sentence) }
  }
}
