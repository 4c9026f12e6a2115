internal import RealTime
internal import VoiceActivity

/// Gives an ``EchoReference`` what the clock of the microphone asks for.
///
/// Both sources know when a frame was captured (`PCMSource.startTime`), and the reference is aligned by that: each
/// frame of the microphone meets what was captured a little later, by ``lead``, so that an echo never seems to come
/// before what plays. What is missing is silence, and what comes too late is left out. Neither a busy machine nor the
/// drift of two clocks moves anything then.
///
/// Where a source does not know, the order of arrival has to do. If the reference's clock is fast, its ring fills: once
/// more than 30 ms were left for a second, the oldest are dropped, because the echo must not come before what plays. If
/// it is slow or has nothing, silence takes its place, and what comes later is later by that. Both shift the delay by
/// steps that the echo follows.
///
/// The thread that fills the ring can be late on a busy machine. So the feed waits for samples before it gives silence:
/// until they are overdue, or without times up to its patience in all, until a feeding that needed no wait. A reference
/// that is gone or slow is therefore waited for once, not at every feeding.
///
/// Threads: belongs to the analysis thread.
struct ReferenceFeed: ~Copyable {
  var echo: EchoReference
  /// Whether a sample of the reference has arrived within the last second of the microphone, or it has just begun.
  private(set) var isDelivering = false
  /// Whether what was given last was aligned by the times of capture.
  private(set) var isTimed = true

  private var copyCheck: CopyCheck
  private var reader: SampleRing.Reader
  private let wake: Wakeup
  /// How long to wait for late samples without times, ns.
  private var patience: Int64
  /// How long of it is over.
  private(set) var waited: Int64 = 0
  /// How long after their capture samples are waited for, ns.
  private let longestDelay: Int64
  /// Until when to wait for the samples of the present feeding, CLOCK_MONOTONIC, ns.
  private var overdueAt: Int64 = 0
  /// Whether samples were overdue and none have come since.
  private var isGone = false
  /// Whether the ring was empty during the present feeding.
  private var isShort = false
  private let sampleRate: Int
  private let microphoneRate: Int
  /// The remainder of converting frames of the microphone to samples of the reference, in parts of `microphoneRate`.
  private var rest = 0
  private var scratch: [Float]
  /// The position in the reference's stream of the next sample to give.
  private var cursor: Int64 = 0
  /// Whether both times are known now.
  private var hasTimes = false
  private var framesSinceSample = 0
  /// The least number of samples left in the ring in the present second, and how much of it is over.
  private var leastLeft = Int.max
  private var framesOfSecond = 0

  /// How much later than the microphone's frames what they meet was captured: a hop. Times are a little wrong, and only
  /// what plays before it is heard can be found.
  static let lead = Duration.milliseconds(20)
  /// How far the times of two clocks may move apart before the reference is shifted, in parts of a second.
  private static let tolerance = 200
  /// How much longer than the microphone is held back to wait for samples, ns: less than it takes until a source counts
  /// as giving no data.
  private static let grace: Int64 = 300_000_000

  /// The most frames of the microphone to feed at a time: 20 ms, which is well within what may be early.
  static func portion(ofRate rate: Int) -> Int { rate / 50 }

  /// Creates a feed.
  ///
  /// - Parameters:
  ///   - reader: The ring of the reference, whose positions are those of its source.
  ///   - wake: What the ring's writer signals to a reader that sleeps.
  ///   - patience: How long to wait for late samples without times, ns.
  ///   - latency: By how much the microphone is held back, ns.
  init(
    _ reader: consuming SampleRing.Reader, wokenBy wake: Wakeup, patience: Int64,
    latency: Int64 = 0, sampleRate: Int, microphoneRate: Int
  ) throws(VoiceActivityError) {
    echo = try EchoReference(sampleRate: sampleRate)
    copyCheck = CopyCheck(microphoneRate: microphoneRate, referenceRate: sampleRate)
    self.reader = reader
    self.wake = wake
    self.patience = patience
    longestDelay = latency + Self.grace
    self.sampleRate = sampleRate
    self.microphoneRate = microphoneRate
    scratch = Array(repeating: 0, count: sampleRate / 50 + 1)
  }

  /// How many samples of the reference wait in the ring.
  var waitingSamples: Int { mutating get { reader.waiting() } }

  var status: ReferenceStatus {
    ReferenceStatus(
      isDelivering: isDelivering, isTimed: isTimed, isCopy: copyCheck.hasFoundCopy,
      echo: isTimed ? echo.status.earlier(by: Self.lead) : echo.status)
  }

