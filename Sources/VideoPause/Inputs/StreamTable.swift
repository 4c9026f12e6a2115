/// The incoming streams, sorted by id, and their order of importance.
struct StreamTable {
  private(set) var states: [StreamState] = []
  private var ranking = Ranking()
  /// Which stream is the first in rank.
  private var firstInRank = FirstInRank()
  /// Whether a stream's layers or demand changed since the last round, or a bound on all streams; acts at once.
  private var isDemandChanged = false
  /// Whether the order of the streams changed since the last round; acts at once.
  private(set) var isRankChanged = false
  /// Whether any stream holds an entry of a custom layout.
  private var isLayoutAssigned = false
  /// Whether each ladder has its place among the steps: since no stream came or went, or has another number of layers.
  private var areLaddersPlaced = true
  /// Scratch memory that ``assignRecency(_:)`` reuses.
  private var recencies: [Int32] = []
  /// The streams that were removed since ``drainPaused(_:)`` reported them as paused.
  private var removedWhilePaused: [StreamID] = []

  var isChanged: Bool { isDemandChanged || isRankChanged }

  // MARK: Looking up

  /// Returns the index of a stream, or the index at which it would be inserted.
  func search(_ id: StreamID) -> (place: Int, isKnown: Bool) {
    let place = states.indices.bisect { states[$0].id < id }
    return (place, place < states.count && states[place].id == id)
  }

  /// The places in the order of importance.
  var ranks: Range<Int> { ranking.indices }

  /// Returns the index of the stream with a rank.
  func place(ofRank rank: Int) -> Int { ranking[rank] }

  // MARK: Inputs

  mutating func insert(_ stream: StreamState, at place: Int) {
    // By an eighth: doubling would leave up to half of the memory unused.
    if states.count == states.capacity { states.reserveCapacity(states.count * 9 / 8 + 1) }
    states.insert(stream, at: place)
    if let index = removedWhilePaused.firstIndex(of: stream.id) {
      removedWhilePaused.remove(at: index)
      states[place].isDrainedAsPaused = true
    }
    noteOtherPlaces()
  }

  /// Removes a stream, and returns the rate at which it was forwarded.
  mutating func remove(at place: Int) -> Int {
    if states[place].isDrainedAsPaused { removedWhilePaused.append(states[place].id) }
    noteOtherPlaces()
    return states.remove(at: place).phase.layer?.bitrate ?? 0
  }

  private mutating func noteOtherPlaces() {
    ranking.forget()
    (isDemandChanged, isRankChanged, areLaddersPlaced) = (true, true, false)
  }

  /// Replaces what a publisher sends, and returns how much more it costs to forward it.
  mutating func update(
    _ place: Int, kind: VideoKind, layers: [VideoLayer], isLocal: Bool
  ) -> Int {
    let before = states[place].phase.layer?.bitrate ?? 0
    if kind != states[place].kind { noteRank(of: place) }
    if layers.count != states[place].ladder.room { areLaddersPlaced = false }
    change(place) { $0.update(kind: kind, layers: layers, isLocal: isLocal) }
    return (states[place].phase.layer?.bitrate ?? 0) - before
  }

  /// Changes a stream's inputs, so that its ladder is computed anew.
  mutating func change(_ place: Int, _ change: (inout StreamState) -> Void) {
    change(&states[place])
    states[place].isStale = true
    isDemandChanged = true
  }

  mutating func noteRank(of place: Int) {
    states[place].isRankStale = true
    isRankChanged = true
  }

  /// Records that something changed that the order of the streams depends on, beside the streams themselves.
  mutating func noteRank() { isRankChanged = true }

  /// Records that something changed that all streams depend on.
  mutating func noteDemand() { isDemandChanged = true }

  /// Records that a bound of all ladders changed.
  mutating func noteBounds() {
    for place in states.indices { states[place].isStale = true }
    isDemandChanged = true
  }

  /// Records that the forwarder has the picture of the layer it was asked to forward.
  mutating func lock(_ place: Int) { states[place].phase.lock() }

  // MARK: Who speaks, and who is wanted

