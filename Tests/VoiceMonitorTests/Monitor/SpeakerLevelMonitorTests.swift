import Dispatch
import TestSupport
import Testing

@testable import RealTime
@testable import VoiceActivity
@testable import VoiceMonitor

/// The user's own level, from the samples of a host to observers.
@Suite(.timeLimit(.minutes(5))) struct SpeakerLevelMonitorTests {
  /// Three times the recording: more than 3 s of sure speech.
  fileprivate static let talk = {
    let recording = try! TelephoneSpeech.samples(rate: 8000)
    return recording + recording + recording
  }()

  private static let television = talk.map { $0 * 0.056 }  // 25 dB below

  private struct Call: ~Copyable {
    let monitor: VoiceActivityMonitor
    let running: Task<Void, any Error>
    var writer: SampleRing.Writer

    init(_ change: (inout VoiceActivityMonitor.Configuration) -> Void = { _ in }) throws {
      let pcm = HostPCM(sampleRate: 8000, seconds: 120)
      var configuration = VoiceActivityMonitor.Configuration()
      change(&configuration)
      let monitor = try VoiceActivityMonitor(source: pcm.source, configuration: configuration)
      self.monitor = monitor
      running = Task { try await monitor.run() }
      writer = pcm.writer
    }

    /// Writes samples and waits until all of them were analysed.
    mutating func hear(_ samples: [Float]) async throws {
      _ = writer.write(samples.span)
      let end = writer.position
      try await waitUntil("the analysis at \(end)") { [monitor] in monitor.snapshot.position == end
      }
    }

    /// How often muted speech began in all.
    var notices: UInt64 { monitor.totals.mutedSpeeches }

    consuming func end() async throws {
      monitor.stop()
      try await running.value
    }
  }

  @Test func aTelevisionFarBelowTheUserIsNotTheUser() async throws {
    var call = try Call()
    try await call.hear(Self.talk)
    let learned = try #require(call.monitor.snapshot.speakerLevel)
    #expect(learned.learned >= .seconds(3) && (-40 ... -5).contains(learned.dBFS))
    call.monitor.setMuted(true)
    try await call.hear(Self.television)
    #expect(call.notices == 0)
    try await call.hear(Self.talk)
    #expect(call.notices > 0)
    #expect(call.monitor.snapshot.speakerLevel == learned, "muted")
    try await call.end()
  }

  @Test func withoutAMarginEveryVoiceIsReported() async throws {
    var call = try Call { $0.speakerMargin = .infinity }
    try await call.hear(Self.talk)
    call.monitor.setMuted(true)
    try await call.hear(Self.television)
    #expect(call.notices > 0)
    try await call.end()
  }

  @Test func aLevelOfAnEarlierSessionCountsAtOnce() async throws {
    var first = try Call()
    try await first.hear(Self.talk)
    let kept = first.monitor.snapshot.speakerLevel
    try await first.end()
    for level in [kept, nil] {
      var call = try Call {
        $0.speakerLevel = level
        $0.isMuted = true
      }
      try await call.hear(Self.television)
      #expect((call.notices == 0) == (level != nil))
      try await call.end()
    }
  }

  @Test func aReportedGainMovesTheLevel() async throws {
    var call = try Call()
    try await call.hear(Self.talk)
    call.monitor.setMuted(true)
    let before = try #require(call.monitor.snapshot.speakerLevel)
    for change in [-25, .nan, 5] as [Float] { call.monitor.changeInputGain(by: change) }
    try await call.hear(Self.television)
    let after = try #require(call.monitor.snapshot.speakerLevel)
    #expect(abs(after.dBFS - before.dBFS + 20) < 0.01 && after.learned == before.learned)
    #expect(call.notices > 0, "5 dB below the user behind the new gain")
    try await call.end()
  }

  @Test func anotherSourceBeginsAnew() async throws {
    var call = try Call()
    try await call.hear(Self.talk)
    #expect(call.monitor.snapshot.speakerLevel != nil)
    let other = HostPCM(sampleRate: 8000, seconds: 60)
    var writer = other.writer
    try call.monitor.replaceSource(with: other.source)
    _ = writer.write([Float](repeating: 0, count: 800).span)
    let monitor = call.monitor
    try await waitUntil("the analysis at 800") { monitor.snapshot.position == 800 }
    #expect(monitor.snapshot.speakerLevel == nil)
    try await call.end()
  }

  /// Talks, loses its device, and delivers silence from the same one or from another.
  private final class Replugged: PCMSource {
    let sampleRate = 8000
    let channelCount = 1
    private let isOther: Bool
    private let blocks = Guarded(0)
    private let ended = DispatchSemaphore(value: 0)

    init(isOther: Bool) { self.isOther = isOther }

    func read(into block: inout PCMBlock) -> Bool {
      let number = blocks.change { number in
        defer { number += 1 }
        return number
      }
      let talk = SpeakerLevelMonitorTests.talk
      let rest = talk.dropFirst(number * 4096).prefix(4096)
      let after = number - (talk.count + 4095) / 4096
      block.frameCount = rest.count
      block.withRoom(ofChannel: 0) { _ = $0.update(fromContentsOf: rest) }
      switch after {
      case ..<0: break
      case 0: block.isInterrupted = true
      case 1:
        block.isOtherDevice = isOther
        block.missingFrames = 800
      default: _ = try? ended.wait(for: "the stop")
      }
      return after < 2
    }

    func stop() { ended.signal() }
  }

  @Test(arguments: [false, true]) func onlyAnotherDeviceBeginsAnew(isOther: Bool) async throws {
    let monitor = try VoiceActivityMonitor(source: Replugged(isOther: isOther))
    let running = Task { try await monitor.run() }
    let end = UInt64(Self.talk.count + 800)
    try await waitUntil("the analysis at \(end)") { monitor.snapshot.position == end }
    let level = monitor.snapshot.speakerLevel
    #expect((level == nil) == isOther)
    if !isOther { #expect(try #require(level).learned >= .seconds(3)) }
    monitor.stop()
    try await running.value
  }

  @Test(arguments: [-1, 41, .nan] as [Float])
  func aMarginOutOfRangeIsRefused(margin: Float) {
    #expect(throws: MonitorError.detector(.margin)) {
      _ = try Call { $0.speakerMargin = margin }
    }
  }
}