  /// Feeds the reference of the next frames of the microphone, at most ``portion(ofRate:)``.
  ///
  /// - Parameters:
  ///   - time: When the first of the frames was captured; `nil` if that is not known.
  ///   - start: When the first frame of the reference was captured. Both: CLOCK_MONOTONIC, ns.
  mutating func feed(frames: Int, capturedAt time: Int64? = nil, start: Int64? = nil) {
    rest += frames * sampleRate
    var wanted = rest / microphoneRate
    rest %= microphoneRate
    framesSinceSample = min(framesSinceSample + frames, microphoneRate)
    if let time, let start {
      align(time, start)
    } else {
      if hasTimes { (cursor, hasTimes) = (Int64(bitPattern: reader.position), false) }
      noteLeft(waitingSamples - wanted, frames)
    }
    isShort = false
    while wanted > 0 { wanted -= give(wanted) ?? (waitForMore() ? 0 : giveLack(wanted)) }
    if !isShort { waited = 0 }
    let delivered = isDelivering
    isDelivering = framesSinceSample < microphoneRate
    if isDelivering != delivered { copyCheck.restart() }
  }

  /// Compares the frames of the microphone with the reference that was fed last: they may be a copy of it.
  mutating func compare(_ samples: Span<Float>) {
    if !copyCheck.isOver { copyCheck.compare(samples) }
  }

  /// Notes that something of the microphone is missing, or that it is another one.
  mutating func noteBreak(isOtherDevice: Bool) {
    if isOtherDevice { copyCheck.restart() } else { copyCheck.clear() }
  }

  private mutating func align(_ time: Int64, _ start: Int64) {
    overdueAt = time + longestDelay
    let later = Double(time - start) / 1e9 + Self.lead / .seconds(1)
    let due = Int64((later * Double(sampleRate)).rounded())
    if !hasTimes || abs(due - cursor) > sampleRate / Self.tolerance { cursor = due }
    hasTimes = true
  }

  /// Gives samples of the ring, or silence for those that it lacks before the next. Leaves out what comes too late.
  /// Returns `nil` if the ring has nothing.
  private mutating func give(_ wanted: Int) -> Int? {
    let lead = Int64(bitPattern: reader.position) - cursor
    if lead > 0 {
      cursor += min(lead, Int64(wanted))
      return giveSilence(Int(min(lead, Int64(wanted))))
    }
    switch read(lead < 0 ? Int(min(-lead, Int64(scratch.count))) : wanted) {
    case .samples(let count):
      isGone = false
      guard lead == 0 else { return 0 }
      (framesSinceSample, isTimed) = (0, hasTimes)
      cursor += Int64(count)
      let samples = scratch
      try? echo.push(samples.span.extracting(0..<count))
      if !copyCheck.isOver { copyCheck.play(samples.span.extracting(0..<count)) }
      return count
    case .gap: return 0
    case .empty: return nil
    case .endOfStream:
      (patience, isGone) = (0, true)
      return nil
    }
  }

  /// Waits for late samples. Returns whether the ring may hold some, `false` once the patience is over.
  private mutating func waitForMore() -> Bool {
    isShort = true
    let began = monotonicTime()
    let left = hasTimes ? (isGone ? 0 : overdueAt - began) : patience - waited
    guard left > 0, reader.sleep(on: wake, until: began + left) else { return false }
    waited += monotonicTime() - began
    return true
  }

  /// Gives silence for samples that have not come. By times they come too late; by arrival everything comes later.
  private mutating func giveLack(_ count: Int) -> Int {
    isGone = true
    if hasTimes { cursor += Int64(count) }
    return giveSilence(count)
  }

  private mutating func giveSilence(_ count: Int) -> Int {
    try? echo.pushSilence(UInt64(count))
    if !copyCheck.isOver { copyCheck.playSilence(count) }
    return count
  }

  private mutating func read(_ wanted: Int) -> SampleRing.Reader.Outcome {
    scratch.withUnsafeMutableBufferPointer { scratch in
      let count = min(wanted, scratch.count)
      var room = UnsafeMutableBufferPointer(rebasing: scratch[..<count]).mutableSpan
      return reader.read(into: &room)
    }
  }

  /// Drops 20 ms if more than 30 ms were left in the ring for a whole second, or all but 10 ms of more than 60 ms.
  private mutating func noteLeft(_ left: Int, _ frames: Int) {
    let millisecond = sampleRate / 1000
    leastLeft = min(leastLeft, left)
    framesOfSecond += frames
    guard framesOfSecond >= microphoneRate else { return }
    if leastLeft > 30 * millisecond {
      drop(leastLeft > 60 * millisecond ? leastLeft - 10 * millisecond : 20 * millisecond)
    }
    (leastLeft, framesOfSecond) = (.max, 0)
  }

  private mutating func drop(_ count: Int) {
    var left = count
    while left > 0, case .samples(let count) = read(left) { left -= count }
    cursor += Int64(count - left)
  }
}
