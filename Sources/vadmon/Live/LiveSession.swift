import ALSAInput
import AudioInput
import Glibc
import SystemPackage
import VoiceActivity

/// The main loop of `vadmon live`: waits for news, keys and times, and shows them.
///
/// It sleeps until one of them comes. Without a meter and without levels that is an event, or a look at the
/// device four times a second. Nothing that it does holds up the capture or the analysis.
struct LiveSession {
  private let options: LiveOptions
  private let input: LiveInput
  private let stage: LiveStage
  private let inbox: LiveInbox
  private let monitor: VoiceActivityMonitor
  private let recorder: Recorder?
  private let hook: EventHook?
  private let messages: Messages

  private var tally = LiveTally()
  private var watch = DeviceWatch()
  private var notice = NoticeTimer()
  private var trouble: String?
  private var hasKeys = false
  private var isFrozen = false
  private var isStopping = false
  private var isOver = false
  private var isTerminated = false
  private var failure: RunError?

  private let start = ContinuousClock.now
  private var drawing: Ticker?
  private var looking: Ticker?
  private var measuring: Ticker?
  private var lastLevel: UInt64?

  /// At most 20 drawings a second.
  private static let frameInterval = Duration.milliseconds(50)

  init(
    _ options: LiveOptions, _ input: LiveInput, _ stage: LiveStage, _ inbox: LiveInbox
  ) throws(RunError) {
    (self.options, self.input, self.stage, self.inbox) = (options, input, stage, inbox)
    messages = Messages(isQuiet: options.isQuiet, progress: stage.screen)
    let warn: @Sendable (String) -> Void = { inbox.put(.warning($0)) }
    var source = input.source
    if let path = options.record {
      let (recorder, tap) = try Recorder.record(source, to: path, onFailure: warn)
      (self.recorder, source) = (recorder, tap)
    } else {
      recorder = nil
    }
    monitor = try Self.monitor(source, options)
    if let command = options.hook {
      hook = try EventHook(command, isQuiet: options.isQuiet || stage.screen != nil, warn: warn)
    } else {
      hook = nil
    }
    drawing = stage.screen.map { _ in Ticker(every: Self.frameInterval, from: start) }
    looking = input.device.map { _ in Ticker(every: DeviceWatch.interval, from: start) }
    measuring = options.levelRate.map { Ticker(every: .seconds(1) / $0, from: start) }
  }

  private static func monitor(
    _ source: any PCMSource, _ options: LiveOptions
  ) throws(RunError) -> VoiceActivityMonitor {
    var configuration = VoiceActivityMonitor.Configuration(detector: options.detector)
    configuration.isMuted = options.startsMuted
    do {
      return try VoiceActivityMonitor(source: source, configuration: configuration)
    } catch {
      throw RunError("cannot listen: \(error)", exitCode: ExitStatus.usage)
    }
  }

  /// To the end of the input, of the time or of the user's patience.
  mutating func run() throws(RunError) -> Int32 {
    if let recorder { messages.note("recording to \(recorder.path.nameAsInput)") }
    do throws(OutputError) {
      try stage.output.write(LiveRecords.config(options, input.description))
      listen()
      takeKeys()
      while !isOver {
        wait()
        try handleNews()
        try handleTimes(.now)
      }
      stage.screen?.erase()
      TerminalModes.giveBack()
      try finish()
    } catch {
      throw RunError(error)
    }
    return failure?.exitCode ?? (isTerminated ? ExitStatus.ended(by: SIGTERM) : 0)
  }

  /// Keys come from standard input, unless sound does, and only where a meter shows what they do.
  private mutating func takeKeys() {
    let isWanted = stage.screen != nil && input.description.kind != .standardInput
    hasKeys = isWanted && TerminalModes.takeKeys()
  }
}

// MARK: - Listening

extension LiveSession {
  /// Lets the monitor run, and brings what it tells to this thread.
  private func listen() {
    Task.detached { [monitor, inbox] in
      let events = monitor.events
      async let running: Void = monitor.run()
      for await event in events { inbox.put(.event(event)) }
      do {
        try await running
        inbox.put(.ended(failure: nil))
      } catch {
        inbox.put(.ended(failure: RunError(listening: error)))
      }
    }
  }

  /// Ends it in the orderly way: the monitor tells when it has ended.
  private mutating func stop() {
    isStopping = true
    monitor.stop()
  }

  private func time(_ frames: UInt64) -> Timestamp {
    Timestamp(samples: frames, rate: input.description.sampleRate)
  }
}

extension RunError {
  fileprivate init(listening error: any Error) {
    switch error {
    case let error as CaptureError: self.init(error.description, exitCode: error.exitCode)
    case let error as AudioInputError: self.init(error.description, exitCode: error.exitCode)
    default: self.init("listening has failed: \(error)", exitCode: ExitStatus.unavailable)
    }
  }
}

// MARK: - Waiting

