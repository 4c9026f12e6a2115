import Annotations
import PauseTrace

/// The output of a trace: records as they occur, or a summary at the end; and a picture.
struct PauseReport {
  private let options: PauseOptions
  /// The name of the trace in messages.
  private let name: String
  private let messages: Messages
  private let output: ResultOutput
  private let records = TraceRecords(generator: Vadmon.generator)
  private var summary = TraceSummary()
  /// The states, kept only for the picture, which shows all of them.
  private var states: [TraceState] = []

  /// Opens the output. Throws at once if the results cannot be written.
  init(_ options: PauseOptions, name: String, messages: Messages) throws(RunError) {
    (self.options, self.name, self.messages) = (options, name, messages)
    output = try RunError.writing { () throws(OutputError) in
      try ResultOutput(to: options.output)
    }
  }

  mutating func takeEvents(of player: inout TracePlayer) throws(RunError) {
    while let event = try player.nextEvent() { try take(event) }
  }

  private mutating func take(_ event: TraceEvent) throws(RunError) {
    switch event {
    case .state(let state):
      summary.add(state)
      if options.plot != nil { states.append(state) }
    case .answer(let answer, let step) where answer.isRefusal:
      messages.warning(
        "\(name), line \(step.line): the coordinator refused the \(step.type): \(answer.result)")
    case .fault(let sentence): messages.error(sentence)
    default: break
    }
    if !options.showsSummary, let record = records.json(event) { try write(record) }
  }

  /// Writes the picture and the summary, then gives the results their name.
  func finish() throws(RunError) {
    if let plot = options.plot {
      try PlotFile.deliver(TracePlot(name: name, states: states).text, to: plot)
    }
    if options.showsSummary {
      try write(ASCII.results(summary.text))
    } else {
      try write(summary.json)
    }
    try RunError.writing(output.finish)
  }

  private func write(_ record: JSONValue) throws(RunError) { try write(record.text + "\n") }

  private func write(_ text: String) throws(RunError) {
    try RunError.writing { () throws(OutputError) in try output.write(text) }
  }
}

extension TracePlayer {
  fileprivate mutating func nextEvent() throws(RunError) -> TraceEvent? {
    do throws(TraceError) { return try next() } catch { throw RunError(error) }
  }
}

extension RunError {
  init(_ error: TraceError) { self.init(error.sentences, exitCode: ExitStatus.badData) }
}
