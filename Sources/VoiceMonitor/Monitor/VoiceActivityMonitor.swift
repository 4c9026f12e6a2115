public import RealTime
public import VoiceActivity

/// A monitor that listens to a source and reports, as it happens, whether somebody speaks, and whether while muted.
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
/// ``run()`` starts the thread that analyses. The samples take this path: source → ring → analysis thread → observers.
/// The decisions equal those of an offline analysis of the same samples.
///
/// The monitor never waits for an observer: states are conflated, and events are queued for each observer.
///
/// Threads: any thread may call any method.
public final class VoiceActivityMonitor: Sendable {
  /// The settings of a monitor.
  public struct Configuration: Sendable, Hashable {
    /// The detector's settings. The monitor replaces their sample rate by the source's.
    public var detector: VoiceActivityDetector.Configuration
    /// Whether the microphone is muted when listening begins.
    public var isMuted = false
    /// How long a source may be overdue before it counts as giving no data (``SignalHealth/noData``). At least 100 ms.
    ///
    /// The limit follows the source's cadence, because each delivery covers as much time as its sound lasts. A
    /// microphone that delivers every 10 ms gives no data after little more than this limit; a host that delivers 2 s
    /// at a time does so after 2 s plus this limit. At most 3 s of sound count, and the first sound may take 2 s
    /// longer.
    public var noDataAfter = Duration.milliseconds(500)
    /// How long a reference comes behind the microphone: the microphone is held back by it, and so is every decision.
    /// 0 … 1 s. The monitor of a sound server needs some 100 ms; a host that passes what it plays itself needs nothing.
    /// For samples that are later than that, the microphone waits up to 0.3 s before silence takes their place (90 ms
    /// if one of both does not know when it captured, ``ReferenceStatus/isTimed``).
    public var referenceLatency = Duration.zero
    /// How far below the user's own level muted speech is still the user's, in dB; `.infinity` turns it off.
    /// See `VoiceActivityDetector.setSpeakerMargin(_:)`.
    public var speakerMargin = VoiceActivityDetector.defaultSpeakerMargin
    /// What an earlier session learned of this user at the first source's microphone.
    public var speakerLevel: VoiceActivityDetector.SpeakerLevel?
    /// The rules by which speech is cut into segments to save, which ``MonitorEvent/Kind/segment(_:)`` reports; `nil`
    /// for none.
    public var cutRules: SpeechCutter.Rules?
    /// Whether the analysis may wait for twice the usual sound while nothing can be decided. Levels then come every
    /// 40 ms.
    package var isPatient = true
    /// The time of ``noDataAfter``, ns.
    var noDataLimit: Int64 { max(noDataAfter, .milliseconds(100)).nanoseconds }
    /// How many unread events are kept for each observer, at least 2.
    public var eventCapacity = 256

    /// Creates the default settings with those of a detector.
    public init(detector: VoiceActivityDetector.Configuration = .init()) {
      self.detector = detector
    }
  }

  /// The analysis that runs now, and the one that follows it.
  private struct Course {
    var hasRun = false
    var isStopped = false
    /// Whether no further source can be analysed.
    var hasEnded = false
    var present: Analysis
    var next: Analysis?
    /// The counts of the sources before the present one.
    var totalsBefore = VoiceActivityTotals()
    var timesBefore = VoiceActivityTimes()
  }

  /// The settings that the monitor was made with.
  public let configuration: Configuration

  private let publisher: Publisher
  private let course: Guarded<Course>

  /// Creates a monitor for a source. From now on the source belongs to the monitor.
  ///
  /// Each channel of the source gets its own detector, and speech is where any of them has it
  /// (`ChannelSelection.any`); ``levels`` then show the most of all channels. ``totals`` and ``times`` add up.
  ///
  /// - Parameters:
  ///   - source: The microphone. Beside a reference it has one channel.
  ///   - reference: What a loudspeaker beside the microphone plays, if there is one: the monitor of a sound server, or
  ///     a `HostPCM` that the host writes what it plays to. It belongs to the monitor, too, has any rate and
  ///     channels, which are mixed, and a clock of its own. If it gives nothing, the detector decides as without it,
  ///     and ``MonitorEvent/Kind/reference(isDelivering:)`` says so.
  ///   - configuration: The settings.
  /// - Throws: ``MonitorError`` if the source has several channels beside a reference, or the detector rejects a
  ///   setting.
  public init(
    source: any PCMSource, reference: (any PCMSource)? = nil, configuration: Configuration = .init()
  ) throws(MonitorError) {
    let analysis = try Analysis(
      source, beside: reference, configuration, speakerLevel: configuration.speakerLevel)
    self.configuration = configuration
    publisher = Publisher(
      isMuted: configuration.isMuted, sampleRate: source.sampleRate,
      eventCapacity: configuration.eventCapacity)
    course = Guarded(Course(present: analysis))
  }

  deinit {
    stop()
    publisher.end()
  }
}

// MARK: - Running

extension VoiceActivityMonitor {
  /// Listens until the source ends, ``stop()`` is called or the task is cancelled. Call it once.
  ///
  /// Stopping takes as long as the source needs to end: a few milliseconds, or a quarter of a second if a device hangs.
  /// At the end, the monitor decides the remaining hops as if silence followed, and ends open speech.
  ///
  /// - Throws: What the source throws when it fails, and ``MonitorError``.
  public func run() async throws {
    try begin()
    defer {
      course.change { $0.hasEnded = true }
      publisher.end()
    }
    try await withTaskCancellationHandler {
      try await listen()
    } onCancel: {
      stop()
    }
  }

