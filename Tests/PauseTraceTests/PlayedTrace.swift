import Annotations
import PauseTrace
import VideoPause

/// A trace that was played to its end, or to its first fault.
struct PlayedTrace {
  /// The events, without the configuration and the faults.
  private(set) var events: [TraceEvent] = []
  private(set) var configuration: VideoPauseConfiguration?
  /// The sentences about bad lines.
  private var faults: [String] = []

  var states: [TraceState] {
    events.compactMap { if case .state(let state) = $0 { state } else { nil } }
  }

  private init() {}

  /// Plays a trace, and throws its faults.
  init(_ lines: [String]) throws {
    let (played, error) = Self.play(lines, name: "test")
    if let error { throw error }
    self = played
  }

  /// Returns all messages about faults.
  static func messages(_ lines: [String], name: String) -> [String] {
    let (played, error) = play(lines, name: name)
    return played.faults + (error?.sentences ?? [])
  }

  private static func play(_ lines: [String], name: String) -> (PlayedTrace, TraceError?) {
    var player = TracePlayer(name: name)
    var played = PlayedTrace()
    do throws(TraceError) {
      for line in TextLines(Array(lines.joined(separator: "\n").utf8)) {
        player.read(line.bytes, number: line.number)
        try played.takeEvents(of: &player)
      }
      try player.finish()
      try played.takeEvents(of: &player)
      return (played, nil)
    } catch {
      return (played, error)
    }
  }

  private mutating func takeEvents(of player: inout TracePlayer) throws(TraceError) {
    while let event = try player.next() {
      switch event {
      case .configuration(let configuration): self.configuration = configuration
      case .fault(let sentence): faults.append(sentence)
      default: events.append(event)
      }
    }
  }
}
