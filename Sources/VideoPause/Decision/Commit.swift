extension VideoPauseCoordinator {
  /// Makes the allocation's answer the state of things. Returns whether any stream's row changed.
  mutating func commit(isNewProblem: Bool, isShort: Bool, at now: Timestamp) -> Bool {
    var isChanged = isNewProblem && matchRows()
    var isPaused = false
    if isNewProblem { isChanged = commitUnwanted(at: now) || isChanged }
    for index in allocation.candidates.indices {
      let candidate = allocation.candidates[index]
      let place = ranking[candidate.rank].place
      if isNewProblem || candidate.level != candidate.current {
        isPaused = isPaused || candidate.level < 0 && streams[place].current != nil
        apply(candidate, to: place, at: now)
        allocation.candidates[index].current = candidate.level
        isChanged = write(candidate, of: place) || isChanged
      } else {
        decision.streams[candidate.rank].required = candidate.required
      }
    }
    settle(isShort: isShort, isPaused: isPaused, at: now)
    return isChanged
  }

  /// As many rows as streams. Returns whether some were missing or too many.
  private mutating func matchRows() -> Bool {
    let isOther = decision.streams.count != ranking.count
    while decision.streams.count > ranking.count { decision.streams.removeLast() }
    while decision.streams.count < ranking.count {
      let id = streams[ranking[decision.streams.count].place].id
      decision.streams.append(StreamDecision(id: id, target: .paused(.notRequested)))
    }
    return isOther
  }

  /// The streams that are no candidates.
  private mutating func commitUnwanted(at now: Timestamp) -> Bool {
    var isChanged = false
    var next = 0
    for rank in ranking.indices {
      if next < allocation.candidates.count, allocation.candidates[next].rank == rank {
        next += 1
        continue
      }
      let place = ranking[rank].place
      let reason = streams[place].block ?? .notRequested
      streams[place].stop()
      streams[place].isReportedPaused = false
      let row = StreamDecision(id: streams[place].id, target: .paused(reason), rank: rank)
      isChanged = write(row, at: rank) || isChanged
    }
    return isChanged
  }

  private mutating func apply(
    _ candidate: Allocation.Candidate, to place: Int, at now: Timestamp
  ) {
    guard candidate.level >= 0 else {
      streams[place].stop()
      streams[place].gate.pause()
      streams[place].isReportedPaused = true
      return
    }
    if streams[place].gate.isPaused {
      streams[place].gate.resume(at: now)
      streams[place].startGraceIfHidden(at: now, timing.hiddenGrace)
      holdOff.resumed(at: now)
    }
    streams[place].forward(level: candidate.level, at: now)
  }

  private mutating func write(_ candidate: Allocation.Candidate, of place: Int) -> Bool {
    let stream = streams[place]
    let target = stream.current.map(StreamTarget.forward) ?? .paused(.bandwidth)
    let row = StreamDecision(
      id: stream.id, target: target, ideal: stream.ladder.layers.last.map { stream.layers[$0] },
      required: candidate.required, needsKeyFrame: stream.needsKeyFrame, rank: candidate.rank)
    return write(row, at: candidate.rank)
  }

  /// Writes a row if it is another one. What a paused stream lacks changes with every estimate, and alone is no news.
  private mutating func write(_ row: StreamDecision, at rank: Int) -> Bool {
    let old = decision.streams[rank]
    guard old != row else { return false }
    decision.streams[rank] = row
    var same = old
    same.required = row.required
    return same != row
  }

  /// A pause that makes room for something more important is no sign of a bad estimate, and holds nothing off.
  private mutating func settle(isShort: Bool, isPaused: Bool, at now: Timestamp) {
    allocated = allocation.used
    guard isShort else { return }
    shortfall.settle()
    if isPaused { holdOff.paused(at: now, timing) }
  }
}

extension StreamState {
  mutating func forward(level: Int, at now: Timestamp) {
    let layer = layers[ladder.layers[level]]
    let isWaitedFor = current?.spatial == layer.spatial
    current = layer
    if received?.spatial == layer.spatial {
      // Temporal layers change without a key frame; so does the way back to what is still arriving.
      received = layer
      needsKeyFrame = false
      lockPendingSince = nil
    } else if !isWaitedFor || lockPendingSince == nil {
      needsKeyFrame = true
      lockPendingSince = now
    }
  }

  mutating func stop() {
    current = nil
    received = nil
    needsKeyFrame = false
    lockPendingSince = nil
  }

  /// Resumed behind a tile that was hidden: the interface has this long to show it again.
  mutating func startGraceIfHidden(at now: Timestamp, _ grace: Int64) {
    if !demand.isSeen { hiddenGraceEnds = now.advanced(byMicroseconds: grace) }
  }
}
