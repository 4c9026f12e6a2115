internal import Annotations
internal import VideoPause

/// A reader of trace lines, one after the other. It also checks that each line is valid at its position.
struct TraceReader {
  private(set) var configuration = VideoPauseConfiguration.default
  private(set) var hasEstimate = false
  private var last: (line: Int, at: Timestamp)?
  /// Whether only empty lines have been read so far.
  private var isAtStart = true

  /// The longest gap between two lines, one day in µs. While a stream lacks bandwidth, the coordinator goes on
  /// probing, so a wrong unit of time would cause decisions without end.
  private static let longestGap: Int64 = 86_400_000_000

  var hasSteps: Bool { last != nil }
  /// The time of the last line; `nil` before the first.
  var time: Timestamp? { last?.at }

  /// Returns the step of a line, or `nil` for an empty line or the configuration.
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
    _ time: Timestamp, after last: (line: Int, at: Timestamp)
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
