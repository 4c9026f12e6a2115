/// The decision in force, and what was reported of it.
struct Outcome {
  private(set) var decision = AllocationDecision()
  private var probing: ProbeSchedule
  /// Whether the last probe found more bandwidth.
  var isRising: Bool { probing.isRising }
  /// What ``drain(_:)`` last returned.
  private var reportedVideoStreams: [VideoStream] = []

  init(_ configuration: VideoPauseConfiguration) { probing = ProbeSchedule(configuration) }

  // MARK: Between decisions

  /// Moves the next look nearer, if there is a time.
  mutating func look(at time: Timestamp?) {
    decision.nextDecisionAt = .earliest(decision.nextDecisionAt, time)
  }

  /// Records that the key frame of a stream has arrived.
  mutating func noteLock(_ id: StreamID) {
    guard let rank = decision.streams.firstIndex(where: { $0.id == id }) else { return }
    decision.streams[rank].needsKeyFrame = false
  }

  /// Returns the videos that the subscriber receives if they changed since the last call; nil if they did not.
  mutating func drain(_ present: [VideoStream]) -> [VideoStream]? {
    guard present != reportedVideoStreams else { return nil }
    reportedVideoStreams = present
    return present
  }

  // MARK: Commit

  /// Puts the allocation's answer into effect, and returns whether any stream's row changed.
  mutating func commit(
    _ allocation: inout Allocation, to streams: inout StreamTable, isNewProblem: Bool,
    at now: Timestamp, _ timing: Timing, _ onAction: ((PauseAction) -> Void)?
  ) -> Bool {
    var isChanged = isNewProblem && matchRows(to: streams)
    if isNewProblem {
      isChanged = commitUnwanted(allocation, to: &streams, at: now, onAction) || isChanged
    }
    for index in allocation.candidates.indices {
      let candidate = allocation.candidates[index]
      decision.streams[candidate.rank].required = candidate.required
      guard isNewProblem || candidate.level != candidate.current else { continue }
      let place = streams.place(ofRank: candidate.rank)
      let target = streams.apply(candidate, allocation.steps, to: place, at: now, timing)
      allocation.candidates[index].current = candidate.level
      allocation.candidates[index].standing = candidate.level.isNone ? .paused : .shown
      let top = allocation.steps[candidate.first + candidate.top.place]
      let ideal = streams.states[place].ladder.layer(top)
      let need = streams.states[place].ladder.neededSpatial(
        at: candidate.level, upTo: candidate.top, in: allocation.steps)
      isChanged =
        write(target, ideal, need, of: place, in: &streams, to: candidate.rank, at: now, onAction)
        || isChanged
    }
    return isChanged
  }

  /// Adjusts the number of rows to the number of streams, and returns whether they differed.
  private mutating func matchRows(to streams: StreamTable) -> Bool {
    let count = streams.ranks.count
    let isOther = decision.streams.count != count
    while decision.streams.count > count { decision.streams.removeLast() }
    decision.streams.reserveCapacity(count)
    while decision.streams.count < count {
      let rank = decision.streams.count
      let id = streams.states[streams.place(ofRank: rank)].id
      decision.streams.append(StreamDecision(id: id, target: .paused(.notRequested), rank: rank))
    }
    return isOther
  }

  /// Writes the rows of the streams that are not candidates, and returns whether any changed.
  private mutating func commitUnwanted(
    _ allocation: Allocation, to streams: inout StreamTable, at now: Timestamp,
    _ onAction: ((PauseAction) -> Void)?
  ) -> Bool {
    var isChanged = false
    var next = 0
    for rank in streams.ranks {
      if next < allocation.candidates.count, allocation.candidates[next].rank == rank {
        next += 1
        continue
      }
      let place = streams.place(ofRank: rank)
      decision.streams[rank].required = 0
      let target = streams.idle(place)
      isChanged =
        write(target, nil, nil, of: place, in: &streams, to: rank, at: now, onAction) || isChanged
    }
    return isChanged
  }

