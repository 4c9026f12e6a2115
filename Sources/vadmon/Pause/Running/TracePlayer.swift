import Annotations
import VideoPause

/// An observer of a trace while it is played.
protocol TraceListener {
  /// Called before the first event.
  mutating func begin(_ configuration: VideoPauseConfiguration) throws(RunError)
  mutating func take(_ event: TraceEvent) throws(RunError)
  /// Called for each faulty line. After the first, there are no more events, but possibly more faults.
  mutating func take(fault sentence: String)
}

/// A player that passes the events of each line to the listener as soon as they are known.
///
/// After a faulty line nothing is decided, because the decisions would be wrong. The remaining lines are only read, so
/// that all of their faults are reported.
struct TracePlayer<Listener: TraceListener> {
  private(set) var listener: Listener
  private let name: String
  private var reader = TraceReader()
  /// The replay, from the first input on.
  private var replay: Replay?
  private var faults = LineFaults()

  /// Creates a player; `name` is the name of the trace in messages.
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

  /// Ends the trace. Throws if there were faults.
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

  private mutating func tell(before time: Timestamp?) throws(RunError) {
    while let event = try replay?.next(before: time) { try listener.take(event) }
  }

  private mutating func note(_ fault: LineFault, _ line: Int) {
    faults.add(fault, line: line)
    for sentence in faults.take(name) { listener.take(fault: sentence) }
  }
}
