import Annotations
import PauseTrace
import SystemPackage
import VideoPause

/// A run of `vadmon pause`, from checked options to an exit code.
struct PauseRun: ReportingRun {
  let options: PauseOptions

  func finish() throws(RunError) -> Int32 {
    try replay(Messages(isQuiet: options.isQuiet))
    return 0
  }

  private func replay(_ messages: Messages) throws(RunError) {
    let name = options.trace.nameAsInput
    let lines = try LineReader(options.trace)
    var report = try PauseReport(options, name: name, messages: messages)
    var player = TracePlayer(name: name)
    while let line = try lines.next() {
      if line.number == 1, let first = line.bytes.first(where: { !JSONReader.isBlank($0) }),
        first != UInt8(ascii: "{")
      {
        throw RunError(
          "\(name) is not a trace: a trace has a JSON object on each line (docs/vadmon-pause.md)",
          exitCode: ExitStatus.badData)
      }
      player.read(line.bytes, number: line.number)
      try report.takeEvents(of: &player)
    }
    do throws(TraceError) { try player.finish() } catch { throw RunError(error) }
    try report.takeEvents(of: &player)
    if !player.hasEstimate {
      let assumed = player.configuration.initialEstimate
      messages.warning("\(name) has no 'estimate' line: the replay assumes \(assumed) bit/s")
    }
    try report.finish()
  }
}
