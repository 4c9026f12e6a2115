import Annotations
import AudioInput
import VoiceActivity
internal import VoiceMonitor

/// The end.
extension LiveSession {
  /// How far the session is.
  enum Phase {
    case listening
    /// An orderly end was requested, and the monitor has not ended.
    case stopping
    /// The main loop is over.
    case over
  }

  /// What the exit code depends on, unless a signal has asked for the end.
  struct Outcome {
    /// The first failure.
    private(set) var failure: RunError?
    /// Whether sound that should have been recorded was lost.
    var hasLostRecording = false

    mutating func fail(_ error: RunError) { failure = failure ?? error }

    var exitCode: Int32 {
      if let failure { return failure.exitCode }
      return hasLostRecording ? ExitStatus.inputOutput : 0
    }
  }

  mutating func finish() {
    // A user who stops vadmon wants it to end now; at the end of a recording there is more time.
    let patience = Patience(.seconds(5), until: inbox.deadline)
    // The last segments go to their recorder before it ends.
    handleNews()
    for recorder in recorders { recorder.end() }
    for recorder in recorders { recorder.wait(patience.reserving(StopDeadline.hookReserve)) }
    handleNews()
    for warning in warnings { messages.warning("\(input.description.nameInMessages): \(warning)") }
    finishHook(patience.reserving(StopDeadline.hookReserve))
    // The disk has had more time meanwhile.
    for recorder in recorders { recorder.giveUp(patience, heard: monitor.snapshot.position) }
    handleNews()
    for message in outcome.failure?.messages ?? [] { messages.error(message) }
    if !hasReader { return }
    if let failure = outcome.failure { stage.output.write(LiveRecords.error(failure)) }
    stage.output.write(LiveRecords.summary(summary, tally, monitor.snapshot.speakerLevel))
    finishOutput(patience)
    // After the last event, which may be on the same terminal.
    messages.note(tally.sentence(duration: summary.duration))
  }

  private mutating func finishHook(_ patience: Patience) {
    guard let missed = hook?.finish(patience), missed > 0 else { return }
    report(LiveEvent.dropped(missed, by: .onEvent, at: time(monitor.snapshot.position)))
  }

  private mutating func finishOutput(_ patience: Patience) {
    do throws(OutputError) {
      let unwritten = try stage.output.finish(patience)
      guard unwritten > 0 else { return }
      let lines = counted(unwritten, "line was", "lines were")
      messages.error("\(lines) not written, for nobody reads standard output")
      outcome.fail(RunError([], exitCode: ExitStatus.inputOutput))
    } catch {
      let failure = RunError(error)
      if outcome.failure == nil { messages.report(failure) }
      outcome.fail(failure)
    }
  }

  /// The warnings about the input's sound, and about what is saved of it.
  private var warnings: [String] {
    let nonFinite = monitor.snapshot.inputCounts.nonFinite
    return (input.recording?.warnings ?? input.deviceWarnings).map(\.description)
      + (nonFinite == 0 ? [] : [InputAnalysis.warning(nonFiniteSamples: nonFinite)])
      + (segments?.warning.map { [$0] } ?? [])
  }

  private var summary: FileRecord {
    let duration = time(monitor.snapshot.position)
    return FileRecord(
      file: input.description.name, sampleRate: input.description.sampleRate,
      channels: input.description.channelCount, duration: duration,
      speech: tally.speech(at: duration), mutedSpeech: tally.mutedSpeech(at: duration),
      segmentCount: tally.segmentCount, analysedChannels: 1,
      warnings: warnings)
  }
}
