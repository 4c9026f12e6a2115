internal import Annotations
public import VideoPause

/// A player of a trace: it takes lines, and returns the events of each as soon as they are known.
///
/// ```swift
/// var player = TracePlayer(name: "call.jsonl")
/// for (index, line) in text.utf8.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
///   player.read(Array(line)[...], number: index + 1)
///   while let event = try player.next() { print(event) }
/// }
/// try player.finish()
/// while let event = try player.next() { print(event) }
/// ```
///
/// After a faulty line nothing is decided, because the decisions would be wrong. The remaining lines are only read, so
/// that all of their faults are reported.
public struct TracePlayer {
  private let name: String
  private var reader = TraceReader()
  /// The replay, from the first input on.
  private var replay: Replay?
  /// An input that was read and has not been applied.
  private var step: TraceStep?
  private var faults = LineFaults()
  private var isFinished = false

  /// Creates a player; `name` is the name of the trace in messages.
  public init(name: String) { self.name = name }

  /// The coordinator's configuration: the default one unless the first line sets another.
  public var configuration: VideoPauseConfiguration { reader.configuration }
  /// Whether a line has stated an estimate of the bandwidth.
  public var hasEstimate: Bool { reader.hasEstimate }

  /// Takes the next line, without its end, and its number, from 1. All events must have been taken.
  public mutating func read(_ line: ArraySlice<UInt8>, number: Int) {
    do throws(LineFault) {
      step = try reader.step(TextLines.Line(number: number, bytes: line))
    } catch {
      faults.add(error, line: number)
    }
  }

  /// Ends the trace. The last events follow.
  ///
  /// Throws if there were faults or no inputs.
  public mutating func finish() throws(TraceError) {
    guard faults.isEmpty else { throw TraceError(sentences: faults.sentences(name)) }
    guard reader.hasSteps else {
      throw TraceError(sentences: [
        "\(name) has no lines with inputs: write one JSON object on each line, as docs/vadmon-pause.md says"
      ])
    }
    isFinished = true
  }

  /// Returns the next event, or `nil` until there is another line.
  ///
  /// Inputs of one time are applied together, so their decision follows when a line of a later time has been taken, or
  /// at the end.
  public mutating func next() throws(TraceError) -> TraceEvent? {
    if let sentence = faults.takeFirst(name) { return .fault(sentence) }
    guard faults.isEmpty, reader.hasSteps else { return nil }
    guard replay != nil else {
      replay = try Replay(reader.configuration)
      return .configuration(reader.configuration)
    }
    if let event = try replay?.next(before: isFinished ? nil : reader.time) { return event }
    guard let step else { return nil }
    apply(step)
    return try next()
  }

  private mutating func apply(_ step: TraceStep) {
    self.step = nil
    do throws(LineFault) {
      try replay?.apply(step)
    } catch {
      faults.add(error, line: step.line)
    }
  }
}
