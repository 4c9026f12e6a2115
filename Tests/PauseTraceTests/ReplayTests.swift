import Annotations
import TestSupport
import Testing
import VideoPause

@testable import PauseTrace

/// The replay does the same as a server that polls the coordinator continuously.
@Suite struct ReplayTests {
  private func camera(_ name: String, at second: Int = 0) -> String {
    """
    {"at": \(second), "type": "stream", "participant": "\(name)", "layers": [{"spatial": 0, \
    "width": 320, "height": 180, "fps": 30, "bps": 150000}, {"spatial": 1, "width": 640, \
    "height": 360, "fps": 30, "bps": 500000}]}
    """
  }

  /// The estimate falls below every layer, and recovers after a while.
  private var lines: [String] {
    [#"{"type": "config", "probe_interval_ms": 1024}"#, camera("a"), camera("b"), camera("c")]
      + [(0, 700_000), (3, 300_000), (4, 50_000), (20, 600_000), (31, 2_000_000)].map {
        #"{"at": \#($0), "type": "estimate", "bps": \#($1)}"#
      } + [#"{"at": 60, "type": "tick"}"#]
  }

  /// The oracle asks the coordinator every millisecond.
  @Test func replayAsksWheneverADecisionIsDue() throws {
    let replay = try PlayedTrace(lines)
    var configuration = VideoPauseConfiguration()
    // Half as much more, ten times, is a whole number of milliseconds each time.
    configuration.probeInterval = .milliseconds(1_024)
    var coordinator = try VideoPauseCoordinator(configuration: configuration)
    var reader = TraceReader()
    var steps = try TextLines(Array(lines.joined(separator: "\n").utf8)).compactMap {
      try reader.step($0)
    }[...]
    var expected: [AllocationDecision] = []
    for millisecond in Int64(0)...60_000 {
      let now = Timestamp.milliseconds(millisecond)
      while let step = steps.first, step.at == now {
        _ = try step.apply(&coordinator)
        steps.removeFirst()
      }
      if let decision = try coordinator.decide(at: now) { expected.append(decision) }
    }
    var told: [AllocationDecision] = []
    for case .decision(let decision, _, _) in replay.events { told.append(decision) }
    #expect(told == expected)
    #expect(told.count > 5)
  }

  /// A whole number has many spellings.
  @Test(arguments: ["1e12", "1E+12", "10.0e11", "1000000000000.0", "1000000000000"])
  func aRateIsReadInAnySpelling(_ digits: String) throws {
    let replay = try PlayedTrace([#"{"at": 0, "type": "estimate", "bps": \#(digits)}"#])
    #expect(replay.states.last?.estimate == 1_000_000_000_000)
    let fraction = #"{"at": 0, "type": "estimate", "bps": 1.5}"#
    #expect(PlayedTrace.messages([fraction], name: "t").count == 1)
  }

  /// The time for a stream that joins is proportional to the streams that are there, for the replay, the summary and
  /// the picture. It was proportional to their square once, and 2,000 took minutes.
  @Test(.tags(.slow), .timeLimit(.minutes(5))) func manyStreamsJoinOneByOne() throws {
    var player = TracePlayer(name: "test")
    var (summary, states) = (TraceSummary(), [TraceState]())
    for number in 1...2_000 {
      let line = camera("p\(number)", at: number)
      player.read(Array(line.utf8)[...], number: number)
      while let event = try player.next() {
        guard case .state(let state) = event else { continue }
        summary.add(state)
        if number <= 500 { states.append(state) }
      }
    }
    #expect(summary.streams.count >= 1_999)
    #expect(TracePlot(name: "many", states: states).text.count > 100_000)
  }

  @Test func linesWithOneTimeMakeOneDecision() throws {
    let replay = try PlayedTrace(Array(lines.prefix(4)) + [#"{"at": 0, "type": "tick"}"#])
    #expect(replay.states.count == 1)
    #expect(replay.states.first?.decision.generation == 1)
    #expect(replay.states.first?.decision.streams.count == 3)
  }

  @Test func pausedTracksChangesLeadToTheLastState() throws {
    let replay = try PlayedTrace(lines.dropLast(3) + [#"{"at": 19, "type": "tick"}"#])
    var told: [ParticipantID: Set<TrackType>] = [:]
    for case .pausedTracks(let change, _) in replay.events { change.apply(to: &told) }
    let paused = replay.states.last?.decision.streams.filter { $0.target == .paused(.bandwidth) }
    #expect(told.count == paused?.count && !told.isEmpty)
  }

  /// Before the first estimate, it is that of the config line.
  @Test func aStateHasTheLatestEstimate() throws {
    let replay = try PlayedTrace([
      #"{"type": "config", "initial_estimate_bps": 777000}"#, camera("a"),
      #"{"at": 1, "type": "estimate", "bps": 5}"#, #"{"at": 2, "type": "tick"}"#,
    ])
    #expect(replay.states.first?.estimate == 777_000)
    #expect(replay.states.last?.estimate == 5)
  }

  /// Also when it changes between two decisions: a fifth more than was measured is reserved.
  @Test func aStateHasWhatTheLatestAudioLeaves() throws {
    let replay = try PlayedTrace([
      #"{"type": "config", "decision_interval_ms": 10000}"#, camera("a"),
      #"{"at": 0, "type": "estimate", "bps": 1000000}"#,
      #"{"at": 2, "type": "audio", "streams": 3, "measured_bps": 300000}"#,
      #"{"at": 9, "type": "tick"}"#,
    ])
    let state = try #require(replay.states.first { $0.at >= .seconds(2) })
    #expect(state.decision.budget.audioReserve == 0)
    #expect(state.capacity == 640_000)
  }

  @Test func theCoordinatorIsAskedAtMostOnceAMillisecond() throws {
    let replay = try PlayedTrace([
      #"{"type": "config", "decision_interval_ms": 0, "evidence_window_ms": 1000}"#, camera("a"),
      #"{"at": 0, "type": "estimate", "bps": 100000}"#,
      #"{"at": 10.0005, "type": "estimate", "bps": 400000}"#, #"{"at": 12, "type": "tick"}"#,
    ])
    let times = replay.states.map(\.at.microseconds).filter { $0 > 10_000_500 }
    // The new estimate settles within the length of the window and a tenth.
    #expect((1_000...1_110).contains(times.count), "\(times.count)")
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 1_000 })
  }

  /// A probe is due every two minutes.
  @Test func aDayOfWaitingForBandwidthIsReplayed() throws {
    let replay = try PlayedTrace([
      camera("a"), #"{"at": 0, "type": "estimate", "bps": 100000}"#,
      #"{"at": 86400, "type": "tick"}"#,
    ])
    #expect((2_750...2_850).contains(replay.states.count), "\(replay.states.count)")
  }

  @Test func timesHaveMicrosecondsOnlyIfNecessary() {
    let rows: [(Int64, String)] = [
      (0, "0.000"), (1, "0.000001"), (1_000, "0.001"), (3_250_000, "3.250"),
      (9_000_000_000_000_001, "9000000000.000001"), (-1_500_000, "-1.500"), (1_234_500, "1.234500"),
    ]
    for (microseconds, text) in rows { #expect(secondsText(microseconds) == text) }
  }
}
