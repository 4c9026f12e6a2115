extension VideoPauseCoordinator {
  /// Puts the allocation's answer into effect, and returns whether any stream's row changed.
  mutating func commit(isNewProblem: Bool, at now: Timestamp) -> Bool {
    var isChanged = isNewProblem && matchRows()
    if isNewProblem { isChanged = commitUnwanted(at: now) || isChanged }
    for index in allocation.candidates.indices {
      let candidate = allocation.candidates[index]
      let place = ranking[candidate.rank]
      if isNewProblem || candidate.level != candidate.current {
        apply(candidate, to: place, at: now)
        allocation.candidates[index].current = candidate.level
        allocation.candidates[index].standing = candidate.level.isNone ? .paused : .shown
        decision.streams[candidate.rank].required = candidate.required
        let shortage: PauseReason =
          streams[place].ladder.isRaised ? .belowMinimumQuality : .bandwidth
        let target = streams[place].phase.layer.map(StreamTarget.forward) ?? .paused(shortage)
        let ideal = streams[place].ladder.layers.last.map { streams[place].layers[$0] }
        isChanged = write(target, ideal, of: place, to: candidate.rank, at: now) || isChanged
      } else {
        decision.streams[candidate.rank].required = candidate.required
      }
    }
    allocated = allocation.used
    return isChanged
  }

  /// Adjusts the number of rows to the number of streams, and returns whether they differed.
  private mutating func matchRows() -> Bool {
    let isOther = decision.streams.count != ranking.indices.count
    while decision.streams.count > ranking.indices.count { decision.streams.removeLast() }
    while decision.streams.count < ranking.indices.count {
      let id = streams[ranking[decision.streams.count]].id
      decision.streams.append(
        StreamDecision(id: id, target: .paused(.notRequested), rank: decision.streams.count))
    }
    return isOther
  }

  /// Writes the rows of the streams that are not candidates, and returns whether any changed.
  private mutating func commitUnwanted(at now: Timestamp) -> Bool {
    var isChanged = false
    var next = 0
    for rank in ranking.indices {
      if next < allocation.candidates.count, allocation.candidates[next].rank == rank {
        next += 1
        continue
      }
      let place = ranking[rank]
      streams[place].phase.idle()
      decision.streams[rank].required = 0
      let target = StreamTarget.paused(streams[place].block ?? .notRequested)
      isChanged = write(target, nil, of: place, to: rank, at: now) || isChanged
    }
    return isChanged
  }

  private mutating func apply(
    _ candidate: Allocation.Candidate, to place: Int, at now: Timestamp
  ) {
    guard !candidate.level.isNone else {
      if streams[place].phase.layer != nil {
        streams[place].gate.notePause(at: now, givesWay: candidate.givesWay)
      }
      return streams[place].phase.pause()
    }
    if streams[place].phase.isAfterPause {
      streams[place].gate.noteResume(at: now, timing)
      streams[place].startGraceIfHidden(at: now, timing.hiddenGrace)
    }
    streams[place].forward(level: candidate.level, at: now)
  }

  private mutating func write(
    _ target: StreamTarget, _ ideal: VideoLayer?, of place: Int, to rank: Int, at now: Timestamp
  ) -> Bool {
    if let action = streams[place].note(target, at: now) { onAction?(action) }
    return decision.streams[rank].update(
      streams[place].id, target, ideal: ideal,
      needsKeyFrame: streams[place].phase.needsKeyFrame)
  }
}

extension StreamState {
  mutating func forward(level: Level, at now: Timestamp) {
    phase.forward(layers[ladder.layers[level.place]], level, at: now)
  }

  /// Starts the grace of a stream that was resumed behind a hidden tile, so that the interface has time to show it
  /// again.
  mutating func startGraceIfHidden(at now: Timestamp, _ grace: Int64) {
    if !demand.isSeen { hiddenGraceEnds = now.advanced(byMicroseconds: grace) }
  }
}

extension StreamDecision {
  /// Writes what is different, and returns whether anything was.
  ///
  /// `required` is not compared: it changes with every estimate, and that alone is not worth a report.
  fileprivate mutating func update(
    _ id: StreamID, _ target: StreamTarget, ideal: VideoLayer?, needsKeyFrame: Bool
  ) -> Bool {
    let isSame =
      self.id == id && self.target == target && self.ideal == ideal
      && self.needsKeyFrame == needsKeyFrame
    if isSame { return false }
    (self.id, self.target, self.ideal, self.needsKeyFrame) = (id, target, ideal, needsKeyFrame)
    return true
  }
}
