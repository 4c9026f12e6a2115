import VideoPause

@testable import vadmon

/// A trace that was played to its end, or to what was wrong with it.
struct PlayedTrace: TraceListener {
  private(set) var configuration: VideoPauseConfiguration?
  private(set) var events: [TraceEvent] = []
  /// Sentences about bad lines.
  private(set) var faults: [String] = []

  var states: [TraceState] {
    events.compactMap { if case .state(let state) = $0 { state } else { nil } }
  }

  mutating func begin(_ configuration: VideoPauseConfiguration) {
    self.configuration = configuration
  }

  mutating func take(_ event: TraceEvent) { events.append(event) }
  mutating func take(fault sentence: String) { faults.append(sentence) }

  private init() {}

  /// Throws what is wrong with it.
  init(_ lines: [String]) throws {
    let (played, error) = Self.play(lines, name: "test")
    if let error { throw error }
    self = played
  }

  /// All that is told of what is wrong; every bad line makes it bad data.
  static func messages(_ lines: [String], name: String) -> (sentences: [String], exitCode: Int32) {
    let (played, error) = play(lines, name: name)
    return (played.faults + (error?.messages ?? []), error?.exitCode ?? 0)
  }

  private static func play(_ lines: [String], name: String) -> (PlayedTrace, RunError?) {
    var player = TracePlayer(name: name, listener: PlayedTrace())
    do throws(RunError) {
      for line in TextLines(Array(lines.joined(separator: "\n").utf8)) { try player.take(line) }
      try player.finish()
      return (player.listener, nil)
    } catch {
      return (player.listener, error)
    }
  }
}
