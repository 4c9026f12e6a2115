internal import RealTime
internal import VoiceActivity

/// What a monitor knows besides the sound, and publishes: the mute, whether muted speech is reported, the health and
/// the snapshot. All of it changes under one lock, so that observers agree on the order of changes from different
/// threads.
///
/// The gate owns the mute. The detector has a flag of its own, which the analysis sets before each block
/// (``mutesDetector(afterUnmutedHop:)``): the core samples it once a hop, because muted speech begins and ends at
/// positions.
///
/// Threads: any. The methods that the analysis calls do not allocate; they leave waking observers to the
/// ``Messenger``.
final class Publisher: Sendable {
  private struct State {
    var snapshot: MonitorSnapshot
    /// The `decidedAt` of the newest event.
    var decidedAt: UInt64 = 0
    var gate = SpeakingWhileMutedGate()
    /// Whether the host has unmuted, and the detector has decided no unmuted hop since. An unmute that is taken back
    /// within a block would otherwise never reach the detector, and speech from before it would go on as muted speech.
    var isUnmuteDue = false
    /// The health that the samples show. It does not count while no data flows.
    var signal = SignalHealth.starting
    var isFlowing = true
    var isEnded = false
    /// Whether an observer waits for something that has changed.
    var isWakeDue = false
  }

  let isSpeakingWhileMuted = StateBroadcaster(fresh: NewestValue(false))
  let health = StateBroadcaster(fresh: NewestValue(SignalHealth.starting))
  let level = StateBroadcaster(fresh: NewestValue<VoiceActivityHop?>(nil))
  let events: Broadcaster<EventQueue>
  let messenger = Messenger()

  private let state: Guarded<State>

  init(isMuted: Bool, sampleRate: Int, eventCapacity: Int) {
    events = Broadcaster(fresh: EventQueue(capacity: eventCapacity))
    var state = State(snapshot: MonitorSnapshot(sampleRate: sampleRate))
    state.gate.setMuted(isMuted)
    self.state = Guarded(state)
  }

  var snapshot: MonitorSnapshot {
    state.change { state in
      var snapshot = state.snapshot
      snapshot.isMuted = state.gate.isMuted
      return snapshot
    }
  }

  /// Wakes every observer that waits for a change. Allocates.
  func wakeObservers() {
    isSpeakingWhileMuted.wake()
    health.wake()
    level.wake()
    events.wake()
  }

  // MARK: From the host

  func setMuted(_ isMuted: Bool) {
    fromHost { state in
      guard isMuted != state.gate.isMuted, !state.isEnded else { return }
      if !isMuted { state.isUnmuteDue = true }
      send(.muted(isMuted), &state)
      publish(state.gate.setMuted(isMuted), &state)
    }
  }

  func setRequirement(_ requirement: MutedSpeechRequirement, isMet: Bool) {
    fromHost { state in publish(state.gate.setRequirement(requirement, isMet: isMet), &state) }
  }

  /// Publishes that the source gives no data, if `isOverdue` still returns true under the lock, where nothing else can
  /// be published.
  func noData(if isOverdue: () -> Bool) {
    fromHost { state in
      guard state.isFlowing, isOverdue() else { return }
      setFlowing(false, &state)
    }
  }

  /// Publishes that the wall clock and the positions have moved apart.
  func clockShifted(_ shift: ClockShift) {
    fromHost { state in
      guard !state.isEnded else { return }
      send(.clock(shift), &state)
    }
  }

  /// Publishes a last `false` for speaking while muted, and finishes every sequence.
  func end() {
    fromHost { state in
      guard !state.isEnded else { return }
      publish(state.gate.end(), &state)
      state.isEnded = true
      state.snapshot.isRunning = false
    }
    isSpeakingWhileMuted.finish()
    health.finish()
    level.finish()
    events.finish()
  }

  private func fromHost(_ body: (inout State) -> Void) {
    if change(body) { wakeObservers() }
  }

  // MARK: From the analysis

  func begin(sampleRate: Int, isReplacement: Bool) {
    fromAnalysis { state in
      state.snapshot = MonitorSnapshot(sampleRate: sampleRate)
      state.snapshot.isRunning = true
      state.decidedAt = 0
      state.signal = .starting
      if isReplacement {
        publish(state.gate.inputReplaced(), &state)
        send(.sourceReplaced(sampleRate: sampleRate), &state)
      }
      publishHealth(&state)
    }
  }

  /// Returns whether the detector is to be muted now.
  ///
  /// - Parameter afterUnmutedHop: Whether the detector has decided an unmuted hop since the last call.
  func mutesDetector(afterUnmutedHop: Bool) -> Bool {
    state.change { state in
      if afterUnmutedHop { state.isUnmuteDue = false }
      return state.gate.isMuted && !state.isUnmuteDue
    }
  }