  /// Ends ``run()``. Any thread may call it.
  public func stop() {
    course.change { course in
      course.isStopped = true
      course.present.source.stop()
      course.next?.source.stop()
    }
  }

  /// Listens to another source from now on, for example when the user chooses another microphone.
  ///
  /// Observers stay. The detector starts from nothing, without the user's own level, and ``isSpeakingWhileMuted`` is
  /// false until it detects speech in the new source. Call it before the present source ends, because the monitor ends
  /// with its source.
  ///
  /// - Parameters:
  ///   - source: The new microphone.
  ///   - reference: What a loudspeaker beside it plays, or `nil`. The present reference ends with the present source.
  /// - Throws: ``MonitorError/hasEnded`` if the monitor has ended or was stopped; the other errors as in the
  ///   initialiser.
  public func replaceSource(
    with source: any PCMSource, reference: (any PCMSource)? = nil
  ) throws(MonitorError) {
    let next = try Analysis(source, beside: reference, configuration, speakerLevel: nil)
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

  /// Starts the two threads and waits until the analysis has ended.
  private func listen() async throws {
    let outcome: Result<Void, any Error>
    do {
      let messenger = try JoinableThread { [self] in
        var clocks = ClockReading.now.map { ClockWatch($0) }
        var standstill = StandstillWatch(grace: configuration.noDataLimit)
        publisher.messenger.run(
          publisher.wakeObservers, looking: { watch(&clocks, &standstill) })
      }
      defer {
        publisher.messenger.stop()
        messenger.join()
      }
      outcome = try await JoinableThread.value { [self] in Result { try analyse() } }
    } catch {
      throw MonitorError.noThread
    }
    try outcome.get()
  }

  /// Runs on the analysis thread: analyses one source after the other.
  private func analyse() throws {
    var isReplacement = false
    while let analysis = take(isReplacement: isReplacement) {
      publisher.begin(sampleRate: analysis.source.sampleRate, isReplacement: isReplacement)
      do {
        try analysis.run(publisher)
      } catch {
        let isReplaced = course.change { course in
          course.hasEnded = course.next == nil
          return !course.hasEnded
        }
        // The error of a source that was replaced does not matter.
        if !isReplaced { throw error }
      }
      isReplacement = true
    }
  }

  /// Returns the analysis to run now, or `nil` if the monitor has ended.
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

  /// Reports when a source is overdue, and when the clocks move apart. Returns when to look again.
  private func watch(_ clocks: inout ClockWatch?, _ standstill: inout StandstillWatch) -> Int64 {
    standstill.looked(at: monotonicTime())
    if let reading = ClockReading.now, let shift = clocks?.look(reading) {
      publisher.clockShifted(shift)
    }
    let analysis = course.change { $0.present }
    var overdueAt: Int64 { standstill.excused(analysis.overdueAt) }
    publisher.noData(if: { overdueAt <= monotonicTime() })
    let now = monotonicTime()
    let latest = now + Self.longestWatch
    let next = overdueAt > now ? min(overdueAt, latest) : latest
    standstill.willLook(at: next)
    return next
  }

  /// The longest time between two readings of the clocks, ns.
  private static let longestWatch: Int64 = 1_000_000_000
}

// MARK: - Input from the host

extension VoiceActivityMonitor {
  /// Mutes or unmutes. The analysis continues, and speech while muted shows in ``isSpeakingWhileMuted``, which becomes
  /// false as soon as the microphone is unmuted.
  public func setMuted(_ isMuted: Bool) {
    publisher.setMuted(isMuted)
  }

  /// Reports that the gain of the microphone has changed by so many dB: a mixer, the volume of a source, an automatic
  /// gain control. What was learned of the user's own level moves with it, from the next block on.
  public func changeInputGain(by decibels: Float) {
    course.change { $0.present.changeInputGain(by: decibels) }
  }

  /// Sets whether a requirement of muted speech is met. All are met until the host sets them otherwise.
  public func setRequirement(_ requirement: MutedSpeechRequirement, isMet: Bool) {
    publisher.setRequirement(requirement, isMet: isMet)
  }
}

// MARK: - Output to observers

extension VoiceActivityMonitor {
  /// Whether somebody speaks while the microphone is muted. ``SpeakingWhileMutedGate`` defines the rules.
  public var isSpeakingWhileMuted: StateSequence<Bool> {
    StateSequence(publisher.isSpeakingWhileMuted)
  }

  /// The condition of the source.
  public var health: StateSequence<SignalHealth> { StateSequence(publisher.health) }

  /// The newest hop for a meter, 25 times a second; `nil` before the first.
  public var levels: StateSequence<VoiceActivityHop?> { StateSequence(publisher.level) }

  /// Everything that happens from now on, for one observer.
  public var events: EventSequence { EventSequence(publisher.events.subscribe()) }

  /// The counts of all sources so far, for a reporter that reads them now and then.
  public var totals: VoiceActivityTotals {
    course.change { $0.totalsBefore + $0.present.totals }
  }

  /// How long the blocks of all sources so far took to analyse.
  public var times: VoiceActivityTimes {
    course.change { course in
      var times = course.timesBefore
      times += course.present.times
      return times
    }
  }

  /// The monitor's state at this moment.
  public var snapshot: MonitorSnapshot { publisher.snapshot }
}
