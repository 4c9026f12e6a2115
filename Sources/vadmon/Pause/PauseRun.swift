import SystemPackage
import VideoPause

/// A run of `vadmon pause`, from checked options to an exit code.
struct PauseRun: CommandRun {
  let options: PauseOptions

  func run() -> Int32 {
    EndingSignals.begin()
    let messages = Messages(isQuiet: options.isQuiet, progress: nil)
    do throws(RunError) {
      try checkTraceSurvives()
      try replay(messages)
      return 0
    } catch {
      for message in error.messages { messages.error(message) }
      return error.exitCode
    }
  }

  private func replay(_ messages: Messages) throws(RunError) {
    let name = options.trace.nameAsInput
    let lines = try LineReader(options.trace)
    var player = TracePlayer(
      name: name, listener: try PauseReport(options, name: name, messages: messages))
    while let line = try lines.next() { try player.take(line) }
    try player.finish()
    if !player.hasEstimate {
      let assumed = player.configuration.initialEstimate
      messages.warning("\(name) has no 'estimate' line: the replay assumes \(assumed) bit/s")
    }
    try player.listener.finish()
  }

  private func checkTraceSurvives() throws(RunError) {
    let results = [options.output, options.plot].compactMap(\.self)
    if let complaint = FileIdentity.complaint(results, replacing: [options.trace]) {
      throw RunError(complaint, exitCode: ExitStatus.usage)
    }
  }
}