  func handle(_ event: VoiceActivityEvent) {
    fromAnalysis { state in
      switch event.kind {
      case .onset: send(.onset, event, &state)
      case .offset: send(.offset, event, &state)
      case .discontinuity:
        state.snapshot.gapCount += 1
        send(.discontinuity(missingFrames: event.missingSamples), event, &state)
      case .mutedSpeechBegin: publish(state.gate.speechBegan(), &state, event)
      case .mutedSpeechEnd: publish(state.gate.speechEnded(), &state, event)
      }
    }
  }

  /// Publishes a segment to save. ``update(position:hop:counts:signal:reference:speakerLevel:segments:)`` counts it.
  func report(_ cut: SpeechCut) {
    fromAnalysis { state in
      send(.segment(cut), at: cut.end, decidedAt: cut.decidedAt, &state)
    }
  }

  func show(_ hop: VoiceActivityHop) {
    fromAnalysis { state in state.isWakeDue = level.send(hop) || state.isWakeDue }
  }

  /// Notes that samples have arrived. Returns whether they are the first after a time without data, when what was known
  /// of the line is out of date because the device may be a different one.
  func noteData() -> Bool {
    var isFirst = false
    fromAnalysis { state in
      guard !state.isFlowing else { return }
      isFirst = true
      state.signal = .starting
      setFlowing(true, &state)
    }
    return isFirst
  }

  /// Publishes at once that the source gives no data, because it is known to be gone.
  func interrupted() {
    fromAnalysis { state in
      if state.isFlowing { setFlowing(false, &state) }
    }
  }

  /// Publishes that the reference begins to deliver, or that it gives nothing.
  func referenceDelivers(_ isDelivering: Bool) {
    fromAnalysis { state in send(.reference(isDelivering: isDelivering), &state) }
  }

  /// Publishes what a block has changed.
  func update(
    position: UInt64, hop: VoiceActivityHop?, counts: VoiceActivityDetector.InputCounts,
    signal: SignalHealth, reference: ReferenceStatus?,
    speakerLevel: VoiceActivityDetector.SpeakerLevel?,
    segments: (count: Int, beginning: Range<UInt64>)?
  ) {
    fromAnalysis { state in
      state.snapshot.position = position
      state.snapshot.hop = hop
      state.snapshot.inputCounts = counts
      state.snapshot.reference = reference
      state.snapshot.speakerLevel = speakerLevel
      if let segments {
        state.snapshot.segmentCount = segments.count
        state.snapshot.segmentBeginning = segments.beginning
      }
      state.signal = signal
      publishHealth(&state)
    }
  }

  private func fromAnalysis(_ body: (inout State) -> Void) {
    if change(body) { messenger.signal() }
  }

  /// Changes the state under its lock. Returns whether observers must be woken.
  private func change(_ body: (inout State) -> Void) -> Bool {
    state.change { state in
      body(&state)
      defer { state.isWakeDue = false }
      return state.isWakeDue
    }
  }

  // MARK: Publishing

  private func setFlowing(_ isFlowing: Bool, _ state: inout State) {
    state.isFlowing = isFlowing
    publish(state.gate.setDataFlowing(isFlowing), &state)
    publishHealth(&state)
  }

  private func publishHealth(_ state: inout State) {
    let health = state.isFlowing ? state.signal : .noData
    guard health != state.snapshot.health, !state.isEnded else { return }
    state.snapshot.health = health
    state.isWakeDue = self.health.send(health) || state.isWakeDue
    send(.health(health), &state)
  }

  private func publish(_ change: Bool?, _ state: inout State, _ event: VoiceActivityEvent? = nil) {
    guard let change else { return }
    state.snapshot.isSpeakingWhileMuted = change
    state.isWakeDue = isSpeakingWhileMuted.send(change) || state.isWakeDue
    if let event {
      send(.speakingWhileMuted(change), event, &state)
    } else {
      send(.speakingWhileMuted(change), &state)
    }
  }

  private func send(_ kind: MonitorEvent.Kind, _ event: VoiceActivityEvent, _ state: inout State) {
    send(kind, at: event.position, decidedAt: event.decidedAt, &state)
  }

  /// Sends an event at the newest position analysed.
  private func send(_ kind: MonitorEvent.Kind, _ state: inout State) {
    let now = max(state.snapshot.position, state.decidedAt)
    send(kind, at: now, decidedAt: now, &state)
  }

  /// Sends an event. None is decided before one that was sent earlier.
  private func send(
    _ kind: MonitorEvent.Kind, at position: UInt64, decidedAt: UInt64, _ state: inout State
  ) {
    state.decidedAt = max(state.decidedAt, decidedAt)
    let event = MonitorEvent(kind: kind, position: position, decidedAt: state.decidedAt)
    state.isWakeDue = events.send(event) || state.isWakeDue
  }
}
