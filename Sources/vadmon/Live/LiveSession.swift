import ALSAInput
import Annotations
import AudioInput
import Glibc
import RealTime
import SystemPackage
import VoiceActivity
import VoiceMonitor

/// The main loop of `vadmon live`: it waits for messages, keys and times, and shows the results.
///
/// The loop sleeps until one of them arrives. Without a meter and without levels, it wakes only for events and, for a
/// device, to look at its status twice a second. It never delays the capture or the analysis, and it never waits
/// for anything that may hang: printing, capturing and running programs each have a thread of their own, which is
/// abandoned at the end if necessary.
///
/// This file has the loop; the extensions in the files beside it handle the messages, the times that are due and the
/// end.
struct LiveSession {
  let options: LiveOptions
  let input: LiveInput
  let stage: LiveStage
  let inbox: LiveInbox
  let monitor: VoiceActivityMonitor
  let recorders: [Recorder]
  let segments: LiveSegmentQueue?
  let hook: EventHook?
  let messages: Messages

  var tally: LiveTally
  /// When the newest event reported was decided.
  var decidedAt = MediaTime.zero
  var watch: DeviceWatch
  var notice = NoticeTimer()
  /// `nil` if no other input is opened.
  var otherInputs: OtherInputSearch?
  /// What is wrong with the reference, as far as it was reported.
  var referenceFaults: Set<ReferenceChange> = []
  /// Whether the times of the reference were unknown at the last look.
  var isUntimed = false
  var trouble: String?
  /// The newest warning, and until when the meter shows it, because the meter covers the place where it was printed.
  var remark: (text: String, end: Ticker.Instant)?
  var hasKeys = false
  /// Whether standard output has a reader.
  var hasReader = true
  var isFrozen = false
  var phase = Phase.listening
  var outcome = Outcome()

  let startedAt: WallClock
  let start = ContinuousClock.now
  /// When `--duration` is over.
  let end: Ticker.Instant?
  var drawing: Ticker?
  var looking: Ticker?
  var measuring: Ticker?
  var lastLevel: UInt64?
  var clock: StreamClock

  /// The interval between drawings: at most 20 a second.
  private static let frameInterval = Duration.milliseconds(50)
  static let remarkDuration = Duration.seconds(10)

  init(
    _ options: LiveOptions, _ opened: InputOpening.Opened, _ stage: LiveStage, _ hook: EventHook?,
    _ inbox: LiveInbox, _ messages: Messages
  ) throws(RunError) {
    (self.options, self.stage, self.hook, self.inbox) = (options, stage, hook, inbox)
    (input, startedAt) = (opened.input, opened.startedAt)
    (recorders, segments) = (opened.recorders, opened.segments)
    tally = LiveTally(saves: options.segments != nil)
    self.messages = messages
    var source = opened.source
    // A file starts to play when listening begins, so its first sound is not late.
    if input.description.kind != .file {
      source = FirstSound(source) { inbox.put(.soundBegan($0)) }
    }
    monitor = try Self.monitor(source, opened.reference, options)
    segments?.follow(monitor)
    watch = DeviceWatch(isWaiting: opened.hasWaited)
    otherInputs = options.looksAtOtherInputs ? OtherInputSearch() : nil
    end = opened.hasWaited ? opened.end : options.duration.map { [start] in start + $0 }
    clock = StreamClock(at: start)
    drawing = stage.hasMeter ? Ticker(every: Self.frameInterval, from: start) : nil
    looking = input.device.map { _ in Ticker(every: DeviceWatch.interval, from: start) }
    measuring = options.levelRate.map { Ticker(every: .seconds(1) / $0, from: start) }
  }

  private static func monitor(
    _ source: any PCMSource, _ reference: (any PCMSource)?, _ options: LiveOptions
  ) throws(RunError) -> VoiceActivityMonitor {
    var configuration = VoiceActivityMonitor.Configuration(detector: options.detector)
    configuration.isMuted = options.startsMuted
    configuration.referenceLatency = options.reference?.latency ?? .zero
    configuration.speakerMargin = options.speakerMargin
    configuration.speakerLevel = options.speakerLevel
    configuration.cutRules = options.segments?.shaping.rules
    configuration.isPatient = options.levelRate.map { $0 <= 25 } ?? true
    do {
      return try VoiceActivityMonitor(
        source: source, reference: reference, configuration: configuration)
    } catch {
      throw RunError("cannot listen: \(error)")
    }
  }

  /// Runs to the end of the input, until the duration has passed or until the user stops it.
  mutating func run() -> Int32 {
    if let path = options.record { messages.note("recording to \(path.nameAsInput)") }
    if let folder = options.segments?.saving.folder {
      messages.note("saving segments to \(folder.nameAsInput)")
    }
    stage.output.write(LiveRecords.config(options, input.description, startedAt: startedAt))
    listen()
    takeKeys()
    while phase != .over {
      wait()
      handleNews()
      handleTimes(.now)
    }
    stage.display.close()
    finish()
    return outcome.exitCode
  }

  /// Takes keys from standard input, unless it is the source of sound, and only while a meter shows their effect.
  mutating func takeKeys() {
    let isWanted = phase != .over && stage.hasMeter && input.description.kind != .standardInput
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
  mutating func stop() {
    if phase == .listening { phase = .stopping }
    inbox.deadline.begin()
    monitor.stop()
  }

  /// The time from which on the end no longer waits for the device.
  var deviceLimit: Ticker.Instant? {
    inbox.deadline.instant(reserving: StopDeadline.deviceReserve)
  }

  func time(_ frames: UInt64) -> MediaTime {
    MediaTime(samples: frames, rate: input.description.sampleRate)
  }
}

// MARK: - Waiting

extension LiveSession {
  /// Waits until there is a message, a key is pressed, the reader of the results has gone, or a time is due.
  private mutating func wait() {
    let deadlines = [
      isFrozen ? nil : drawing?.next, looking?.next, measuring?.next, notice.end,
      otherInputs?.next, deviceLimit, phase == .listening ? end : nil,
    ]
    let timeout = deadlines.compactMap(\.self).min().map { deadline in
      Int32(clamping: max(0, Int(((deadline - .now) / .milliseconds(1)).rounded(.up))))
    }
    var waited = [
      pollfd(fd: inbox.wake.descriptor.rawValue, events: Int16(POLLIN), revents: 0),
      pollfd(fd: hasKeys ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
      // poll(2) always reports errors.
      pollfd(fd: hasReader ? STDOUT_FILENO : -1, events: 0, revents: 0),
    ]
    poll(&waited, nfds_t(waited.count), timeout ?? -1)
    if waited[1].revents != 0 { handleKeys() }
    if waited[2].revents & Int16(POLLERR) != 0 {
      outputFailed(FileDescriptor.standardOutput.readerHasGone)
    }
  }

  /// Ends the session: without output, listening has no purpose. What was heard is still saved.
  mutating func outputFailed(_ error: OutputError) {
    outcome.fail(RunError(error))
    guard let signal = error.missingReader else { return stop() }
    hasReader = false
    EndingSignals.requestEnd(by: signal)
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