  /// Assigns each stream its participant's place among the speakers.
  mutating func assignRecency(_ speakers: SpeakerOrder) {
    recencies.removeAll(keepingCapacity: true)
    recencies.append(contentsOf: repeatElement(.max, count: states.count))
    for (recency, speaker) in speakers.participants.enumerated() {
      var place = firstPlace(of: speaker)
      while place < states.count, states[place].id.participant == speaker {
        recencies[place] = min(recencies[place], Int32(recency))
        place += 1
      }
    }
    for place in states.indices where states[place].recency != recencies[place] {
      states[place].recency = Int(recencies[place])
      states[place].isRankStale = true
    }
  }

  /// Returns the index of the participant's first stream, or the index at which it would be inserted.
  private func firstPlace(of participant: ParticipantID) -> Int {
    states.indices.bisect { states[$0].id.participant < participant }
  }

  /// Assigns a stream to each entry of the custom layout.
  mutating func assign(_ layout: LayoutState) {
    guard layout.configured != nil || isLayoutAssigned else { return }
    isLayoutAssigned = layout.configured != nil
    let entries = layout.configured ?? []
    var assigned: [StreamID: Int] = [:]
    for (order, entry) in entries.enumerated() {
      guard let participant = entry.participantID else { continue }
      assigned[StreamID(participant: participant)] = order
    }
    let open = entries.indices.filter { entries[$0].participantID == nil }
    if !open.isEmpty {
      for (order, id) in zip(open, camerasByRecency(without: assigned)) { assigned[id] = order }
    }
    for place in states.indices {
      let entry = assigned[states[place].id].map {
        StreamState.Entry(
          quality: entries[$0].requestedStreamQuality, priority: entries[$0].streamPriority,
          order: $0)
      }
      guard states[place].entry != entry else { continue }
      change(place) { $0.entry = entry }
      noteRank(of: place)
    }
  }

  /// Returns the cameras with a picture, those of recent speakers first, then by id.
  private func camerasByRecency(without assigned: [StreamID: Int]) -> [StreamID] {
    let cameras = states.filter {
      $0.id.trackType == .video && $0.hasVideo && assigned[$0.id] == nil
    }
    return cameras.sorted { ($0.recency, $0.id) < ($1.recency, $1.id) }.map { $0.id }
  }

  // MARK: A round

  /// Treats layers as locked after the time limit: a forwarder that never reports a lock must not keep a tile dark.
  mutating func settleLocks(at now: Timestamp, _ timing: Timing) {
    for place in states.indices {
      guard let since = states[place].phase.lockPendingSince else { continue }
      if now.microseconds(since: since) >= timing.lockTimeout {
        states[place].phase.arrive()
      }
    }
  }

  /// Whether any stream has been hidden for so long that it is not wanted any more.
  func isGraceOver(at now: Timestamp) -> Bool {
    states.contains { $0.hiddenGraceEnds.map { $0 <= now } ?? false }
  }

  /// Brings every stream's ladder and pause reason up to date, and the order of the streams.
  mutating func refresh(
    _ bounds: StreamState.Bounds, screenShareFirst: Bool, in steps: inout [Allocation.Step],
    at now: Timestamp
  ) {
    if !areLaddersPlaced { placeLadders(in: &steps) }
    for place in states.indices {
      if let end = states[place].hiddenGraceEnds, end <= now { states[place].isStale = true }
      if states[place].isStale { states[place].refresh(bounds, in: &steps, at: now) }
    }
    if isRankChanged { ranking.refresh(&states, screenShareFirst: screenShareFirst) }
    (isDemandChanged, isRankChanged) = (false, false)
  }

  /// Gives each ladder its place among the steps.
  private mutating func placeLadders(in steps: inout [Allocation.Step]) {
    var count = 0
    for place in states.indices {
      states[place].moveLadder(to: count)
      states[place].isStale = true
      count += states[place].ladder.room
    }
    let room = Allocation.Step(bitrate: 0, utility: 0)
    steps.removeAll(keepingCapacity: true)
    steps.append(contentsOf: repeatElement(room, count: count))
    areLaddersPlaced = true
  }

