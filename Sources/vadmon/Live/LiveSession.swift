import ALSAInput
import AudioInput
import Glibc
import SystemPackage
import VoiceActivity

/// The main loop of `vadmon live`: it waits for messages, keys and times, and shows the results.
///
/// The loop sleeps until one of them arrives. Without a meter and without levels, it wakes only for events and, for a
/// device, to look at its status four times a second. It never delays the capture or the analysis, and it never waits
/// for anything that may hang: printing, capturing and running programs each have a thread of their own, which is
/// abandoned at the end if necessary.
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
  /// The newest warning, and until when the meter shows it, because the meter covers the place where it was printed.
  private var remark: (text: String, end: Ticker.Instant)?
  private var hasKeys = false
  private var isFrozen = false
  private var isStopping = false
  private var isOver = false
  private var isTerminated = false
  private var failure: RunError?
  /// Whether sound that should have been recorded was lost.
  private var hasLostRecording = false

  private let startedAt = WallClock.now
  private let start = ContinuousClock.now
  private var drawing: Ticker?
  private var looking: Ticker?
  private var measuring: Ticker?
  private var lastLevel: UInt64?

  /// The interval between drawings: at most 20 a second.
  private static let frameInterval = Duration.milliseconds(50)
  private static let remarkDuration = Duration.seconds(10)

  init(
    _ options: LiveOptions, _ input: LiveInput, _ stage: LiveStage, _ inbox: LiveInbox,
    _ messages: Messages
  ) throws(RunError) {
    (self.options, self.input, self.stage, self.inbox) = (options, input, stage, inbox)
    self.messages = messages
    let warn: @Sendable (String) -> Void = { inbox.put(.warning($0)) }
    var source = input.source
    if let path = options.record {
      let (recorder, tap) = try Recorder.record(
        source, to: path, onFailure: { inbox.put(.recordingEnded($0)) })
      (self.recorder, source) = (recorder, tap)
    } else {
      recorder = nil
    }
    // A file starts to play when listening begins, so its first sound is not late.
    if input.description.kind != .file {
      source = FirstSound(source) { inbox.put(.soundBegan($0)) }
    }
    monitor = try Self.monitor(source, options)
    if let command = options.hook {
      hook = try EventHook(command, isQuiet: options.isQuiet || stage.hasMeter, warn: warn)
    } else {
      hook = nil
    }
    drawing = stage.hasMeter ? Ticker(every: Self.frameInterval, from: start) : nil
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

  /// Runs to the end of the input, until the duration has passed or until the user stops it.
  mutating func run() -> Int32 {
    if let recorder { messages.note("recording to \(recorder.path.nameAsInput)") }
    stage.output.write(LiveRecords.config(options, input.description, startedAt: startedAt))
    listen()
    takeKeys()
    while !isOver {
      wait()
      handleNews()
      handleTimes(.now)
    }
    stage.display.close()
    finish()
    if let failure { return failure.exitCode }
    if hasLostRecording { return ExitStatus.inputOutput }
    return isTerminated ? ExitStatus.ended(by: SIGTERM) : 0
  }

  /// Takes keys from standard input, unless it is the source of sound, and only if a meter shows their effect.
  private mutating func takeKeys() {
    let isWanted = stage.hasMeter && input.description.kind != .standardInput
    hasKeys = isWanted && TerminalModes.takeKeys()
  }
}

// MARK: - Listening

