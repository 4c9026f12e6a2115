internal import Synchronization

/// One source's way through one detector: what runs on a monitor's analysis thread.
///
/// The thread waits for the source and for nothing else. Once it runs, it does not allocate; it locks
/// twice a block, to publish, and again for every event and every shown level, never for a hop as such.
final class Analysis: @unchecked Sendable {
  let source: any PCMSource
  /// When the source gives no data if nothing comes until then, CLOCK_MONOTONIC, ns. Any thread.
  var overdueAt: Int64 { deadline.load(ordering: .relaxed) }
  /// What the detector and the source have counted. Any thread.
  var totals: VoiceActivityTotals {
    var totals = control.totals
    totals.overruns = overruns.load(ordering: .relaxed)
    return totals
  }
  /// How long the detector took for its blocks. Any thread.
  var times: VoiceActivityTimes { control.times }

  private let deadline = Atomic(Int64.max)
  private let overruns = Atomic<UInt64>(0)
  private let control: VoiceActivityControl

  // What follows belongs to the thread.
  private var detector: VoiceActivityDetector
  private var block: PCMBlock
  private var watch: DataWatch
  private var health = SignalHealthTracker()
  private var signal = SignalHealth.starting
  private var position: UInt64 = 0
  private var hop: VoiceActivityHop?
  private var hopCount: UInt64 = 0
  /// The detector must be unmuted until it has decided a hop so.
  private var owesUnmutedHop = false

  /// Frames of a block at most, 85 ms at 48 kHz: a period's, or what has come while the thread was late.
  private static let blockCapacity = 4096
  /// A level for every fourth hop: 25 a second.
  private static let hopsPerLevel: UInt64 = 4

  init(
    _ source: any PCMSource, _ configuration: VoiceActivityDetector.Configuration,
    noDataAfter: Duration
  ) throws(MonitorError) {
    guard source.channelCount == 1 else { throw .severalChannels(source.channelCount) }
    var configuration = configuration
    configuration.sampleRate = source.sampleRate
    do {
      detector = try VoiceActivityDetector(configuration: configuration, isTimed: true)
    } catch {
      throw .detector(error)
    }
    control = detector.control
    self.source = source
    let limit = max(noDataAfter, .milliseconds(100)) / .nanoseconds(1)
    watch = DataWatch(limit: Int64(min(limit, 1e18)), at: monotonicTime())
    block = PCMBlock(channelCount: 1, capacity: Self.blockCapacity)
  }

  /// To the end of the source. Throws what the source throws.
  func run(_ muteSwitch: MuteSwitch, _ publisher: Publisher) throws {
    defer { finish(publisher) }
    watch.begin(at: monotonicTime())
    deadline.store(watch.deadline, ordering: .relaxed)
    while try read() {
      noteTime()
      mute(muteSwitch)
      listen(publisher)
      publish(publisher)
    }
  }

  /// Also of the read that meets the end: what it lost before counts.
  private func read() throws -> Bool {
    block.overruns = 0
    defer { overruns.wrappingAdd(block.overruns, ordering: .relaxed) }
    return try source.read(into: &block)
  }

  /// Before the block is published: whoever finds the source overdue looks again when nothing else can be published.
  private func noteTime() {
    let length = Int64(block.frameCount) * 1_000_000_000 / Int64(source.sampleRate)
    watch.came(length, at: monotonicTime())
    deadline.store(watch.deadline, ordering: .relaxed)
  }

  private func mute(_ muteSwitch: MuteSwitch) {
    let (isMuted, wasOpened) = muteSwitch.look()
    if wasOpened { owesUnmutedHop = true }
    detector.setMuted(isMuted && !owesUnmutedHop)
  }

  /// Gives the detector what is missing and what has come. In this order with the news that data comes
  /// again: what the detector said before a gap is not true behind it.
  private func listen(_ publisher: Publisher) {
    if block.missingFrames > 0 {
      detector.pushGap(
        block.missingFrames, onHop: { note($0, publisher) }, onEvent: publisher.handle)
    }
    if block.frameCount > 0, publisher.noteData() {
      (health, signal) = (SignalHealthTracker(), .starting)
    }
    block.withSamples(ofChannel: 0) { samples in
      detector.process(samples, onHop: { note($0, publisher) }, onEvent: publisher.handle)
    }
    position += block.missingFrames + UInt64(block.frameCount)
  }

  private func note(_ hop: VoiceActivityHop, _ publisher: Publisher) {
    if !hop.isMuted { owesUnmutedHop = false }
    if let changed = health.step(hop) { signal = changed }
    self.hop = hop
    hopCount += 1
    if hopCount % Self.hopsPerLevel == 0 { publisher.show(hop) }
  }

  /// Decides what still waited for its look-ahead, and ends what is open.
  private func finish(_ publisher: Publisher) {
    deadline.store(.max, ordering: .relaxed)
    detector.flush(onHop: { note($0, publisher) }, onEvent: publisher.handle)
    publish(publisher)
  }

  private func publish(_ publisher: Publisher) {
    publisher.update(
      position: position, hop: hop, counts: detector.inputCounts, signal: signal)
  }
}