  /// Builds the allocation problem from the streams that are wanted, in rank order and up to `limit`.
  mutating func pose(
    _ allocation: inout Allocation, limit: Int, mayPause: Bool, at now: Timestamp
  ) {
    allocation.candidates.removeAll(keepingCapacity: true)
    allocation.candidates.reserveCapacity(states.count)
    for rank in ranking.indices where allocation.candidates.count < limit {
      let place = ranking[rank]
      guard states[place].block == nil else { continue }
      var candidate = Allocation.Candidate()
      candidate.rank = rank
      candidate.first = states[place].ladder.first
      candidate.count = states[place].ladder.count
      candidate.motion = states[place].motion
      candidate.preferred = states[place].preferred
      candidate.current = states[place].phase.level
      candidate.isPinned = states[place].demand.pin != nil
      candidate.policy = mayPause ? states[place].demand.pausePolicy : .never
      allocation.candidates.append(candidate)
    }
    allocation.findFirst()
    let first = allocation.first.map { ranking[allocation.candidates[$0].rank] }
    firstInRank.observe(first.map { states[$0].id }, at: now)
  }

  /// Notes for each candidate whether it is shown or paused, and whether it may be resumed.
  func noteStandings(
    in allocation: inout Allocation, mayPause: Bool, at now: Timestamp, _ timing: Timing
  ) {
    for index in allocation.candidates.indices {
      let place = ranking[allocation.candidates[index].rank]
      allocation.candidates[index].canReturn = states[place].gate.canReturn(at: now, timing)
      allocation.candidates[index].standing =
        mayPause
        ? states[place].standing(at: now, timing)
        : states[place].phase.layer == nil ? .new : .shown
    }
    guard let first = allocation.first, allocation.candidates[first].standing != .shown else {
      allocation.mayClaim = false
      return
    }
    let gate = states[ranking[allocation.candidates[first].rank]].gate
    allocation.mayClaim = firstInRank.mayClaim(pausedAt: gate.lastPause, at: now)
  }

  // MARK: A decision

  /// Puts a candidate's answer into effect, and returns its stream's target.
  mutating func apply(
    _ candidate: Allocation.Candidate, _ steps: [Allocation.Step], to place: Int,
    at now: Timestamp, _ timing: Timing
  ) -> StreamTarget {
    if candidate.level.isNone {
      if states[place].phase.layer != nil {
        states[place].gate.notePause(at: now, givesWay: candidate.givesWay)
      }
      states[place].phase.pause()
    } else {
      if states[place].phase.isAfterPause {
        states[place].gate.noteResume(at: now, timing)
        states[place].startGraceIfHidden(at: now, timing.hiddenGrace)
      }
      let layer = states[place].ladder.layer(steps[candidate.first + candidate.level.place])
      states[place].phase.forward(layer, candidate.level, at: now)
    }
    let shortage: PauseReason = states[place].ladder.isRaised ? .belowMinimumQuality : .bandwidth
    return states[place].phase.layer.map(StreamTarget.forward) ?? .paused(shortage)
  }

  /// Stops forwarding a stream that is not a candidate, and returns its target.
  mutating func idle(_ place: Int) -> StreamTarget {
    states[place].phase.idle()
    return .paused(states[place].block ?? .notRequested)
  }

  /// Records a stream's new target, and returns the action to report.
  mutating func note(_ target: StreamTarget, of place: Int, at now: Timestamp) -> PauseAction? {
    states[place].note(target, at: now)
  }

  /// Returns when a stream changes next without an input.
  func nextLook(at now: Timestamp, _ timing: Timing) -> Timestamp? {
    var next: Timestamp?
    let timeout = max(1, timing.lockTimeout)
    for state in states {
      next = .earliest(next, state.phase.lockPendingSince?.advanced(byMicroseconds: timeout))
      if let end = state.hiddenGraceEnds, end > now { next = .earliest(next, end) }
    }
    return next
  }

  // MARK: Outputs

  /// Reports once each stream that is paused now and was not, or was and is not, until `take` returns false: it did not
  /// take that one.
  mutating func drainPaused(_ take: (_ id: StreamID, _ isPaused: Bool) -> Bool) {
    while let id = removedWhilePaused.last {
      guard take(id, false) else { return }
      removedWhilePaused.removeLast()
    }
    for place in states.indices
    where states[place].phase.isReportedPaused != states[place].isDrainedAsPaused {
      guard take(states[place].id, !states[place].isDrainedAsPaused) else { return }
      states[place].isDrainedAsPaused.toggle()
    }
  }
}
