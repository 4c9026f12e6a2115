internal import RealTime
internal import Synchronization
internal import VoiceActivity

/// The analysis of one source by a detector for each of its channels: the work of a monitor's analysis thread.
///
/// The thread waits for its source, briefly for a late reference (``ReferenceFeed``), and for nothing else. While it
/// runs it does not allocate. It locks three times a block, to read the mute and to publish, again for every event and
/// every level shown, and to wake observers, but never for a hop as such.
///
/// `@unchecked Sendable` is safe because only the analysis thread touches the mutable properties; other threads read
/// the atomics, the source's count of overruns and the control. Relaxed order is enough for the atomics, because no
/// other memory depends on them.
final class Analysis: @unchecked Sendable {
  let source: any PCMSource
  /// When the source becomes overdue if nothing arrives (CLOCK_MONOTONIC, ns). Any thread may read it.
  var overdueAt: Int64 { deadline.load(ordering: .relaxed) }
  /// What the detector and the source have counted. Any thread may read it.
  var totals: VoiceActivityTotals {
    var totals = controls.reduce(into: VoiceActivityTotals()) { $0 += $1.totals }
    totals.overruns = source.overruns
    return totals
  }
  /// How long the detectors took for their blocks. Any thread may read it.
  var times: VoiceActivityTimes {
    controls.reduce(into: VoiceActivityTimes()) { $0 += $1.times }
  }

  private let deadline = Atomic(Int64.max)
  /// The changes of the input's gain that the detector has not taken yet, in thousandths of a dB.
  private let gainChange = Atomic(Int64(0))
  private let controls: [VoiceActivityControl]

  // Everything below belongs to the analysis thread.
  private var detectors: ChannelDetectors
  /// What the microphone is analysed beside, and the thread that reads it.
  private var feed: ReferenceFeed?
  private let reference: ReferenceInput?
  /// The most frames that are analysed at a time: after one feeding of the reference, or a second.
  private let portion: Int
  private var isReferenceDelivering = true
  private let cutter: BlockCutter?
  private var block: PCMBlock
  private var watch: DataWatch
  private var health = SignalHealthTracker()
  private var signal = SignalHealth.starting
  private var position: UInt64 = 0
  private var hop: VoiceActivityHop?
  private var hopCount: UInt64 = 0
  /// Whether a hop of the newest block was decided unmuted.
  private var hasUnmutedHop = false
  private var pace: BlockPace?

  /// The most frames in a block, 85 ms at 48 kHz: a period, or what arrived while the thread was late.
  private static let blockCapacity = 4096
  /// One level for every four hops: 25 a second.
  private static let hopsPerLevel: UInt64 = 4

  /// How much of a reference the ring holds for an analysis that is late, in seconds.
  private static let referenceSeconds = 2
  /// How long to wait for a reference that is late, ns: less than it takes until a source counts as giving no data.
  private static let referencePatience: Int64 = 90_000_000

  init(
    _ source: any PCMSource, beside reference: (any PCMSource)?,
    _ configuration: VoiceActivityMonitor.Configuration,
    speakerLevel: VoiceActivityDetector.SpeakerLevel?
  ) throws(MonitorError) {
    if reference != nil, source.channelCount != 1 { throw .severalChannels(source.channelCount) }
    var settings = configuration.detector
    settings.sampleRate = source.sampleRate
    do {
      detectors = try ChannelDetectors(
        channelCount: source.channelCount, configuration: settings, isTimed: true,
        speakerMargin: configuration.speakerMargin)
      cutter = try configuration.cutRules.map { rules throws(VoiceActivityError) in
        BlockCutter(try SpeechCutter(rules: rules, of: settings))
      }
      if let reference {
        let wake = Wakeup()
        let ring = SampleRing(
          capacity: Self.referenceSeconds * reference.sampleRate, wakeReader: { wake.signal() })
        feed = try ReferenceFeed(
          ring.reader, wokenBy: wake, patience: Self.referencePatience,
          latency: Self.holdingTime(configuration).nanoseconds,
          sampleRate: reference.sampleRate, microphoneRate: source.sampleRate)
        self.reference = ReferenceInput(reference, ring.writer)
      } else {
        feed = nil
        self.reference = nil
      }
    } catch {
      throw .detector(error)
    }
    if let speakerLevel { detectors.speakerLevel = speakerLevel }
    controls = detectors.controls
    portion =
      reference == nil ? source.sampleRate : ReferenceFeed.portion(ofRate: source.sampleRate)
    let time = reference == nil ? .zero : Self.holdingTime(configuration)
    self.source = time > .zero ? HeldBackSource(source, by: time) : source
    watch = DataWatch(limit: configuration.noDataLimit, at: monotonicTime())
    block = PCMBlock(channelCount: source.channelCount, capacity: Self.blockCapacity)
    pace = configuration.isPatient ? BlockPace(settings) : nil
  }

  /// By how much the microphone is held back beside a reference.
  private static func holdingTime(_ configuration: VoiceActivityMonitor.Configuration) -> Duration {
    min(max(configuration.referenceLatency, .zero), .seconds(1))
  }

  /// Analyses the source to its end. Throws what the source throws.
  func run(_ publisher: Publisher) throws {
    try reference?.start()
    defer {
      finish(publisher)
      reference?.finish()
    }
    watch.begin(at: monotonicTime())
    deadline.store(watch.deadline, ordering: .relaxed)
    while try read() {
      noteTime()
      let isMuted = publisher.mutesDetector(afterUnmutedHop: hasUnmutedHop)
      hasUnmutedHop = false
      detectors.setMuted(isMuted)
      takeGainChange()
      listen(publisher)
      publish(publisher)
      if let hop { pace?.adjust(&block, behind: hop, isMuted: isMuted) }
    }
  }

