/// What a monitor tells, and to whom: every change goes through here, so that observers agree on the
/// order of things whichever thread they come from.
///
/// Threads: any. What the analysis calls does not allocate: it leaves waking observers to the
/// ``Messenger``.
final class Publisher: Sendable {
  private struct State {
    var snapshot: MonitorSnapshot
    var gate: SpeakingWhileMutedGate
    /// What the samples say; while none come it does not count.
    var signal = SignalHealth.starting
    var isFlowing = true
    var isEnded = false
    /// Somebody waits for what has changed.
    var isWakeDue = false
  }

  let isSpeakingWhileMuted = StateBroadcaster(false)
  let health = StateBroadcaster(SignalHealth.starting)
  let level = StateBroadcaster<VoiceActivityHop?>(nil)
  let events: EventBroadcaster
  let messenger = Messenger()

  private let state: Guarded<State>

  init(isMuted: Bool, sampleRate: Int, eventCapacity: Int) {
    events = EventBroadcaster(capacity: eventCapacity)
    var gate = SpeakingWhileMutedGate()
    _ = gate.setMuted(isMuted)
    state = Guarded(
      State(snapshot: MonitorSnapshot(sampleRate: sampleRate, isMuted: isMuted), gate: gate))
  }

  var snapshot: MonitorSnapshot { state.change { $0.snapshot } }

  /// Lets all who wait for a change look again. Allocates.
  func wakeObservers() {
    isSpeakingWhileMuted.wake()
    health.wake()
    level.wake()
    events.wake()
  }

  // MARK: From the host

  /// Sets the switch as well: hosts that mute and unmute at once must not leave the two apart.
  func setMuted(_ isMuted: Bool, _ muteSwitch: MuteSwitch) {
    fromHost { state in
      guard isMuted != state.snapshot.isMuted, !state.isEnded else { return }
      muteSwitch.set(isMuted)
      state.snapshot.isMuted = isMuted
      send(.muted(isMuted), &state)
      tell(state.gate.setMuted(isMuted), &state)
    }
  }

  func setRequirement(_ requirement: MutedSpeechRequirement, isMet: Bool) {
    fromHost { state in tell(state.gate.setRequirement(requirement, isMet: isMet), &state) }
  }

  /// The source gives nothing, if that is still so once nothing else can be published.
  func noData(if isOverdue: () -> Bool) {
    fromHost { state in
      guard state.isFlowing, isOverdue() else { return }
      setFlowing(false, &state)
    }
  }

  /// The wall clock and the positions have moved apart.
  func clockShifted(_ shift: ClockShift) {
    fromHost { state in
      guard !state.isEnded else { return }
      send(.clock(shift), &state)
    }
  }

  /// False, and nothing more, for good.
  func end() {
    fromHost { state in
      guard !state.isEnded else { return }
      tell(state.gate.end(), &state)
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
      state.snapshot = MonitorSnapshot(sampleRate: sampleRate, isMuted: state.snapshot.isMuted)
      state.snapshot.isRunning = true
      state.signal = .starting
      if isReplacement {
        tell(state.gate.inputReplaced(), &state)
        send(.sourceReplaced(sampleRate: sampleRate), &state)
      }
      tellHealth(&state)
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
      case .mutedSpeechBegin: tell(state.gate.speechBegan(), &state, event)
      case .mutedSpeechEnd: tell(state.gate.speechEnded(), &state, event)
      }
    }
  }

  func show(_ hop: VoiceActivityHop) {
    fromAnalysis { state in state.isWakeDue = level.set(hop) || state.isWakeDue }
  }

  /// Samples have come. Returns whether it is the first after a time without data: what was known of the
  /// line is of the time before then, and the device may be another.
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

  /// What a block has changed.
  func update(
    position: UInt64, hop: VoiceActivityHop?, counts: VoiceActivityDetector.InputCounts,
    signal: SignalHealth
  ) {
    fromAnalysis { state in
      state.snapshot.position = position
      state.snapshot.hop = hop
      state.snapshot.inputCounts = counts
      state.signal = signal
      tellHealth(&state)
    }
  }

  private func fromAnalysis(_ body: (inout State) -> Void) {
    if change(body) { messenger.signal() }
  }

  /// Returns whether somebody is to be woken.
  private func change(_ body: (inout State) -> Void) -> Bool {
    state.change { state in
      body(&state)
      defer { state.isWakeDue = false }
      return state.isWakeDue
    }
  }

  // MARK: Telling

  private func setFlowing(_ isFlowing: Bool, _ state: inout State) {
    state.isFlowing = isFlowing
    tell(state.gate.setDataFlowing(isFlowing), &state)
    tellHealth(&state)
  }

  private func tellHealth(_ state: inout State) {
    let health = state.isFlowing ? state.signal : .noData
    guard health != state.snapshot.health, !state.isEnded else { return }
    state.snapshot.health = health
    state.isWakeDue = self.health.set(health) || state.isWakeDue
    send(.health(health), &state)
  }

  private func tell(_ change: Bool?, _ state: inout State, _ event: VoiceActivityEvent? = nil) {
    guard let change else { return }
    state.snapshot.isSpeakingWhileMuted = change
    state.isWakeDue = isSpeakingWhileMuted.set(change) || state.isWakeDue
    if let event {
      send(.speakingWhileMuted(change), event, &state)
    } else {
      send(.speakingWhileMuted(change), &state)
    }
  }

  private func send(_ kind: MonitorEvent.Kind, _ event: VoiceActivityEvent, _ state: inout State) {
    let event = MonitorEvent(kind: kind, position: event.position, decidedAt: event.decidedAt)
    state.isWakeDue = events.send(event) || state.isWakeDue
  }

  /// At the newest position that was listened to.
  private func send(_ kind: MonitorEvent.Kind, _ state: inout State) {
    let position = state.snapshot.position
    let event = MonitorEvent(kind: kind, position: position, decidedAt: position)
    state.isWakeDue = events.send(event) || state.isWakeDue
  }
}
