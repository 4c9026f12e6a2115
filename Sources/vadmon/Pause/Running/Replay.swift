import Annotations
import VideoPause

/// An event of a replay. Events are emitted in the order of time.
enum TraceEvent {
  case answer(TraceAnswer, to: TraceStep)
  case decision(AllocationDecision, at: Timestamp)
  case pausedTracks(PausedTracksChange, at: Timestamp)
  case videoStreams([VideoStream], at: Timestamp)
  /// The state after each call of the coordinator.
  case state(TraceState)
}

/// The state in force from a time on, until the next state.
struct TraceState {
  let at: Timestamp
  /// The last estimate in the trace, in bits per second.
  let estimate: Int
  let decision: AllocationDecision

  /// The bandwidth left for video, in bits per second.
  var capacity: Int { max(0, estimate - decision.budget.audioReserve) }
}

/// A replay that uses the coordinator as a server would: it passes the inputs in order, and asks for a decision after
/// them and whenever the coordinator is due.
struct Replay {
  private var coordinator: VideoPauseCoordinator
  private var estimate: Int
  /// The time of the last input, if there has been no decision about it yet.
  private var pending: Timestamp?
  /// The time of the last decision, and the earliest time for another without an input.
  private var asked: (at: Timestamp, againFrom: Timestamp)?
  /// The events of the last decision or input that have not been taken yet.
  private var told: [TraceEvent] = []

  /// The minimum interval between decisions without an input. Servers' timers are no finer, and with a
  /// `decision_interval_ms` of 0 the coordinator would be due every microsecond.
  private static let timerInterval = Duration.milliseconds(1)

  init(_ configuration: VideoPauseConfiguration) throws(RunError) {
    do throws(VideoPauseError) {
      coordinator = try VideoPauseCoordinator(configuration: configuration)
    } catch {
      throw RunError("\(error)", exitCode: ExitStatus.badData)
    }
    estimate = configuration.initialEstimate
  }

  /// Applies an input. All events before it must have been taken.
  mutating func give(_ step: TraceStep) throws(LineFault) {
    pending = step.at
    do throws(VideoPauseError) {
      if let answer = try step.apply(&coordinator) { told.append(.answer(answer, to: step)) }
      estimate = step.estimate ?? estimate
    } catch {
      throw LineFault(refusal: error)
    }
  }

  /// Returns the next event before `time`, or `nil` if there are no more.
  ///
  /// Inputs of one time are applied together. Their decision is made when a later time is given, or `nil` at the end of
  /// the trace.
  mutating func next(before time: Timestamp?) throws(RunError) -> TraceEvent? {
    while told.isEmpty, let due = pending ?? wakeTime, time.map({ due < $0 }) ?? (pending != nil) {
      try decide(at: due)
    }
    return told.isEmpty ? nil : told.removeFirst()
  }

  /// The time at which the coordinator is due without an input.
  private var wakeTime: Timestamp? {
    guard let asked, let wanted = coordinator.decision.nextDecisionAt, wanted > asked.at else {
      return nil
    }
    return max(wanted, asked.againFrom)
  }

  private mutating func decide(at time: Timestamp) throws(RunError) {
    let isWake = pending == nil
    asked = (time, isWake ? time.advanced(by: Self.timerInterval) : time)
    pending = nil
    do throws(VideoPauseError) {
      if let decision = try coordinator.decide(at: time) {
        told.append(.decision(decision, at: time))
      }
    } catch {
      throw RunError("\(error)", exitCode: ExitStatus.badData)
    }
    if let change = coordinator.drainPausedTracksChanges() {
      told.append(.pausedTracks(change, at: time))
    }
    if let streams = coordinator.drainVideoStreams() {
      told.append(.videoStreams(streams, at: time))
    }
    told.append(
      .state(TraceState(at: time, estimate: estimate, decision: coordinator.decision)))
  }
}

extension LineFault {
  /// Creates a fault in terms of the trace's own names.
  fileprivate init(refusal: VideoPauseError) {
    switch refusal {
    case .unknownStream(let id):
      self.init(
        "participant, track: there is no stream \(id) yet: move its 'stream' line before this one")
    case .invalidLayers(_, let defect): self.init("layers: \(defect)")
    case .tooManyStreams(let limit):
      self.init("more than \(limit) streams: remove some, or raise maximum_streams in 'config'")
    default: self.init("\(refusal)")
    }
  }
}
