import SystemPackage
import VideoPause

/// `vadmon pause` from checked options to an exit code.
struct PauseRun: CommandRun {
  let options: PauseOptions

  func run() -> Int32 {
    let messages = Messages(isQuiet: options.isQuiet, progress: nil)
    do throws(RunError) {
      try checkTraceSurvives()
      let trace = try Trace(bytes(), name: name)
      let replay = try replay(trace)
      for warning in warnings(trace, replay) { messages.warning(warning) }
      if let plot = options.plot {
        try ResultOutput.deliver(TracePlot(name: name, states: replay.states).text, to: plot)
      }
      try ResultOutput.deliver(results(trace, replay), to: options.output)
      return 0
    } catch {
      for message in error.messages { messages.error(message) }
      return error.exitCode
    }
  }

  private var name: String { options.trace.nameAsInput }

  private func bytes() throws(RunError) -> [UInt8] {
    guard options.trace.isStandardStream else { return try options.trace.contents() }
    do {
      return try FileDescriptor.standardInput.readAll()
    } catch {
      throw RunError("cannot read standard input: \(error)", exitCode: ExitStatus.inputOutput)
    }
  }

  private func replay(_ trace: Trace) throws(RunError) -> Replay {
    let replay: Replay
    do throws(VideoPauseError) {
      replay = try Replay(trace)
    } catch {
      throw RunError("\(name): \(error)", exitCode: ExitStatus.badData)
    }
    try replay.faults.check(name)
    return replay
  }

  private func results(_ trace: Trace, _ replay: Replay) -> String {
    let summary = TraceSummary(replay.states)
    if options.showsSummary { return SummaryText(summary: summary).text }
    return TraceRecords(trace: trace, events: replay.events, summary: summary).text
  }

  private func warnings(_ trace: Trace, _ replay: Replay) -> [String] {
    var warnings: [String] = []
    if !trace.hasEstimate {
      warnings.append(
        "\(name) has no 'estimate': \(trace.configuration.initialEstimate) bit/s are taken for it")
    }
    for case .answer(let answer, let step) in replay.events where answer.isRefusal {
      warnings.append("\(name), line \(step.line): the \(step.type) is refused: \(answer.result)")
    }
    return warnings
  }

  private func checkTraceSurvives() throws(RunError) {
    let results = [options.output, options.plot].compactMap(\.self)
    if let complaint = FileIdentity.complaint(results, replacing: [options.trace]) {
      throw RunError(complaint, exitCode: ExitStatus.usage)
    }
  }
}
