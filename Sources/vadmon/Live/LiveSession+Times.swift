import ALSAInput
import RealTime
import VoiceActivity
internal import VoiceMonitor

/// What is due at certain times.
extension LiveSession {
  mutating func handleTimes(_ now: Ticker.Instant) {
    if let end, phase == .listening, now >= end { stop() }
    if let deviceLimit, now >= deviceLimit { abandon() }
    notice.dismissIfOver(at: now)
    if otherInputs?.beginIfDue(at: now) == true { lookAtOtherInputs() }
    let isLookDue = looking?.takeIfDue(at: now) ?? false
    if isLookDue { look() }
    let isLevelDue = measuring?.takeIfDue(at: now) ?? false
    if isLevelDue { measure(now) }
    let isDrawingDue = drawing?.takeIfDue(at: now) ?? false
    if isDrawingDue {
      clock.note(time(monitor.snapshot.position), at: now)
      if !isFrozen { draw() }
    }
  }

  /// Ends without waiting for a device that hangs.
  private mutating func abandon() {
    guard phase != .over else { return }
    phase = .over
    messages.warning(
      "\(input.description.nameInMessages) does not answer; ended without waiting for it")
  }

  private func lookAtOtherInputs() {
    guard case .device(let name, _) = options.input else { return }
    let inputs = OtherInputs(chosen: name, reference: options.reference?.device)
    let isStarted = JoinableThread.startDetached { [inbox, known = otherInputs?.found] in
      inbox.put(.otherInput(inputs.withSound(known: known)))
    }
    if !isStarted { inbox.put(.otherInput(nil)) }
  }

  private mutating func look() {
    lookAtReference()
    let analysed = monitor.snapshot.position
    guard let status = input.device?.status,
      let change = watch.look(status, analysed: analysed)
    else { return }
    trouble = change.state == .capturing ? nil : change.sentence
    let now = time(analysed)
    report(LiveEvent(kind: .device(change), time: now, decidedAt: now))
  }

  private mutating func lookAtReference() {
    guard let reference = monitor.snapshot.reference, reference.isDelivering else { return }
    if reference.isCopy { note(.isCopy) }
    // Its times may be known a moment after its first sound.
    if isUntimed && !reference.isTimed { note(.isUntimed) }
    isUntimed = !reference.isTimed
  }

  /// Writes the newest level, as soon as there is a new one.
  private mutating func measure(_ now: Ticker.Instant) {
    let snapshot = monitor.snapshot
    guard let hop = snapshot.hop, hop.position != lastLevel else {
      measuring?.postpone(to: now)
      return
    }
    lastLevel = hop.position
    stage.output.write(
      level: LiveRecords.level(
        hop, beside: snapshot.reference, snapshot.speakerLevel,
        rate: input.description.sampleRate))
  }

  func draw() {
    if stage.hasMeter, phase != .over { stage.draw(meterState(monitor.snapshot)) }
  }

  private func meterState(_ snapshot: MonitorSnapshot) -> MeterState {
    let heard = time(snapshot.position)
    let isInOutage = !watch.isCapturing || snapshot.health == .noData
    var state = MeterState(
      input: input.description.title, onsetThreshold: options.detector.onsetThreshold,
      offsetThreshold: options.detector.offsetThreshold)
    // A pipe continues where it stopped, so its clock stops as well.
    state.elapsed = isInOutage && input.device != nil ? clock.time(at: .now) : heard
    // The level and the probability are those of the last sound, and no longer true.
    state.reading = isInOutage ? nil : snapshot.hop.map(MeterState.Reading.init)
    state.isMuted = snapshot.isMuted
    state.reference = snapshot.reference
    state.ownLevelDBFS = snapshot.speakerLevel.flatMap {
      $0.learned >= VoiceActivityDetector.SpeakerLevel.leastLearned ? $0.dBFS : nil
    }
    state.isSpeakingWhileMuted = snapshot.isSpeakingWhileMuted
    state.showsNotice = notice.isShown
    let remark = remark.flatMap { $0.end > .now ? $0.text : nil }
    let health = otherInputs?.found?.sentence ?? snapshot.health.trouble
    state.troubles = [trouble, health, remark].compactMap(\.self)
    if !recorders.isEmpty {
      state.recording = recorders.allSatisfy(\.isRecording) ? .on : .failed
    }
    state.gapCount = tally.gapCount
    state.lost = tally.lost
    state.segmentCount = tally.segmentCount
    state.speech = tally.certainSpeech(at: heard, hangover: options.detector.hangover)
    state.strip = tally.strip(at: heard)
    state.isFrozen = isFrozen
    state.hasKeys = hasKeys
    return state
  }
}