extension LiveSession {
  /// Starts the monitor and forwards its events to the inbox.
  private func listen() {
    // Subscribe before the task starts: a signal may mute at any time from here on.
    let events = monitor.events
    Task.detached { [monitor, inbox] in
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

  /// Starts an orderly end. The monitor reports when it has ended.
  private mutating func stop() {
    isStopping = true
    inbox.deadline.begin()
    monitor.stop()
  }

  /// The time from which on the end no longer waits for the device.
  private var deviceLimit: Ticker.Instant? {
    inbox.deadline.instant(reserving: StopDeadline.deviceReserve)
  }

  private func time(_ frames: UInt64) -> Timestamp {
    Timestamp(samples: frames, rate: input.description.sampleRate)
  }
}

// MARK: - Waiting

extension LiveSession {
  /// Waits until there is a message, a key is pressed, the reader of the results has gone, or a time is due.
  private mutating func wait() {
    let deadlines = [
      isFrozen ? nil : drawing?.next, looking?.next, measuring?.next, notice.end,
      deviceLimit, isStopping ? nil : options.duration.map { start + $0 },
    ]
    let timeout = deadlines.compactMap(\.self).min().map { deadline in
      Int32(clamping: max(0, Int(((deadline - .now) / .milliseconds(1)).rounded(.up))))
    }
    var waited = [
      pollfd(fd: inbox.wake.descriptor.rawValue, events: Int16(POLLIN), revents: 0),
      pollfd(fd: hasKeys ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
      // poll(2) always reports errors.
      pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
    ]
    poll(&waited, nfds_t(waited.count), timeout ?? -1)
    if waited[1].revents != 0 { handleKeys() }
    if waited[2].revents & Int16(POLLERR) != 0 { outputFailed(.closedPipe) }
  }

  /// Ends the session: without output, listening has no purpose.
  private mutating func outputFailed(_ error: OutputError) {
    failure = RunError(error)
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
        // Shows that the meter is frozen, or its present state.
        draw()
      }
    }
  }
}

// MARK: - News

extension LiveSession {
  private mutating func handleNews() {
    for news in inbox.take() {
      switch news {
      case .event(let event): handle(event)
      case .warning(let sentence): warn(sentence)
      case .recordingEnded(let sentence): recordingEnded(sentence)
      case .unwritable(let error): outputFailed(error)
      case .mute(let isMuted): monitor.setMuted(isMuted)
      case .soundBegan(let time): soundBegan(at: time)
      case .opened: break
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

  private mutating func recordingEnded(_ sentence: String) {
    let now = time(monitor.snapshot.position)
    hasLostRecording = true
    report(LiveEvent(kind: .recordingEnded(sentence), time: now, decidedAt: now))
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

  private mutating func handle(_ event: MonitorEvent) {
    guard let event = LiveEvent(event, rate: input.description.sampleRate) else { return }
    switch event.kind {
    case .mutedSpeech(let isSpeaking): notice.update(isSpeakingWhileMuted: isSpeaking, at: .now)
    case .mute(false): notice.microphoneUnmuted()
    default: break
    }
    report(event)
  }

  private mutating func report(_ event: LiveEvent) {
    tally.take(event)
    if options.hook?.kinds?.contains(event.name) != false {
      hook?.put(event.facts, standing: event.standing)
    }
    stage.output.write(event)
    if case .dropped = event.kind, stage.output.form != .text { warn(event.text) }
  }
}

// MARK: - Times

extension LiveSession {
  private mutating func handleTimes(_ now: Ticker.Instant) {
    if let duration = options.duration, !isStopping, now >= start + duration { stop() }
    if let deviceLimit, now >= deviceLimit { abandon() }
    notice.dismissIfOver(at: now)
    if looking?.isDue(at: now) == true { look() }
    if let due = measuring?.next, now >= due { measure(now) }
    if drawing?.isDue(at: now) == true, !isFrozen { draw() }
  }

  /// Ends without waiting for a device that hangs.
  private mutating func abandon() {
    guard !isOver else { return }
    isOver = true
    messages.warning(
      "\(input.description.nameInMessages) does not answer; ended without waiting for it")
  }

  private mutating func look() {
    guard let status = input.device?.status, let change = watch.look(status) else { return }
    trouble = change.state == .capturing ? nil : change.sentence
    let now = time(monitor.snapshot.position)
    report(LiveEvent(kind: .device(change), time: now, decidedAt: now))
  }

  /// Writes the newest level, as soon as there is a new one.
  private mutating func measure(_ now: Ticker.Instant) {
    guard let hop = monitor.snapshot.hop, hop.position != lastLevel else {
      measuring?.postpone(to: now)
      return
    }
    _ = measuring?.isDue(at: now)
    lastLevel = hop.position
    stage.output.write(level: LiveRecords.level(hop, rate: input.description.sampleRate))
  }

  private func draw() {
    if stage.hasMeter { stage.draw(meterState(monitor.snapshot)) }
  }

  private func meterState(_ snapshot: MonitorSnapshot) -> MeterState {
    let elapsed = time(snapshot.position)
    var state = MeterState(
      input: input.description.title, onsetThreshold: options.detector.onsetThreshold,
      offsetThreshold: options.detector.offsetThreshold)
    state.elapsed = elapsed
    state.reading = watch.isCapturing ? snapshot.hop.map(MeterState.Reading.init) : nil
    state.isMuted = snapshot.isMuted
    state.isSpeakingWhileMuted = snapshot.isSpeakingWhileMuted
    state.showsNotice = notice.isShown
    let remark = remark.flatMap { $0.end > .now ? $0.text : nil }
    state.troubles = [trouble, snapshot.health.trouble, remark].compactMap(\.self)
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
  private mutating func finish() {
    // A user who stops vadmon wants it to end now; at the end of a recording there is more time.
    let patience = Patience(.seconds(5), until: inbox.deadline)
    recorder?.finish(patience.reserving(StopDeadline.hookReserve))
    handleLastNews()
    for warning in warnings { messages.warning("\(input.description.nameInMessages): \(warning)") }
    finishHook(patience.reserving(StopDeadline.hookReserve))
    // The disk has had more time meanwhile.
    recorder?.giveUp(patience, heard: monitor.snapshot.position)
    handleLastNews()
    for message in failure?.messages ?? [] { messages.error(message) }
    if failure?.exitCode == ExitStatus.closedPipe { return }
    if let failure { stage.output.write(LiveRecords.error(failure)) }
    stage.output.write(LiveRecords.summary(summary, tally))
    messages.note(tally.sentence(duration: summary.duration))
    finishOutput(patience)
  }

  private mutating func handleLastNews() {
    for news in inbox.take() {
      switch news {
      case .warning(let sentence): messages.warning(sentence)
      case .recordingEnded(let sentence): recordingEnded(sentence)
      case .event(let event): handle(event)
      case .soundBegan(let time): soundBegan(at: time)
      case .terminated: isTerminated = true
      default: break
      }
    }
  }

  private mutating func finishHook(_ patience: Patience) {
    guard let missed = hook?.finish(patience), missed > 0 else { return }
    report(LiveEvent.dropped(missed, by: .onEvent, at: time(monitor.snapshot.position)))
  }

  private mutating func finishOutput(_ patience: Patience) {
    do throws(OutputError) {
      let unwritten = try stage.output.finish(patience)
      guard unwritten > 0 else { return }
      let lines = unwritten == 1 ? "1 line was" : "\(unwritten) lines were"
      messages.error("\(lines) not written, for nobody reads standard output")
      failure = failure ?? RunError([], exitCode: ExitStatus.inputOutput)
    } catch {
      if failure == nil { for message in RunError(error).messages { messages.error(message) } }
      failure = failure ?? RunError(error)
    }
  }

  /// The warnings about the input's sound.
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
