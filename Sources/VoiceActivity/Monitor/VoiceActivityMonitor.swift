/// Listens to a source and tells, as it happens, whether somebody speaks, and whether while muted.
///
/// ```swift
/// let monitor = try VoiceActivityMonitor(source: ALSASource("default"))
/// async let running: Void = monitor.run()
/// monitor.setMuted(true)
/// for await isSpeaking in monitor.isSpeakingWhileMuted where isSpeaking {
///   print("You are muted. Unmute to speak.")
/// }
/// try await running
/// ```
/// The samples go from the source to a detector on a thread that ``run()`` starts: source → ring →
/// analysis thread → observers. On the same samples, the decisions are those of an analysis offline.
///
/// Observers are never waited for: states are conflated, events are queued for each observer.
///
/// Threads: everything may be called on any.
public final class VoiceActivityMonitor: Sendable {
  /// How a monitor listens.
  public struct Configuration: Sendable, Hashable {
    /// What decides; the sample rate is the source's, whatever is set here.
    public var detector: VoiceActivityDetector.Configuration
    /// Whether the microphone is muted when listening begins.
    public var isMuted = false
    /// How long a source may be overdue until it gives no data (``SignalHealth/noData``). At least 100 ms.
    ///
    /// The limit follows the cadence of the source: sound that was delivered stands for the time until more is due. A
    /// microphone that delivers every 10 ms gives no data after little more than this limit; a host that delivers 2 s at
    /// a time does so after 2 s and this limit. At most 3 s of sound count, and the first sound may take 2 s longer.
    public var noDataAfter = Duration.milliseconds(500)
    /// Events that are kept for each observer that is slow, at least 2.
    public var eventCapacity = 256

    /// The defaults, with what decides.
    public init(detector: VoiceActivityDetector.Configuration = .init()) {
      self.detector = detector
    }
  }

  /// What runs now, and what shall run next.
  private struct Course {
    var hasRun = false
    var isStopped = false
    /// No source will be listened to any more.
    var hasEnded = false
    var present: Analysis
    var next: Analysis?
    /// Of the sources before the present one.
    var totalsBefore = VoiceActivityTotals()
    var timesBefore = VoiceActivityTimes()
  }

  /// What it was made with.
  public let configuration: Configuration

  private let publisher: Publisher
  private let muteSwitch: MuteSwitch
  private let course: Guarded<Course>

  /// Takes a source of one channel, which is the monitor's from now on.
  public init(
    source: any PCMSource, configuration: Configuration = .init()
  ) throws(MonitorError) {
    let analysis = try Analysis(
      source, configuration.detector, noDataAfter: configuration.noDataAfter)
    self.configuration = configuration
    publisher = Publisher(
      isMuted: configuration.isMuted, sampleRate: source.sampleRate,
      eventCapacity: configuration.eventCapacity)
    muteSwitch = MuteSwitch(isMuted: configuration.isMuted)
    course = Guarded(Course(present: analysis))
  }

  deinit {
    stop()
    publisher.end()
  }
}

// MARK: - Running

extension VoiceActivityMonitor {
  /// Listens until the source has ended, ``stop()`` is called or the task is cancelled, either of which
  /// takes as long as the source takes to end: a few milliseconds, and a quarter of a second if a device hangs. Once.
  ///
  /// What is undecided at the end is decided as if silence followed; open speech ends.
  ///
  /// Throws what the source throws when it fails, and ``MonitorError``.
  public func run() async throws {
    try begin()
    defer { publisher.end() }
    async let _: Void = watch()
    try await withTaskCancellationHandler {
      try await listen()
    } onCancel: {
      stop()
    }
  }

  /// Ends ``run()``.
  public func stop() {
    course.change { course in
      course.isStopped = true
      course.present.source.stop()
      course.next?.source.stop()
    }
  }

  /// Listens to another source from now on, say when the user chooses another microphone. Observers stay.
  /// The detector begins anew, and ``isSpeakingWhileMuted`` is false until it hears somebody there.
  ///
  /// To be called before the present source ends: with that the monitor does, and this throws
  /// ``MonitorError/hasEnded``.
  public func replaceSource(with source: any PCMSource) throws(MonitorError) {
    let next = try Analysis(
      source, configuration.detector, noDataAfter: configuration.noDataAfter)
    let hasEnded = course.change { course in
      guard !course.hasEnded, !course.isStopped else { return true }
      course.next = next
      course.present.source.stop()
      return false
    }
    if hasEnded { throw .hasEnded }
  }

