import Testing
import VoiceMonitor

@testable import VoiceActivity

@Suite struct SignalHealthTests {
  /// No change is reported until something else is known.
  @Test func healthStartsAsStarting() throws {
    #expect(SignalHealthTracker().value == .starting)
    let run = try HealthRun([.zeros(seconds: 1.9)])
    #expect(run.states.allSatisfy { $0 == .starting })
    #expect(run.changes.isEmpty)
  }

  @Test(arguments: [8000, 16_000, 48_000])
  func zerosAreDigitalSilenceAfterTwoSeconds(rate: Int) throws {
    let run = try HealthRun([.zeros(seconds: 3)], rate: rate)
    #expect(run.firstTime(.digitalSilence) == 2)
    #expect(run.changes == [.digitalSilence])
  }

  /// 2 s of zeros bring it back.
  @Test func aSingleBitEndsDigitalSilence() throws {
    let run = try HealthRun([
      .noise(dBFS: -50, seconds: 1), .zeros(seconds: 3), .sine(dBFS: -90, seconds: 0.01),
      .zeros(seconds: 2.5),
    ])
    #expect(run.changes == [.good, .digitalSilence, .good, .digitalSilence])
    #expect(run.states[399] == .digitalSilence)
    #expect(run.states[400] == .good)
  }

  /// It delivers zeros for 1.9 s between the words.
  @Test func aGatedMicrophoneIsGood() throws {
    let word: [HealthSignal] = [.speech(peakDBFS: -20), .zeros(seconds: 1.9)]
    let run = try HealthRun(word + word, rate: 8000)
    #expect(run.changes == [.good])
  }

  @Test(
    arguments: [(-90.0, 16_000), (-80, 8000), (-72, 48_000)])
  func steadyFaintNoiseIsADeadLineAfterTenSeconds(level: Double, rate: Int) throws {
    let run = try HealthRun([.noise(dBFS: level, seconds: 12)], rate: rate)
    #expect(run.firstTime(.deadLine) == 10)
    #expect(run.changes == [.deadLine])
  }

  /// Any share of its bits may be set.
  @Test(arguments: [0.2, 1])
  func ditherIsADeadLine(bits: Double) throws {
    let run = try HealthRun([.dither(bits: bits, seconds: 14)])
    #expect(run.changes == [.deadLine])
  }

  /// Noise above −70 dBFS is good from its first 100 ms.
  @Test func audibleNoiseIsGood() throws {
    let run = try HealthRun([.noise(dBFS: -60, seconds: 6)])
    #expect(run.firstTime(.good) == 0.1)
    #expect(run.changes == [.good])
  }

  /// It changes by 10 dB every other second.
  @Test func varyingFaintNoiseIsGood() throws {
    let step: [HealthSignal] = [.noise(dBFS: -90, seconds: 2), .noise(dBFS: -80, seconds: 2)]
    let run = try HealthRun((0..<3).flatMap { _ in step })
    #expect(run.changes == [.good])
  }

  /// 100 ms are sufficient.
  @Test func aShortSoundEndsADeadLine() throws {
    let run = try HealthRun([
      .noise(dBFS: -90, seconds: 11), .noise(dBFS: -70, seconds: 0.1),
      .noise(dBFS: -90, seconds: 2),
    ])
    #expect(run.changes == [.deadLine, .good])
    #expect(run.states[1099] == .deadLine)
    #expect(run.states[1109] == .good)
  }

  /// If the background falls below its earlier minimum, 5 s are sufficient.
  @Test func aHardwareMuteIsADeadLine() throws {
    let talk: [HealthSignal] = [
      .noise(dBFS: -75, seconds: 1), .noise(dBFS: -30, seconds: 1), .noise(dBFS: -75, seconds: 1),
    ]
    let run = try HealthRun(talk + [.noise(dBFS: -88, seconds: 6)] + talk)
    #expect(run.changes == [.good, .deadLine, .good])
    let time = try #require(run.firstTime(.deadLine))
    #expect((8.0...8.11).contains(time))
  }

  /// The room is quiet for 8 s after somebody has spoken.
  @Test func aSilentListenerIsNotADeadLine() throws {
    let run = try HealthRun([
      .noise(dBFS: -78, seconds: 1), .noise(dBFS: -30, seconds: 1), .noise(dBFS: -78, seconds: 8),
    ])
    #expect(run.changes == [.good])
  }

  @Test(arguments: [-10.0, -60])
  func faintSpeechIsGood(peak: Double) throws {
    let run = try HealthRun([.speech(peakDBFS: peak)], rate: 8000)
    #expect(run.changes == [.good])
  }

  /// After a fifth of a second.
  @Test(arguments: [6.0, 20])
  func aSineCutAtFullScaleIsClipping(level: Double) throws {
    let run = try HealthRun([.sine(dBFS: -6, seconds: 1), .sine(dBFS: level, seconds: 1)])
    #expect(run.changes == [.good, .clipping])
    #expect(run.firstTime(.clipping) == 1.2)
  }

  @Test func clippingEndsTwoSecondsAfterTheLastFullScaleHop() throws {
    let run = try HealthRun([.sine(dBFS: 6, seconds: 1), .sine(dBFS: -6, seconds: 3)])
    #expect(run.states[298] == .clipping)
    #expect(run.states[300] == .good)
    #expect(run.changes == [.good, .clipping, .good])
  }

  /// It lasts less than a fifth of a second.
  @Test func briefFullScaleIsNotClipping() throws {
    let cycle: [HealthSignal] = [.sine(dBFS: 6, seconds: 0.18), .sine(dBFS: -6, seconds: 0.82)]
    let run = try HealthRun((0..<3).flatMap { _ in cycle })
    #expect(!run.states.contains(.clipping))
  }

  /// At 12 dB more it clips.
  @Test func speechThatJustReachesFullScaleIsGood() throws {
    #expect(try HealthRun([.speech(peakDBFS: 0)], rate: 8000).changes == [.good])
    #expect(try HealthRun([.speech(peakDBFS: 12)], rate: 8000).changes.contains(.clipping))
  }

  @Test func missingHopsAreIgnored() throws {
    let run = try HealthRun([
      .zeros(seconds: 1), .gap(seconds: 5), .zeros(seconds: 0.9), .gap(seconds: 5),
      .zeros(seconds: 0.2),
    ])
    let heard = zip(run.hops, run.states).filter { !$0.0.isMissing }
    #expect(heard.prefix(199).allSatisfy { $0.1 == .starting })
    #expect(heard.dropFirst(200).allSatisfy { $0.1 == .digitalSilence })
  }

  @Test func eachStateHasItsOwnAdvice() {
    let sentences = Set(SignalHealth.allCases.map(\.description))
    #expect(sentences.count == SignalHealth.allCases.count)
    for state in [SignalHealth.digitalSilence, .deadLine, .clipping, .noData] {
      #expect(state.description.contains(": "), "\(state)")
    }
  }
}
