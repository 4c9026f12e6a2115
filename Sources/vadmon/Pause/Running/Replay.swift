import VideoPause

/// What a replay tells, in the order of time.
enum TraceEvent {
  case answer(TraceAnswer, to: TraceStep)
  case decision(AllocationDecision, at: Moment)
  case pausedTracks(PausedTracksChange, at: Moment)
  case videoStreams([VideoStream], at: Moment)
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
  private(set) var events: [TraceEvent] = []
  private(set) var states: [TraceState] = []
  private(set) var faults = LineFaults()
  private var coordinator: VideoPauseCoordinator
  private var estimate: Int

  init(_ trace: Trace) throws(VideoPauseError) {
    coordinator = try VideoPauseCoordinator(configuration: trace.configuration)
    estimate = trace.configuration.initialEstimate
    var rest = trace.steps[...]
    while let at = rest.first?.at {
      // Lines of one time happen together: there is one decision after all of them.
      let together = rest.prefix { $0.at == at }
      rest = rest.dropFirst(together.count)
      try wake(until: at)
      for step in together { give(step) }
      try decide(at: at)
    }
  }

  /// Asks whenever the coordinator wants to be asked before the next input.
  private mutating func wake(until end: Moment) throws(VideoPauseError) {
    while let next = coordinator.decision.nextDecisionAt, next < end,
      let last = states.last?.at, next > last
    {
      try decide(at: next)
    }
  }

  private mutating func give(_ step: TraceStep) {
    do throws(VideoPauseError) {
      if let answer = try step.apply(&coordinator) { events.append(.answer(answer, to: step)) }
      estimate = step.estimate ?? estimate
    } catch {
      faults.add(LineFault(refusal: error), line: step.line)
    }
  }

  private mutating func decide(at time: Moment) throws(VideoPauseError) {
    if let decision = try coordinator.decide(at: time) {
      events.append(.decision(decision, at: time))
    }
    if let change = coordinator.drainPausedTracksChanges() {
      events.append(.pausedTracks(change, at: time))
    }
    if let streams = coordinator.drainVideoStreams() {
      events.append(.videoStreams(streams, at: time))
    }
    states.append(TraceState(at: time, estimate: estimate, decision: coordinator.decision))
  }
}

extension LineFault {
  /// In the words of whoever wrote the line.
  fileprivate init(refusal: VideoPauseError) {
    switch refusal {
    case .unknownStream(let id):
      self.init("participant, track: no stream \(id) here: put its 'stream' line before this one")
    case .invalidLayers(_, let defect): self.init("layers: \(defect)")
    case .invalidDemand(_, "maximumFramesPerSecond"):
      self.init("maximum_fps: write more than 0, or leave it out for no limit")
    case .tooManyStreams(let limit):
      self.init("more than \(limit) streams: remove some, or raise maximum_streams in 'config'")
    default: self.init("\(refusal)")
    }
  }
}
