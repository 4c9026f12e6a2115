import Dispatch
import TestSupport
import Testing

@testable import RealTime
@testable import VoiceActivity
@testable import VoiceMonitor

/// isSpeakingWhileMuted from samples to observers. SpeakingWhileMutedGateTests tests the rules.
@Suite(.timeLimit(.minutes(5))) struct MutedMonitorTests {
  /// A monitor whose host pushes PCM whenever the test wants it.
  private struct Call: ~Copyable {
    let monitor: VoiceActivityMonitor
    let events: EventSequence
    let running: Task<Void, any Error>
    var writer: SampleRing.Writer

    /// Sets debounce, grace and hold to 0, so that the detector reports speech at once.
    init(isMuted: Bool = true, carryOver: Duration = .zero) throws {
      let pcm = HostPCM(sampleRate: 16_000, seconds: 30)
      var configuration = VoiceActivityMonitor.Configuration()
      configuration.isMuted = isMuted
      configuration.detector.onsetDebounce = .zero
      configuration.detector.muteGrace = .zero
      configuration.detector.muteCarryOver = carryOver
      configuration.detector.mutedSpeechHold = .zero
      configuration.detector.mutedSpeechRelease = .zero
      let monitor = try VoiceActivityMonitor(source: pcm.source, configuration: configuration)
      self.monitor = monitor
      events = monitor.events
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

    /// Ends the call, and returns the values of isSpeakingWhileMuted that were published.
    consuming func ended() async throws -> [Bool] {
      monitor.stop()
      try await running.value
      var told: [Bool] = []
      for await event in events {
        if case .speakingWhileMuted(let value) = event.kind { told.append(value) }
      }
      return told
    }
  }

  private static let pause = [Float](repeating: 0, count: 32_000)

  @Test func theValueRisesAndFallsWithMutedSpeech() async throws {
    var call = try Call()
    try await call.hear(MonitorTests.phrase)
    #expect(call.monitor.isSpeakingWhileMuted.value)
    try await call.hear(Self.pause)
    #expect(!call.monitor.isSpeakingWhileMuted.value)
    #expect(try await call.ended() == [true, false])
  }

  @Test func theValueIsFalseWhileUnmuted() async throws {
    var call = try Call(isMuted: false)
    try await call.hear(MonitorTests.phrase)
    #expect(call.monitor.snapshot.hop?.isSpeech == true)
    #expect(try await call.ended() == [])
  }

  /// The value falls at once, before another sample comes.
  @Test func unmutingSetsTheValueToFalseAtOnce() async throws {
    var call = try Call()
    try await call.hear(MonitorTests.phrase)
    call.monitor.setMuted(false)
    #expect(!call.monitor.isSpeakingWhileMuted.value)
    #expect(!call.monitor.snapshot.isSpeakingWhileMuted)
    #expect(try await call.ended() == [true, false])
  }

  /// An unmute that is taken back before another sample comes still counts: the value is false until the detector
  /// has found muted speech again. Speech in progress does not count for another second.
  @Test func unmutingBrieflyEndsMutedSpeech() async throws {
    var call = try Call(carryOver: .seconds(1))
    try await call.hear(MonitorTests.phrase)
    call.monitor.setMuted(false)
    call.monitor.setMuted(true)
    #expect(!call.monitor.isSpeakingWhileMuted.value)
    try await call.hear(Self.pause)
    #expect(!call.monitor.isSpeakingWhileMuted.value)
    try await call.hear(MonitorTests.phrase)
    #expect(call.monitor.isSpeakingWhileMuted.value)
    #expect(try await call.ended().count >= 4)
  }

  @Test func theEndOfTheCallSetsTheValueToFalse() async throws {
    var call = try Call()
    try await call.hear(MonitorTests.phrase)
    let monitor = call.monitor
    #expect(try await call.ended() == [true, false])
    #expect(!monitor.isSpeakingWhileMuted.value)
    monitor.setMuted(true)
    #expect(!monitor.isSpeakingWhileMuted.value)
  }

  @Test func disabledDetectionKeepsTheValueFalse() async throws {
    var call = try Call()
    call.monitor.setRequirement(.enabled, isMet: false)
    try await call.hear(MonitorTests.phrase)
    #expect(try await call.ended() == [])
  }

  /// Without sound, nobody is heard, whatever came last. That includes the first sample that comes again.
  @Test("SM-03 False without data, and until new sound has been analysed")
  func theValueIsFalseWithoutData()
    async throws
  {
    var call = try Call()
    try await call.hear(MonitorTests.phrase)
    #expect(call.monitor.isSpeakingWhileMuted.value)
    let monitor = call.monitor
    try await waitUntil("no data") { monitor.health.value == .noData }
    #expect(!monitor.isSpeakingWhileMuted.value)
    try await call.hear([0])
    #expect(monitor.health.value != .noData)
    #expect(!monitor.isSpeakingWhileMuted.value)
    #expect(try await call.ended() == [true, false])
  }

  /// A source that speaks, announces that its device is gone, and then waits for it.
  private final class Interrupted: PCMSource {
    let sampleRate = 16_000
    let channelCount = 1
    private let step = Guarded(0)
    private let wake = DispatchSemaphore(value: 0)

    func read(into block: inout PCMBlock) -> Bool {
      let phrase = MonitorTests.phrase
      let number = step.change { step in
        defer { step += 1 }
        return step
      }
      let rest = phrase.dropFirst(number * 4096).prefix(4096)
      block.frameCount = rest.count
      block.withRoom(ofChannel: 0) { _ = $0.update(fromContentsOf: rest) }
      if !rest.isEmpty { return true }
      block.isInterrupted = phrase.count > (number - 1) * 4096
      if !block.isInterrupted { wake.wait() }
      return block.isInterrupted
    }

    func stop() { wake.signal() }
  }

  /// The limit for a silent source is so long that it cannot be the reason.
  @Test("SM-03 False at once when the source is known to be gone")
  func theValueIsFalseOnceTheSourceIsGone() async throws {
    var configuration = VoiceActivityMonitor.Configuration()
    configuration.isMuted = true
    configuration.detector.onsetDebounce = .zero
    configuration.detector.muteGrace = .zero
    configuration.detector.mutedSpeechHold = .zero
    configuration.noDataAfter = .seconds(3600)
    let monitor = try VoiceActivityMonitor(source: Interrupted(), configuration: configuration)
    let events = monitor.events
    let running = Task { try await monitor.run() }
    try await waitUntil("no data") { monitor.health.value == .noData }
    #expect(!monitor.isSpeakingWhileMuted.value)
    #expect(monitor.snapshot.position == UInt64(MonitorTests.phrase.count))
    monitor.stop()
    try await running.value
    var told: [Bool] = []
    for await event in events {
      if case .speakingWhileMuted(let value) = event.kind { told.append(value) }
    }
    #expect(told == [true, false])
  }

  /// The device was away, and somebody continues to speak: that counts as new speech.
  @Test func speechAfterAGapIsReported() async throws {
    var call = try Call()
    try await call.hear(MonitorTests.phrase)
    let monitor = call.monitor
    try await waitUntil("no data") { monitor.health.value == .noData }
    call.writer.skip(48_000)
    try await call.hear(MonitorTests.phrase)
    #expect(monitor.isSpeakingWhileMuted.value)
    #expect(try await call.ended() == [true, false, true, false])
  }

  /// Speech from before the device went away is not reported again when it is back.
  @Test func aGapAfterNoDataEndsMutedSpeech() async throws {
    var call = try Call()
    try await call.hear(MonitorTests.phrase)
    #expect(call.monitor.isSpeakingWhileMuted.value)
    let monitor = call.monitor
    try await waitUntil("no data") { monitor.health.value == .noData }
    call.writer.skip(48_000)
    try await call.hear([Float](repeating: 0, count: 8000))
    #expect(monitor.health.value != .noData)
    #expect(try await call.ended() == [true, false])
  }

  /// After an interruption nothing is known of a line that was good, and nothing at the end either.
  @Test func healthRestartsAfterNoData() async throws {
    var call = try Call()
    try await call.hear(MonitorTests.phrase)
    let monitor = call.monitor
    #expect(monitor.health.value == .good)
    try await waitUntil("no data") { monitor.health.value == .noData }
    try await call.hear([0])
    #expect(monitor.health.value == .starting)
    try await waitUntil("no data") { monitor.health.value == .noData }
    _ = try await call.ended()
    #expect(monitor.health.value == .noData)
  }

  /// All agree, whichever call comes last.
  @Test func simultaneousMutingAndUnmutingAgree() async throws {
    var call = try Call()
    let monitor = call.monitor
    for _ in 0..<200 {
      async let muted: Void = monitor.setMuted(true)
      async let unmuted: Void = monitor.setMuted(false)
      _ = await (muted, unmuted)
      for _ in 0..<2 {  // the first block may still show an unmute that was taken back
        try await call.hear([Float](repeating: 0, count: 1600))
      }
      #expect(monitor.snapshot.hop?.isMuted == monitor.snapshot.isMuted)
    }
    _ = try await call.ended()
  }

  @Test func levelsAreAtMost30ASecond() async throws {
    var call = try Call()
    let monitor = call.monitor
    let counter = Task {
      var count = 0
      for await level in monitor.levels where level != nil { count += 1 }
      return count
    }
    try await call.hear(Array(MonitorTests.phrase.prefix(32_000)))
    _ = try await call.ended()
    #expect(await counter.value <= 60)
    #expect(monitor.levels.value != nil)
  }
}
