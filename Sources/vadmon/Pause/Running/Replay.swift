import VideoPause

/// What a replay tells, in the order of time.
enum TraceEvent {
  case answer(TraceAnswer, to: TraceStep)
  case decision(AllocationDecision, at: Moment)
  case pausedTracks(PausedTracksChange, at: Moment)
  case videoStreams([VideoStream], at: Moment)
  /// After each time that the coordinator was asked.
  case state(TraceState)
}

/// What is in force from a moment on, until the next state.
struct TraceState {
  let at: Moment
  /// Bits per second, as the trace said last.
  let estimate: Int
  let decision: AllocationDecision

  /// What is left for video.
  var capacity: Int { max(0, estimate - decision.budget.audioReserve) }
}

/// Does with the coordinator what a server would: gives it the inputs as they come, and asks it after them and
/// whenever it wants to be asked.
struct Replay {
  private var coordinator: VideoPauseCoordinator
  private var estimate: Int
  /// When the last input was given, if it was not decided about.
  private var pending: Moment?
  /// When the coordinator was asked last, and from when on it may be asked again without an input.
  private var asked: (at: Moment, againFrom: Moment)?
  /// What was not yet taken of what the last decision, or input, led to.
  private var told: [TraceEvent] = []

  /// Servers' timers are no finer, and with a `decision_interval_ms` of 0 the coordinator wants each microsecond.
  private static let timerInterval = Duration.milliseconds(1)

  init(_ configuration: VideoPauseConfiguration) throws(RunError) {
    do throws(VideoPauseError) {
      coordinator = try VideoPauseCoordinator(configuration: configuration)
    } catch {
      throw RunError("\(error)", exitCode: ExitStatus.badData)
    }
    estimate = configuration.initialEstimate
  }

  /// Gives an input, when all that happens before it was taken.
  mutating func give(_ step: TraceStep) throws(LineFault) {
    pending = step.at
    do throws(VideoPauseError) {
      if let answer = try step.apply(&coordinator) { told.append(.answer(answer, to: step)) }
      estimate = step.estimate ?? estimate
    } catch {
      throw LineFault(refusal: error)
    }
  }

  /// What happens next before `time`; `nil`: nothing more. Inputs of one time happen together, so that their decision
  /// comes when a later time is asked for, or none: the trace is over.
  mutating func next(before time: Moment?) throws(RunError) -> TraceEvent? {
    while told.isEmpty, let due = pending ?? wakeTime, time.map({ due < $0 }) ?? (pending != nil) {
      try decide(at: due)
    }
    return told.isEmpty ? nil : told.removeFirst()
  }

  /// When the coordinator wants to be asked without an input.
  private var wakeTime: Moment? {
    guard let asked, let wanted = coordinator.decision.nextDecisionAt, wanted > asked.at else {
      return nil
    }
    return max(wanted, asked.againFrom)
  }

  private mutating func decide(at time: Moment) throws(RunError) {
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
  /// In the words of whoever wrote the line.
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
