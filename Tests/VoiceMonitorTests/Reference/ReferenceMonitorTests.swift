import Dispatch
import RealTime
import Synchronization
import TestSupport
import Testing
import VoiceActivity
import VoiceMonitor

/// A monitor beside a loudspeaker. The two sources take turns, so that no clock decides what arrives first.
@Suite(.timeLimit(.minutes(5))) struct ReferenceMonitorTests {
  private static let far = try! TelephoneSpeech.samples(rate: 16_000)

  /// Plays the far end without end, 20 ms each time that the microphone gives it the turn.
  ///
  /// `@unchecked Sendable` is safe because only the reading thread touches `played`. `isStopped` is relaxed, because
  /// nothing else depends on it.
  private final class Loudspeaker: PCMSource, @unchecked Sendable {
    let sampleRate = 16_000
    let channelCount = 1
    let turn = DispatchSemaphore(value: 0)
    /// Signalled when the monitor has taken a block: it asks for the next.
    let taken = DispatchSemaphore(value: 0)
    private let isStopped = Atomic(false)
    private var played = 0

    func read(into block: inout PCMBlock) -> Bool {
      if played > 0 { taken.signal() }
      guard (try? turn.wait(for: "the microphone")) != nil else { return false }
      block.fill { far[(played + $0) % far.count] }
      played += block.frameCount
      return !isStopped.load(ordering: .relaxed)
    }

    func stop() {
      isStopped.store(true, ordering: .relaxed)
      turn.signal()
    }
  }

  /// Hears the far end 60 ms later and 10 dB quieter. Of what plays, the monitor gets a block when the microphone is
  /// three further, as from a sound server.
  ///
  /// `@unchecked Sendable` is safe because only the reading thread touches `heard`.
  private final class Microphone: PCMSource, @unchecked Sendable {
    let sampleRate = 16_000
    let channelCount = 1
    private let loudspeaker: Loudspeaker
    private var heard = 0

    init(beside loudspeaker: Loudspeaker) { self.loudspeaker = loudspeaker }

    func read(into block: inout PCMBlock) -> Bool {
      guard heard < 7 * sampleRate else { return false }
      if heard >= 960 {
        loudspeaker.turn.signal()
        guard (try? loudspeaker.taken.wait(for: "the monitor")) != nil else { return false }
      }
      block.fill { heard + $0 < 960 ? 0 : 0.3 * far[(heard + $0 - 960) % far.count] }
      heard += block.frameCount
      return true
    }

    func stop() {}
  }

  @Test func theFarEndIsNotTheUser() async throws {
    var configuration = VoiceActivityMonitor.Configuration(detector: .init(preset: .notice))
    configuration.detector.muteGrace = .zero
    configuration.isMuted = true
    configuration.referenceLatency = .milliseconds(100)
    let loudspeaker = Loudspeaker()
    let monitor = try VoiceActivityMonitor(
      source: Microphone(beside: loudspeaker), reference: loudspeaker, configuration: configuration)
    let events = monitor.events
    try await monitor.run()
    var kinds: [MonitorEvent.Kind] = []
    for await event in events { kinds.append(event.kind) }
    #expect(!kinds.contains(.speakingWhileMuted(true)))
    let reference = try #require(monitor.snapshot.reference)
    #expect(reference.isDelivering && !kinds.contains(.reference(isDelivering: false)))
    // The reference is 40 ms ahead of the microphone held back; of that, the feed drops 20 ms.
    #expect(reference.echo.delay == .milliseconds(60 + 20))
    #expect(reference.echo.fit > 0.15 && reference.echo.lateSamples == 0)
    // Neither says when it captured.
    #expect(!reference.isTimed && !reference.isCopy)
  }

  @Test func besideAReferenceTheMicrophoneHasOneChannel() throws {
    final class Stereo: PCMSource {
      let sampleRate = 16_000
      let channelCount = 2
      func read(into block: inout PCMBlock) -> Bool { false }
      func stop() {}
    }
    let microphone = HostPCM(sampleRate: 16_000)
    #expect(throws: MonitorError.severalChannels(2)) {
      _ = try VoiceActivityMonitor(source: Stereo(), reference: microphone.source)
    }
    _ = try VoiceActivityMonitor(source: microphone.source, reference: Stereo())
  }
}

extension PCMBlock {
  /// Fills 20 ms at 16 kHz.
  fileprivate mutating func fill(_ sample: (Int) -> Float) {
    withRoom(ofChannel: 0) { room in
      for index in 0..<320 { room[index] = sample(index) }
    }
    frameCount = 320
    missingFrames = 0
  }
}
