import TestSupport
import Testing

@testable import VoiceActivity

/// The Swift form; OwnLevelTests tests the decisions.
@Suite struct SpeakerLevelTests {
  private static func detector() throws -> VoiceActivityDetector {
    try VoiceActivityDetector(configuration: .init(sampleRate: 8000))
  }

  @Test func aLevelIsLearnedKeptRestoredAndForgotten() throws {
    var detector = try Self.detector()
    let first = detector.speakerLevel
    #expect(first == nil)
    let speech = try TelephoneSpeech.samples(rate: 8000)
    for _ in 0..<3 { detector.process(speech.span) { _ in } }
    let kept = detector.speakerLevel
    let learned = try #require(kept)
    #expect(learned.learned >= .seconds(3))
    var other = try Self.detector()
    other.speakerLevel = learned
    let again = other.speakerLevel
    let restored = try #require(again)
    #expect(abs(restored.dBFS - learned.dBFS) < 0.001 && restored.learned == learned.learned)
    other.speakerLevel = nil
    detector.reset()
    let (forgotten, reset) = (other.speakerLevel, detector.speakerLevel)
    #expect(forgotten == nil && reset == nil)
  }

  @Test func aGainOfAnySizeIsTaken() throws {
    for (change, expected) in [(-10, -40), (200, 12), (-.infinity, -90), (.nan, -30)]
      as [(Float, Float)]
    {
      var detector = try Self.detector()
      detector.speakerLevel = .init(dBFS: -30, learned: .seconds(9))
      detector.changeInputGain(by: change)
      let moved = detector.speakerLevel
      let level = try #require(moved)
      #expect(abs(level.dBFS - expected) < 0.001 && level.learned == .seconds(9))
    }
  }

  @Test func levelsAreLimitedToTheirRange() {
    let loud = VoiceActivityDetector.SpeakerLevel(dBFS: .infinity, learned: .seconds(60))
    #expect(loud.dBFS == 12 && loud.learned == .seconds(30))
    let none = VoiceActivityDetector.SpeakerLevel(dBFS: .nan, learned: .seconds(-1))
    #expect(none.dBFS == -127 && none.learned == .zero)
  }

  @Test func marginsOutOfRangeAreRefused() throws {
    var detector = try Self.detector()
    for margin in [-0.1, 40.1, .nan, -.infinity] as [Float] {
      #expect(throws: VoiceActivityError.margin) { try detector.setSpeakerMargin(margin) }
    }
    for margin in [0, 40, .infinity] as [Float] { try detector.setSpeakerMargin(margin) }
    #expect("\(VoiceActivityError.margin)".contains("40 dB"))
  }
}
