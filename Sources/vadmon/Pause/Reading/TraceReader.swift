import VideoPause

/// Reads the lines of a trace, one after the other: what each says, and whether it may stand where it does.
struct TraceReader {
  private(set) var configuration = VideoPauseConfiguration.default
  private(set) var hasEstimate = false
  private var last: (line: Int, at: Moment)?
  /// No line but empty ones was read yet.
  private var isAtStart = true

  /// A day. The coordinator looks for bandwidth every two minutes as long as a stream lacks some, so that a slip in
  /// the unit of time would make decisions without end.
  private static let longestGap: Int64 = 86_400_000_000

  var hasSteps: Bool { last != nil }

  /// `nil`: an empty line, or the configuration.
  mutating func step(_ line: TextLines.Line) throws(LineFault) -> TraceStep? {
    if line.isBlank { return nil }
    defer { isAtStart = false }
    let step = try Fields.whole(JSONReader.value(of: line.bytes)) {
      (fields) throws(LineFault) -> TraceStep? in
      let type = try fields.required("type", .name)
      guard type == "config" else { return try TraceStep(type, line: line.number, &fields) }
      guard isAtStart else { throw LineFault("config must be the first line: move it to the top") }
      configuration = try ConfigurationField.read(&fields)
      return nil
    }
    guard let step else { return nil }
    let previous = last
    if previous.map({ $0.at <= step.at }) ?? true { last = (step.line, step.at) }
    if let previous { try check(step.at, after: previous) }
    hasEstimate = hasEstimate || step.estimate != nil
    return step
  }

  private func check(
    _ time: Moment, after last: (line: Int, at: Moment)
  ) throws(LineFault) {
    guard time >= last.at else {
      throw LineFault(
        "at: \(time.seconds) is earlier than \(last.at.seconds) in line \(last.line): "
          + "sort the lines by time")
    }
    guard time.microseconds - last.at.microseconds <= Self.longestGap else {
      throw LineFault(
        "at: \(time.seconds) is more than a day after \(last.at.seconds) in line \(last.line): "
          + "write seconds, or add a 'tick' line between them")
    }
  }
}
