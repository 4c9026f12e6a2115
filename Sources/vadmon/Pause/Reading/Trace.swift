import VideoPause

/// What happened to one subscriber, as a trace tells it.
struct Trace {
  var configuration = VideoPauseConfiguration.default
  private(set) var steps: [TraceStep] = []

  var start: Moment { steps.first?.at ?? .zero }
  var end: Moment { steps.last?.at ?? .zero }
  var hasEstimate: Bool { steps.contains { $0.estimate != nil } }

  /// Reads all lines, so that all that is wrong is told at once; `name` is what messages call the file.
  init(_ bytes: [UInt8], name: String) throws(RunError) {
    var faults = LineFaults()
    var isFirst = true
    for line in TextLines(bytes) where !line.isBlank {
      do throws(LineFault) {
        try add(line, isFirst: isFirst)
      } catch {
        faults.add(error, line: line.number)
      }
      isFirst = false
    }
    try faults.check(name)
    guard !steps.isEmpty else {
      throw RunError(
        "\(name) has no inputs: write one JSON object a line, as docs/vadmon-pause.md says",
        exitCode: ExitStatus.badData)
    }
  }

  private mutating func add(_ line: TextLines.Line, isFirst: Bool) throws(LineFault) {
    let step = try Fields.whole(JSONReader.value(of: line.bytes)) {
      (fields) throws(LineFault) -> TraceStep? in
      let type = try fields.required("type", .name)
      guard type == "config" else { return try TraceStep(type, line: line.number, &fields) }
      guard isFirst else { throw LineFault("config comes too late: make it the first line") }
      configuration = try ConfigurationField.read(&fields)
      return nil
    }
    guard let step else { return }
    if let last = steps.last, step.at < last.at {
      throw LineFault(
        "at: \(step.at.seconds) is before the \(last.at.seconds) of line \(last.line): "
          + "put the lines in the order of time")
    }
    steps.append(step)
  }
}