  private func begin() throws(MonitorError) {
    let hasRun = course.change { course in
      defer { course.hasRun = true }
      return course.hasRun
    }
    if hasRun { throw .hasRun }
  }

  /// Starts the two threads and waits for the analysis to end.
  private func listen() async throws {
    do {
      let messenger = try JoinableThread { [publisher] in
        publisher.messenger.run(publisher.wakeObservers)
      }
      defer {
        publisher.messenger.stop()
        messenger.join()
      }
      try await JoinableThread.value(of: { [self] in try analyse() })
    } catch is ThreadError {
      throw MonitorError.noThread
    }
  }

  /// The analysis thread: one source after the other.
  private func analyse() throws {
    var isReplacement = false
    while let analysis = take(isReplacement: isReplacement) {
      publisher.begin(sampleRate: analysis.source.sampleRate, isReplacement: isReplacement)
      do {
        try analysis.run(muteSwitch, publisher)
      } catch  where course.change({ $0.next != nil }) {
        // It failed, but nobody listens to it any more.
      }
      isReplacement = true
    }
  }

  /// What to listen to now, if anything.
  private func take(isReplacement: Bool) -> Analysis? {
    course.change { course in
      if let next = course.next {
        course.totalsBefore += course.present.totals
        course.timesBefore += course.present.times
        course.present = next
        course.next = nil
      } else if isReplacement {
        course.hasEnded = true
      }
      return course.isStopped || course.hasEnded ? nil : course.present
    }
  }

  /// Notices when a source is overdue, and when the clocks move apart.
  private func watch() async {
    var clocks = ClockReading.now.map { ClockWatch($0) }
    var wait = Self.longestWatch
    repeat {
      if let reading = ClockReading.now, let shift = clocks?.look(reading) {
        publisher.clockShifted(shift)
      }
      let analysis = course.change { $0.present }
      publisher.noData(if: { analysis.overdueAt <= monotonicTime() })
      let left = Duration.nanoseconds(max(0, analysis.overdueAt - monotonicTime()))
      wait = left > .zero ? min(left, Self.longestWatch) : Self.longestWatch
    } while (try? await Task.sleep(for: wait)) != nil
  }

  /// Between two looks at the clocks, at most.
  private static let longestWatch = Duration.seconds(1)
}

// MARK: - What the host says

extension VoiceActivityMonitor {
  /// Says that the microphone is muted or not. Analysis goes on; speech while muted is what
  /// ``isSpeakingWhileMuted`` tells of. That is false at once when unmuted.
  public func setMuted(_ isMuted: Bool) {
    publisher.setMuted(isMuted, muteSwitch)
  }

  /// Says whether something that speech while muted needs is there. All are, until told otherwise.
  public func setRequirement(_ requirement: MutedSpeechRequirement, isMet: Bool) {
    publisher.setRequirement(requirement, isMet: isMet)
  }
}

// MARK: - What observers see

extension VoiceActivityMonitor {
  /// Somebody speaks, and the microphone is muted. ``SpeakingWhileMutedGate`` has the rules.
  public var isSpeakingWhileMuted: StateSequence<Bool> { publisher.isSpeakingWhileMuted.values }

  /// Whether the source can be heard.
  public var health: StateSequence<SignalHealth> { publisher.health.values }

  /// A hop for a meter, 25 a second; `nil` before the first.
  public var levels: StateSequence<VoiceActivityHop?> { publisher.level.values }

  /// Everything that happens from now on, for one observer.
  public var events: EventSequence { publisher.events.subscribe() }

  /// What was counted of all sources so far: for a reporter that looks now and then.
  public var totals: VoiceActivityTotals {
    course.change { $0.totalsBefore + $0.present.totals }
  }

  /// How long a block of any source so far took to analyse.
  public var times: VoiceActivityTimes {
    course.change { course in
      var times = course.timesBefore
      times += course.present.times
      return times
    }
  }

  /// How things stand.
  public var snapshot: MonitorSnapshot { publisher.snapshot }
}
