import RealTime
import TestSupport
import Testing

@testable import VoiceActivity
@testable import VoiceMonitor

/// How much sound the analysis waits for.
@Suite struct BlockPaceTests {
  private static let rate = 16_000
  /// What the capture thread writes at a time, 20 ms.
  private static let batch = 320

  /// What a monitor would have reported, and how often its analysis would have been woken.
  private struct Run {
    /// When the event of each kind and position was known: at the end of a batch, in samples.
    var events: [String: Int] = [:]
    var wakeUps = 0
  }

  /// Analyses samples as they come from a microphone. Without a pace, every batch wakes the analysis.
  private func run(
    _ samples: [Float], _ preset: VoiceActivityDetector.Configuration.Preset, isMuted: Bool,
    isPaced: Bool
  ) throws -> Run {
    var settings = VoiceActivityDetector.Configuration(sampleRate: Self.rate, preset: preset)
    settings.muteGrace = .zero
    var detector = try VoiceActivityDetector(configuration: settings)
    detector.setMuted(isMuted)
    var pace = BlockPace(settings)
    var run = Run()
    var block = PCMBlock(channelCount: 1)
    var (read, hop) = (0, VoiceActivityHop?.none)
    for end in stride(from: Self.batch, through: samples.count, by: Self.batch) {
      let isUrgent = samples[end - Self.batch..<end].contains {
        abs($0) >= block.wanted.urgentPeak
      }
      guard !isPaced || isUrgent || end - read >= block.wanted.frameCount else { continue }
      run.wakeUps += 1
      let new = Array(samples[read..<end])
      block.withRoom(ofChannel: 0) { _ = $0.update(fromContentsOf: new) }
      (block.frameCount, read) = (new.count, end)
      detector.process(
        new.span, onHop: { hop = $0 },
        onEvent: { event in
          run.events["\(event.kind) \(event.position)"] = end
          pace.note(event)
        })
      if let hop { pace.adjust(&block, behind: hop, isMuted: isMuted) }
    }
    return run
  }

  /// Speech in faint noise, ten times over.
  private func speech(noise: Float) throws -> [Float] {
    var random = SeededGenerator(seed: 5)
    let voice = try TelephoneSpeech.samples(rate: Double(Self.rate))
    return (0..<10).flatMap { turn in
      // Not a whole number of batches, so that each turn meets them elsewhere.
      (voice + [Float](repeating: 0, count: 16_077 + 1000 * turn)).map {
        $0 + noise * Float.random(in: -1...1, using: &random)
      }
    }
  }

  /// All that is reported is the same and known as early, and the analysis is woken less often.
  @Test(
    arguments: VoiceActivityDetector.Configuration.Preset.allCases, [false, true])
  func nothingIsKnownLater(
    preset: VoiceActivityDetector.Configuration.Preset, isMuted: Bool
  ) throws {
    let samples = try speech(noise: 0.0005)
    let every = try run(samples, preset, isMuted: isMuted, isPaced: false)
    let paced = try run(samples, preset, isMuted: isMuted, isPaced: true)
    #expect(every.events.count >= 30)
    #expect(paced.events == every.events)
    #expect(Double(paced.wakeUps) < 0.7 * Double(every.wakeUps))
  }

  /// In noise that hides weak onsets, some are known one batch later, and none more.
  @Test func whatNoiseHidesIsKnownABatchLater() throws {
    let samples = try speech(noise: 0.02)
    let every = try run(samples, .conversation, isMuted: true, isPaced: false)
    let paced = try run(samples, .conversation, isMuted: true, isPaced: true)
    #expect(Set(paced.events.keys) == Set(every.events.keys))
    let late = every.events.map { (paced.events[$0.key] ?? .max) - $0.value }
    #expect(late.allSatisfy { (0...Self.batch).contains($0) })
    #expect(late.count { $0 > 0 } <= every.events.count / 20)
  }
}