  private mutating func write(
    _ target: StreamTarget, _ ideal: VideoLayer?, _ need: Int?, of place: Int,
    in streams: inout StreamTable,
    to rank: Int, at now: Timestamp, _ onAction: ((PauseAction) -> Void)?
  ) -> Bool {
    if let action = streams.note(target, of: place, at: now) { onAction?(action) }
    return decision.streams[rank].update(
      streams.states[place].id, target, ideal: ideal, neededSpatial: need,
      needsKeyFrame: streams.states[place].phase.needsKeyFrame)
  }

  // MARK: Conclude

  /// Writes the sums, the probe and the time of the next look, and returns whether this is a new decision.
  mutating func conclude(
    _ allocation: Allocation, _ strategy: AllocationStrategy, _ network: Network,
    _ streams: StreamTable, grow: Int, isChanged: Bool, at now: Timestamp, _ timing: Timing
  ) -> Bool {
    let needs = Needs(of: allocation, streams, at: now, timing)
    let probe = probing.goal(
      at: now, cheapestStep: needs.cheapestStep, isPinnedPaused: needs.isPinnedPaused,
      ProbeSchedule.Rates(
        sent: network.sent, reserve: network.reserve.bitrate, wanted: needs.ideal,
        available: network.available))
    let isOversending = network.sent > allocation.keepBudget
    let isNew =
      isChanged || decision.generation == 0 || probe != decision.probe
      || isOversending != decision.isOversending || needs.isDeficient != decision.isDeficient
    decision.budget = Budget(
      estimate: network.estimate, audioReserve: network.reserve.audio,
      otherReserve: network.reserve.other, keep: allocation.keepBudget, grow: grow,
      pictures: allocation.pictureBudget)
    decision.strategy = strategy
    decision.targetBitrate = network.sent
    decision.idealBitrate = needs.ideal
    decision.isDeficient = needs.isDeficient
    decision.isOversending = isOversending
    decision.probe = probe
    let isWaiting =
      network.isShort && !isOversending || needs.isDeficient && network.isSettling
      || allocation.hasMore || allocation.firstWaits
    decision.nextDecisionAt = .earliest(
      isWaiting ? now.advanced(byMicroseconds: max(1_000, timing.decisionInterval)) : nil,
      streams.nextLook(at: now, timing))
    if needs.isDeficient {
      look(at: needs.gateOpens)
      look(at: probing.nextPlan)
    }
    if isNew { decision.generation += 1 }
    return isNew
  }
}

/// What the streams lack.
private struct Needs {
  /// The sum of all ideal layers, in bits per second.
  var ideal = 0
  var cheapestStep: Int?
  var isPinnedPaused = false
  /// When the first gate of a paused stream opens.
  var gateOpens: Timestamp?

  var isDeficient: Bool { cheapestStep != nil }

  init(of allocation: Allocation, _ streams: StreamTable, at now: Timestamp, _ timing: Timing) {
    for (place, candidate) in allocation.candidates.enumerated() {
      ideal += allocation.bitrate(place, candidate.top)
      guard candidate.level < candidate.top else { continue }
      let step =
        allocation.bitrate(place, candidate.level.above)
        - allocation.bitrate(place, candidate.level)
      cheapestStep = min(cheapestStep ?? step, step)
      guard candidate.level.isNone else { continue }
      isPinnedPaused = isPinnedPaused || candidate.isPinned
      let gate = streams.states[streams.place(ofRank: candidate.rank)].gate
      gateOpens = .earliest(gateOpens, gate.opens(at: now, timing))
    }
  }
}

extension StreamDecision {
  /// Writes what is different, and returns whether anything was.
  ///
  /// `required` is not compared: it changes with every estimate, and that alone is not worth a report.
  fileprivate mutating func update(
    _ id: StreamID, _ target: StreamTarget, ideal: VideoLayer?, neededSpatial: Int?,
    needsKeyFrame: Bool
  ) -> Bool {
    let isSame =
      self.id == id && self.target == target && self.ideal == ideal
      && self.neededSpatial == neededSpatial && self.needsKeyFrame == needsKeyFrame
    if isSame { return false }
    (self.id, self.target, self.ideal) = (id, target, ideal)
    (self.neededSpatial, self.needsKeyFrame) = (neededSpatial, needsKeyFrame)
    return true
  }
}
