import RealTime
import TestSupport
import Testing
import VoiceActivity
import VoiceMonitor

/// A monitor beside a loudspeaker, in real time: both sources are a host's own.
@Suite struct ReferenceMonitorTests {
  @Test(.tags(.slow)) func theFarEndIsNotTheUser() async throws {
    let far = try TelephoneSpeech.samples(rate: 16_000)
    let microphone = HostPCM(sampleRate: 16_000)
    let reference = HostPCM(sampleRate: 16_000)
    var configuration = VoiceActivityMonitor.Configuration(detector: .init(preset: .notice))
    configuration.detector.muteGrace = .zero
    configuration.isMuted = true
    configuration.referenceLatency = .milliseconds(100)
    let source = microphone.source
    let listened = reference.source
    var heard = microphone.writer
    var played = reference.writer
    let monitor = try VoiceActivityMonitor(
      source: source, reference: listened, configuration: configuration)
    let events = monitor.events
    async let running: Void = monitor.run()
    let clock = ContinuousClock()
    let start = clock.now
    // The reference comes 50 ms behind the microphone, as a sound server's does.
    for step in 0..<350 {
      let at = step * 320
      let sound = (at..<at + 320).map { $0 < 960 ? 0 : 0.3 * far[($0 - 960) % far.count] }
      heard.write(sound.span)
      if at >= 800 {
        let some = (at - 800..<at - 480).map { far[$0 % far.count] }
        played.write(some.span)
      }
      try await clock.sleep(until: start + .milliseconds(20 * (step + 1)))
    }
    let snapshot = monitor.snapshot
    source.finish()
    try await running
    var kinds: [MonitorEvent.Kind] = []
    for await event in events { kinds.append(event.kind) }
    #expect(!kinds.contains(.speakingWhileMuted(true)))
    #expect(
      kinds.contains(.reference(isDelivering: true)) || snapshot.reference?.isDelivering == true)
    let echo = try #require(snapshot.reference?.echo)
    #expect(echo.fit > 0.15 && echo.lateSamples == 0)
    heard.close()
    played.close()
  }

  @Test func aReferenceHasOneChannel() throws {
    final class Stereo: PCMSource {
      let sampleRate = 16_000
      let channelCount = 2
      func read(into block: inout PCMBlock) -> Bool { false }
      func stop() {}
    }
    let microphone = HostPCM(sampleRate: 16_000)
    #expect(throws: MonitorError.severalChannels(2)) {
      _ = try VoiceActivityMonitor(source: microphone.source, reference: Stereo())
    }
  }
}
