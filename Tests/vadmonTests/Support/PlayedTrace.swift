import Annotations
import VideoPause

@testable import vadmon

/// A trace that was played to its end, or to its first fault.
struct PlayedTrace: TraceListener {
  private(set) var configuration: VideoPauseConfiguration?
  private(set) var events: [TraceEvent] = []
  /// The sentences about bad lines.
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

  /// Plays a trace, and throws its faults.
  init(_ lines: [String]) throws {
    let (played, error) = Self.play(lines, name: "test")
    if let error { throw error }
    self = played
  }

  /// Returns all messages about faults. Every bad line makes the trace bad data.
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