  /// Any thread may call it. Changes beyond ±60 dB count as ±60 dB.
  func changeInputGain(by decibels: Float) {
    let limited = decibels.isNaN ? 0 : min(max(decibels, -60), 60)
    gainChange.wrappingAdd(Int64((limited * 1000).rounded()), ordering: .relaxed)
  }

  private func takeGainChange() {
    let change = gainChange.exchange(0, ordering: .relaxed)
    if change != 0 { detectors.changeInputGain(by: Float(change) / 1000) }
  }

  private func read() throws -> Bool {
    block.clear()
    return try source.read(into: &block)
  }

  /// Moves the deadline.
  ///
  /// It must do so before the block is published: the watching task reads the deadline again under the publisher's
  /// lock, so that it cannot report a source as overdue after its data was published.
  private func noteTime() {
    let length = Int64(block.frameCount) * 1_000_000_000 / Int64(source.sampleRate)
    watch.came(length, at: monotonicTime())
    deadline.store(watch.deadline, ordering: .relaxed)
  }

  /// Passes the missing and the new samples to the detector.
  ///
  /// The gap comes first, then the news that data flows again, then the samples: what the detector reported before a
  /// gap no longer holds after it. An interruption comes last, because it begins behind the samples.
  private func listen(_ publisher: Publisher) {
    defer { if block.isInterrupted { publisher.interrupted() } }
    // At another microphone, the same user has another level.
    if block.isOtherDevice { detectors.speakerLevel = nil }
    if block.isOtherDevice || block.missingFrames > 0 {
      feed?.noteBreak(isOtherDevice: block.isOtherDevice)
    }
    if block.missingFrames > 0 {
      passGap(publisher)
      cutter?.pass(to: publisher)
    }
    if block.frameCount > 0, publisher.noteData() {
      (health, signal) = (SignalHealthTracker(), .starting)
    }
    passSamples(publisher)
    cutter?.pass(to: publisher)
    position += block.missingFrames + UInt64(block.frameCount)
  }

  private func passGap(_ publisher: Publisher) {
    var left = block.missingFrames
    while left > 0 {
      let count = min(left, UInt64(portion))
      if feed != nil {
        feedReference(position + block.missingFrames - left, frames: Int(count))
        detectors.only.pushGap(
          count, beside: &feed!.echo, onHop: { note($0, publisher) },
          onEvent: { handle($0, publisher) })
      } else {
        detectors.pushGap(
          count, onHop: { note($0, publisher) }, onEvent: { handle($0, publisher) })
      }
      left -= count
    }
  }

  private func passSamples(_ publisher: Publisher) {
    if feed != nil { return passPortions(publisher) }
    detectors.process(
      block, 0..<block.frameCount, onHop: { note($0, publisher) },
      onEvent: { handle($0, publisher) })
  }

  /// Passes the samples in portions, each after the reference of its time.
  private func passPortions(_ publisher: Publisher) {
    let first = position + block.missingFrames
    block.withSamples(ofChannel: 0) { samples in
      for start in stride(from: 0, to: samples.count, by: portion) {
        let portion = start..<min(start + portion, samples.count)
        feedReference(first + UInt64(start), frames: portion.count)
        feed!.compare(samples.extracting(portion))
        detectors.only.process(
          samples.extracting(portion), beside: &feed!.echo, onHop: { note($0, publisher) },
          onEvent: { handle($0, publisher) })
      }
    }
    guard let isDelivering = feed?.isDelivering, isDelivering != isReferenceDelivering else {
      return
    }
    isReferenceDelivering = isDelivering
    publisher.referenceDelivers(isDelivering)
  }

  private func feedReference(_ position: UInt64, frames: Int) {
    let offset = Double(position) / Double(source.sampleRate)
    feed!.feed(
      frames: frames, capturedAt: source.startTime.map { $0 + Int64(offset * 1e9) },
      start: reference?.startTime)
  }

  private func handle(_ event: VoiceActivityEvent, _ publisher: Publisher) {
    publisher.handle(event)
    pace?.note(event)
    cutter?.note(event, publisher)
  }

  private func note(_ hop: VoiceActivityHop, _ publisher: Publisher) {
    if !hop.isMuted { hasUnmutedHop = true }
    if let changed = health.step(hop) { signal = changed }
    self.hop = hop
    cutter?.note(hop, publisher)
    hopCount += 1
    if hopCount % Self.hopsPerLevel == 0 { publisher.show(hop) }
  }

  /// Decides the hops that still wait for their look-ahead, and ends open speech.
  private func finish(_ publisher: Publisher) {
    deadline.store(.max, ordering: .relaxed)
    if feed != nil {
      detectors.only.flush(
        beside: &feed!.echo, onHop: { note($0, publisher) }, onEvent: { handle($0, publisher) })
    } else {
      detectors.flush(onHop: { note($0, publisher) }, onEvent: { handle($0, publisher) })
    }
    cutter?.finish(at: position, publisher)
    publish(publisher)
  }

  private func publish(_ publisher: Publisher) {
    publisher.update(
      position: position, hop: hop, counts: detectors.inputCounts,
      signal: source.channelsCancel ? .cancelling : signal, reference: feed?.status,
      speakerLevel: detectors.speakerLevel,
      segments: cutter?.segments)
  }
}
