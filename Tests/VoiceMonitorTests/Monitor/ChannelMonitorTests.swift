import RealTime
import TestSupport
import Testing
import VoiceActivity

@testable import VoiceMonitor

/// A monitor of a source with several channels, or of one that mixes them.
@Suite(.timeLimit(.minutes(5))) struct ChannelMonitorTests {
  /// Gives blocks of 20 ms, the samples of each channel, and says that its channels cancel if it is told so.
  private final class Channels: PCMSource {
    let sampleRate = 16_000
    let channelCount: Int
    let channelsCancel: Bool
    private let samples: [[Float]]
    private let position = Guarded(0)

    init(_ samples: [[Float]], cancel: Bool = false) {
      self.samples = samples
      (channelCount, channelsCancel) = (samples.count, cancel)
    }

    func read(into block: inout PCMBlock) -> Bool {
      let start = position.change { position in
        defer { position += 320 }
        return position
      }
      block.missingFrames = 0
      block.frameCount = max(0, min(320, samples[0].count - start))
      for (channel, samples) in samples.enumerated() where block.frameCount > 0 {
        let some = samples[start..<start + block.frameCount]
        block.withRoom(ofChannel: channel) { _ = $0.update(fromContentsOf: some) }
      }
      return block.frameCount > 0
    }

    func stop() {}
  }

  private let voice = try! TelephoneSpeech.samples(rate: 16_000)
  private var silence: [Float] { Array(repeating: 0, count: voice.count) }

  private func events(
    _ source: Channels, isMuted: Bool = false
  ) async throws -> [MonitorEvent.Kind] {
    var configuration = VoiceActivityMonitor.Configuration()
    configuration.isMuted = isMuted
    configuration.eventCapacity = 4096
    let monitor = try VoiceActivityMonitor(source: source, configuration: configuration)
    let events = monitor.events
    try await monitor.run()
    var kinds: [MonitorEvent.Kind] = []
    for await event in events { kinds.append(event.kind) }
    return kinds
  }

  private func isDecision(_ kind: MonitorEvent.Kind) -> Bool {
    switch kind {
    case .onset, .offset, .speakingWhileMuted: true
    default: false
    }
  }

  @Test(arguments: [false, true]) func speechOfAnyChannelCounts(isMuted: Bool) async throws {
    let alone = try await events(Channels([voice]), isMuted: isMuted).filter(isDecision)
    #expect(alone.contains(.onset) && alone.contains(.speakingWhileMuted(true)) == isMuted)
    for channels in [[silence, voice], [voice, silence, silence], [voice, voice]] {
      let found = try await events(Channels(channels), isMuted: isMuted).filter(isDecision)
      #expect(found == alone)
    }
  }

  @Test func theSnapshotCountsFramesOnceAndSamplesOfAllChannels() async throws {
    let loud = voice.map { _ in Float(1) }
    let monitor = try VoiceActivityMonitor(source: Channels([loud, voice, loud]))
    try await monitor.run()
    let snapshot = monitor.snapshot
    #expect(snapshot.position == UInt64(voice.count))
    #expect(snapshot.inputCounts.clipped >= 2 * UInt64(voice.count))
    #expect(snapshot.inputCounts.missing == 0)
  }

  /// A mix that cancels is digital silence, but the microphone is not muted.
  @Test func aMixThatCancelsIsNotSilence() async throws {
    let found = try await events(Channels([silence], cancel: true))
    #expect(found.contains(.health(.cancelling)))
    #expect(!found.contains(.health(.digitalSilence)))
    let silent = try await events(Channels([silence]))
    #expect(silent.contains(.health(.digitalSilence)))
    #expect(!silent.contains(.health(.cancelling)))
  }
}