extension LiveSession {
  /// Until there is news, a key is pressed, the reader of the results is gone, or something is due.
  private mutating func wait() {
    let deadlines = [
      isFrozen ? nil : drawing?.next, looking?.next, measuring?.next, notice.end,
      isStopping ? nil : options.duration.map { start + $0 },
    ]
    let timeout = deadlines.compactMap(\.self).min().map { deadline in
      Int32(clamping: max(0, Int(((deadline - .now) / .milliseconds(1)).rounded(.up))))
    }
    var waited = [
      pollfd(fd: inbox.wake.descriptor.rawValue, events: Int16(POLLIN), revents: 0),
      pollfd(fd: hasKeys ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
      // Errors are always told.
      pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
    ]
    poll(&waited, nfds_t(waited.count), timeout ?? -1)
    if waited[1].revents != 0 { handleKeys() }
    if waited[2].revents & Int16(POLLERR) != 0 { readerIsGone() }
  }

  private mutating func readerIsGone() {
    failure = RunError([], exitCode: ExitStatus.closedPipe)
    isOver = true
    stop()
  }

  private mutating func handleKeys() {
    guard let keys = Key.pressed() else {
      hasKeys = false
      return
    }
    for key in keys {
      switch key {
      case .mute: monitor.setMuted(!monitor.snapshot.isMuted)
      case .quit: stop()
      case .freeze:
        isFrozen.toggle()
        // Shows that it stands still, or where it is now.
        draw()
      }
    }
  }
}

// MARK: - News

extension LiveSession {
  private mutating func handleNews() throws(OutputError) {
    for news in inbox.take() {
      switch news {
      case .event(let event): try handle(event)
      case .warning(let sentence): messages.warning(sentence)
      case .interrupted: stop()
      case .terminated:
        isTerminated = true
        stop()
      case .resized: draw()
      case .resumed:
        takeKeys()
        draw()
      case .ended(let failure):
        self.failure = failure
        isOver = true
      }
    }
  }

  private mutating func handle(_ event: MonitorEvent) throws(OutputError) {
    if case .dropped(let count) = event.kind {
      return messages.warning("\(count) events were lost because this program was too busy")
    }
    guard let event = LiveEvent(event, rate: input.description.sampleRate) else { return }
    switch event.kind {
    case .mutedSpeech(let isSpeaking): notice.update(isSpeakingWhileMuted: isSpeaking, at: .now)
    case .mute(false): notice.microphoneUnmuted()
    default: break
    }
    try tell(event)
  }

  private mutating func tell(_ event: LiveEvent) throws(OutputError) {
    tally.take(event)
    hook?.put(event.facts)
    try stage.output.write(event)
  }
}

// MARK: - Times

extension LiveSession {
  private mutating func handleTimes(_ now: Ticker.Instant) throws(OutputError) {
    if let duration = options.duration, !isStopping, now >= start + duration { stop() }
    notice.dismissIfOver(at: now)
    if looking?.isDue(at: now) == true { try look() }
    if measuring?.isDue(at: now) == true { try measure() }
    if drawing?.isDue(at: now) == true, !isFrozen { draw() }
  }

  private mutating func look() throws(OutputError) {
    guard let status = input.device?.status, let change = watch.look(status) else { return }
    trouble = change.state == .capturing ? nil : change.sentence
    let now = time(monitor.snapshot.position)
    try tell(LiveEvent(kind: .device(change), time: now, decidedAt: now))
  }

  /// The newest level, unless it was told already.
  private mutating func measure() throws(OutputError) {
    guard let hop = monitor.snapshot.hop, hop.position != lastLevel else { return }
    lastLevel = hop.position
    try stage.output.write(LiveRecords.level(hop, rate: input.description.sampleRate))
  }

  private func draw() {
    if stage.screen != nil { stage.draw(meterState(monitor.snapshot)) }
  }

  private func meterState(_ snapshot: MonitorSnapshot) -> MeterState {
    let elapsed = time(snapshot.position)
    var state = MeterState(
      input: input.description.title, onsetThreshold: options.detector.onsetThreshold,
      offsetThreshold: options.detector.offsetThreshold)
    state.elapsed = elapsed
    state.reading = watch.isCapturing ? snapshot.hop.map(MeterState.Reading.init) : nil
    state.isMuted = snapshot.isMuted
    state.showsNotice = notice.isShown
    state.troubles = [trouble, snapshot.health.trouble].compactMap(\.self)
    state.recording = recorder.map { $0.isRecording ? .on : .failed } ?? .off
    state.gapCount = tally.gapCount
    state.lost = tally.lost
    state.segmentCount = tally.segmentCount
    state.speech = tally.speech(at: elapsed)
    state.strip = tally.strip(at: elapsed)
    state.isFrozen = isFrozen
    state.hasKeys = hasKeys
    return state
  }
}

// MARK: - The end

extension LiveSession {
  private mutating func finish() throws(OutputError) {
    recorder?.finish()
    for news in inbox.take() {
      if case .warning(let sentence) = news { messages.warning(sentence) }
    }
    for warning in warnings { messages.warning("\(input.description.name): \(warning)") }
    let missed = hook?.finish() ?? 0
    if missed > 0 { messages.warning("--on-event was not run for \(missed) events") }
    if let failure {
      for message in failure.messages { messages.error(message) }
      if failure.exitCode == ExitStatus.closedPipe { return }
      try stage.output.write(LiveRecords.error(failure))
    }
    try stage.output.write(LiveRecords.summary(summary, tally))
    messages.note(tally.sentence(duration: summary.duration))
  }

  /// What was wrong with the sound.
  private var warnings: [String] {
    let nonFinite = monitor.snapshot.inputCounts.nonFinite
    return (input.recording?.warnings.map(\.description) ?? [])
      + (nonFinite == 0 ? [] : [InputAnalysis.warning(nonFiniteSamples: nonFinite)])
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

extension LiveTally {
  /// `12.340 s heard, 4.120 s of speech in 3 segments, 2 gaps with 0.030 s lost`.
  func sentence(duration: Timestamp) -> String {
    let segments = segmentCount == 1 ? "1 segment" : "\(segmentCount) segments"
    let gaps = gapCount == 1 ? "1 gap" : "\(gapCount) gaps"
    return "\(duration.seconds) s heard, \(speech(at: duration).seconds) s of speech in \(segments)"
      + (gapCount == 0 ? "" : ", \(lost.seconds) s lost in \(gaps)")
  }
}
