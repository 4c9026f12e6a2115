internal import Dispatch
internal import RealTime
internal import VoiceActivity

/// Gives an ``EchoReference`` what the clock of the microphone asks for.
///
/// Two devices have two clocks. If the reference's is fast, its ring fills: once more than 30 ms were left for a second,
/// the oldest are dropped, because the echo must not come before what plays. If it is slow or has nothing, silence takes
/// its place, and what comes later is later by that. Both shift the delay by steps that the echo follows.
///
/// The thread that fills the ring can be late on a busy machine. So the feed waits for samples before it gives silence:
/// up to its patience in all, until a feeding that needed no wait. A reference that is gone or slow is therefore waited
/// for once, not at every feeding.
///
/// Threads: belongs to the analysis thread.
struct ReferenceFeed: ~Copyable {
  var echo: EchoReference
  /// Whether a sample of the reference has arrived within the last second of the microphone.
  private(set) var isDelivering = false

  private var reader: SampleRing.Reader
  private let wake: DispatchSemaphore
  /// How long to wait for late samples, ns.
  private var patience: Int64
  /// How long of it is over.
  private(set) var waited: Int64 = 0
  /// Whether the ring was empty during the present feeding.
  private var isShort = false
  private let sampleRate: Int
  private let microphoneRate: Int
  /// What the microphone's frames are worth beyond whole samples of the reference, in parts of `microphoneRate`.
  private var rest = 0
  private var scratch: [Float]
  /// Lost samples of the reference that are not given yet.
  private var missing: UInt64 = 0
  private var framesSinceSample: Int
  /// The least number of samples left in the ring in the present second, and how much of it is over.
  private var leastLeft = Int.max
  private var framesOfSecond = 0

  /// The most frames of the microphone to feed at a time: 20 ms, which is well within what may be early.
  static func portion(ofRate rate: Int) -> Int { rate / 50 }

  /// Creates a feed.
  ///
  /// - Parameters:
  ///   - reader: The ring of the reference.
  ///   - wake: What the ring's writer signals to a reader that sleeps.
  ///   - patience: How long to wait for late samples, ns.
  init(
    _ reader: consuming SampleRing.Reader, wokenBy wake: DispatchSemaphore, patience: Int64,
    sampleRate: Int, microphoneRate: Int
  ) throws(VoiceActivityError) {
    echo = try EchoReference(sampleRate: sampleRate)
    self.reader = reader
    self.wake = wake
    self.patience = patience
    self.sampleRate = sampleRate
    self.microphoneRate = microphoneRate
    framesSinceSample = microphoneRate
    scratch = Array(repeating: 0, count: sampleRate / 50 + 1)
  }

  /// How many samples of the reference wait in the ring.
  var waitingSamples: Int { mutating get { reader.waiting() } }

  var status: ReferenceStatus { ReferenceStatus(isDelivering: isDelivering, echo: echo.status) }

  /// Feeds the reference of the next frames of the microphone, at most ``portion(ofRate:)``.
  mutating func feed(frames: Int) {
    rest += frames * sampleRate
    var wanted = rest / microphoneRate
    rest %= microphoneRate
    framesSinceSample = min(framesSinceSample + frames, microphoneRate)
    noteLeft(waitingSamples - wanted, frames)
    isShort = false
    while wanted > 0 {
      wanted -=
        giveMissing(wanted) ?? giveSamples(wanted) ?? (waitForMore() ? 0 : giveSilence(wanted))
    }
    if !isShort { waited = 0 }
    isDelivering = framesSinceSample < microphoneRate
  }

  private mutating func giveMissing(_ wanted: Int) -> Int? {
    guard missing > 0 else { return nil }
    let count = min(missing, UInt64(wanted))
    missing -= count
    return giveSilence(Int(count))
  }

  /// Gives samples of the ring, or `nil` if it has none.
  private mutating func giveSamples(_ wanted: Int) -> Int? {
    switch take(wanted) {
    case .samples(let count):
      framesSinceSample = 0
      let samples = scratch
      try? echo.push(samples.span.extracting(0..<count))
      return count
    case .gap(let lost):
      missing = lost
      return 0
    case .empty: return nil
    case .endOfStream:
      patience = 0
      return nil
    }
  }

  /// Waits for late samples. Returns whether the ring may hold some, `false` once the patience is over.
  private mutating func waitForMore() -> Bool {
    isShort = true
    guard waited < patience else { return false }
    guard reader.prepareToSleep() else { return true }
    let began = monotonicTime()
    _ = wake.wait(timeout: .now() + .nanoseconds(Int(patience - waited)))
    waited += monotonicTime() - began
    return true
  }

  private mutating func giveSilence(_ count: Int) -> Int {
    try? echo.pushSilence(UInt64(count))
    return count
  }

  private mutating func take(_ wanted: Int) -> SampleRing.Reader.Outcome {
    var filled = 0
    return scratch.withUnsafeMutableBufferPointer { scratch in
      reader.read(upTo: min(wanted, scratch.count)) { region in
        for index in region.indices { scratch[filled + index] = region[index] }
        filled += region.count
      }
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
    while left > 0, case .samples(let count) = take(left) { left -= count }
  }
}
