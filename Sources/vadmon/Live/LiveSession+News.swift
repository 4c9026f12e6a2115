import ALSAInput
import Glibc
import VoiceActivity
internal import VoiceMonitor

/// The messages from other threads.
extension LiveSession {
  /// Handles the messages that have arrived.
  ///
  /// The end of the session does this again for messages that come while it waits. Drawing, taking keys and a second
  /// end have no effect by then.
  mutating func handleNews() {
    for news in inbox.take() {
      switch news {
      case .event(let event): handle(event)
      case .warning(let sentence): warn(sentence)
      case .saved(let cut, let path):
        report(LiveEvent(cut, in: path, rate: input.description.sampleRate))
      case .recordingEnded(let sentence): recordingEnded(sentence)
      case .reference(let change): note(change)
      case .otherInput(let input): note(input)
      case .unwritable(let error): outputFailed(error)
      case .mute(let isMuted): monitor.setMuted(isMuted)
      case .soundBegan(let time): soundBegan(at: time)
      case .opened, .waiting, .decoderStarted: break
      case .interrupted: stop()
      case .resized: draw()
      case .resumed:
        takeKeys()
        draw()
      case .ended(let failure):
        if phase != .over, let failure { outcome.fail(failure) }
        phase = .over
      }
    }
  }

  private mutating func recordingEnded(_ sentence: String) {
    outcome.hasLostRecording = true
    report(.recordingEnded(sentence))
    if stage.output.form != .text { warn(sentence) }
  }

  /// Reports by how much the first sound was delayed, so that programs can correct `started_at`.
  ///
  /// Times of records count from the first sound, which a sound server may deliver seconds after it was opened.
  private func soundBegan(at time: WallClock) {
    let delay = Duration.milliseconds(time.milliseconds - startedAt.milliseconds)
    if delay >= .milliseconds(100) { stage.output.write(LiveRecords.soundBegan(after: delay)) }
  }

  private mutating func warn(_ sentence: String) {
    messages.warning(sentence)
    remark = (sentence, .now + Self.remarkDuration)
  }

  /// Reports what is new about the reference, and a lasting fault of it once.
  mutating func note(_ change: ReferenceChange) {
    switch change {
    case .isCopy, .isMicrophone, .isUntimed:
      guard referenceFaults.insert(change).inserted else { return }
      warn(change.sentence)
    case .follows: referenceFaults = []
    case .delivers: break
    }
    report(.reference(change))
  }

  /// Reports the end of a look at the other inputs.
  private mutating func note(_ input: OtherInput?) {
    guard let news = otherInputs?.end(input, at: .now) else { return }
    report(.otherInput(news))
  }

  private mutating func handle(_ event: MonitorEvent) {
    switch event.kind {
    case .segment(let cut): segments?.put(cut)
    case .dropped: segments?.lose()
    default: break
    }
    guard let event = LiveEvent(event, rate: input.description.sampleRate) else { return }
    switch event.kind {
    case .mutedSpeech(let isSpeaking): notice.update(isSpeakingWhileMuted: isSpeaking, at: .now)
    case .mute(false): notice.microphoneUnmuted()
    case .health(let health): otherInputs?.note(health, at: .now)
    default: break
    }
    report(event)
  }

  /// Reports what happened now.
  mutating func report(_ kind: LiveEvent.Kind) {
    let now = time(monitor.snapshot.position)
    report(LiveEvent(kind: kind, time: now, decidedAt: now))
  }

  /// Reports an event. What other threads decided may arrive late, and counts as decided no earlier than what was
  /// reported before it.
  mutating func report(_ event: LiveEvent) {
    var event = event
    decidedAt = max(decidedAt, event.decidedAt)
    event.decidedAt = decidedAt
    tally.take(event)
    hook?.put(event)
    stage.output.write(event)
    if case .dropped = event.kind, stage.output.form != .text { warn(event.text) }
  }
}
