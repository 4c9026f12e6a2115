internal import Annotations
internal import VideoPause

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
  private var events: [TraceEvent] = []

  /// The minimum interval between decisions without an input. Servers' timers are no finer, and with a
  /// `decision_interval_ms` of 0 the coordinator would be due every microsecond.
  private static let timerInterval = Duration.milliseconds(1)

  init(_ configuration: VideoPauseConfiguration) throws(TraceError) {
    do throws(VideoPauseError) {
      coordinator = try VideoPauseCoordinator(configuration: configuration)
    } catch {
      throw TraceError(sentences: ["\(error)"])
    }
    estimate = configuration.initialEstimate
  }

  /// Applies an input. All events before it must have been taken.
  mutating func apply(_ step: TraceStep) throws(LineFault) {
    pending = step.at
    do throws(VideoPauseError) {
      if let answer = try step.apply(&coordinator) { events.append(.answer(answer, to: step)) }
      estimate = step.estimate ?? estimate
    } catch {
      throw LineFault(refusal: error)
    }
  }

  /// Returns the next event before `time`, or `nil` if there are no more.
  ///
  /// Inputs of one time are applied together. Their decision is made when a later time is given, or `nil` at the end of
  /// the trace.
  mutating func next(before time: Timestamp?) throws(TraceError) -> TraceEvent? {
    while events.isEmpty, let due = pending ?? wakeTime, time.map({ due < $0 }) ?? (pending != nil)
    {
      try decide(at: due)
    }
    return events.isEmpty ? nil : events.removeFirst()
  }

  /// The time at which the coordinator is due without an input.
  private var wakeTime: Timestamp? {
    guard let asked, let wanted = coordinator.decision.nextDecisionAt, wanted > asked.at else {
      return nil
    }
    return max(wanted, asked.againFrom)
  }

  private mutating func decide(at time: Timestamp) throws(TraceError) {
    let isWake = pending == nil
    asked = (time, isWake ? time.advanced(by: Self.timerInterval) : time)
    pending = nil
    do throws(VideoPauseError) {
      if let decision = try coordinator.decide(at: time) {
        events.append(
          .decision(
            decision, layers: decision.streams.map { coordinator.layerVerdicts(on: $0) },
            at: time))
      }
    } catch {
      throw TraceError(sentences: ["\(error)"])
    }
    if let change = coordinator.drainPausedTracksChanges() {
      events.append(.pausedTracks(change, at: time))
    }
    if let streams = coordinator.drainVideoStreams() {
      events.append(.videoStreams(streams, at: time))
    }
    events.append(
      .state(
        TraceState(
          at: time, estimate: estimate, capacity: coordinator.availableBandwidth,
          decision: coordinator.decision)))
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
