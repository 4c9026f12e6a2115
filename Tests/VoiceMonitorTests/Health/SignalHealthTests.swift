import Testing
import VoiceMonitor

@testable import VoiceActivity

@Suite("Signal health")
struct SignalHealthTests {
  @Test("At first it is starting, and says so only when something else is known")
  func starting() throws {
    #expect(SignalHealthTracker().value == .starting)
    let run = try HealthRun([.zeros(seconds: 1.9)])
    #expect(run.states.allSatisfy { $0 == .starting })
    #expect(run.changes.isEmpty)
  }

  @Test("Zeros are digital silence after 2.00 s, at any rate", arguments: [8000, 16_000, 48_000])
  func digitalSilence(rate: Int) throws {
    let run = try HealthRun([.zeros(seconds: 3)], rate: rate)
    #expect(run.firstTime(.digitalSilence) == 2)
    #expect(run.changes == [.digitalSilence])
  }

  @Test("One sample of one bit ends digital silence, and 2 s of zeros bring it back")
  func oneBit() throws {
    let run = try HealthRun([
      .noise(dBFS: -50, seconds: 1), .zeros(seconds: 3), .sine(dBFS: -90, seconds: 0.01),
      .zeros(seconds: 2.5),
    ])
    #expect(run.changes == [.good, .digitalSilence, .good, .digitalSilence])
    #expect(run.states[399] == .digitalSilence)
    #expect(run.states[400] == .good)
  }

  @Test("A microphone with a gate, zeros for 1.9 s between the words, is good")
  func gate() throws {
    let word: [HealthSignal] = [.speech(peakDBFS: -20), .zeros(seconds: 1.9)]
    let run = try HealthRun(word + word, rate: 8000)
    #expect(run.changes == [.good])
  }

  @Test(
    "Faint noise that never moves is a dead line after 10 s, and remains one",
    arguments: [(-90.0, 16_000), (-80, 8000), (-72, 48_000)])
  func deadNoise(level: Double, rate: Int) throws {
    let run = try HealthRun([.noise(dBFS: level, seconds: 12)], rate: rate)
    #expect(run.firstTime(.deadLine) == 10)
    #expect(run.changes == [.deadLine])
  }

  @Test("So is dither, however few of its bits are set", arguments: [0.2, 1])
  func dither(bits: Double) throws {
    let run = try HealthRun([.dither(bits: bits, seconds: 14)])
    #expect(run.changes == [.deadLine])
  }

  @Test("Noise above −70 dBFS is good from its first 100 ms on")
  func liveNoise() throws {
    let run = try HealthRun([.noise(dBFS: -60, seconds: 6)])
    #expect(run.firstTime(.good) == 0.1)
    #expect(run.changes == [.good])
  }

  @Test("Faint noise that moves by 10 dB every other second is good")
  func movingNoise() throws {
    let step: [HealthSignal] = [.noise(dBFS: -90, seconds: 2), .noise(dBFS: -80, seconds: 2)]
    let run = try HealthRun((0..<3).flatMap { _ in step })
    #expect(run.changes == [.good])
  }

  @Test("A sound of 100 ms ends a dead line")
  func awakened() throws {
    let run = try HealthRun([
      .noise(dBFS: -90, seconds: 11), .noise(dBFS: -70, seconds: 0.1),
      .noise(dBFS: -90, seconds: 2),
    ])
    #expect(run.changes == [.deadLine, .good])
    #expect(run.states[1099] == .deadLine)
    #expect(run.states[1109] == .good)
  }

  @Test("Muted by its own switch: once the background falls below what it ever was, 5 s suffice")
  func hardwareMute() throws {
    let talk: [HealthSignal] = [
      .noise(dBFS: -75, seconds: 1), .noise(dBFS: -30, seconds: 1), .noise(dBFS: -75, seconds: 1),
    ]
    let run = try HealthRun(talk + [.noise(dBFS: -88, seconds: 6)] + talk)
    #expect(run.changes == [.good, .deadLine, .good])
    let time = try #require(run.firstTime(.deadLine))
    #expect((8.0...8.11).contains(time))
  }

  @Test("A quiet room in which somebody has spoken and is silent for 8 s is not dead")
  func silentListener() throws {
    let run = try HealthRun([
      .noise(dBFS: -78, seconds: 1), .noise(dBFS: -30, seconds: 1), .noise(dBFS: -78, seconds: 8),
    ])
    #expect(run.changes == [.good])
  }

  @Test("Speech is good however faint", arguments: [-10.0, -60])
  func speech(peak: Double) throws {
    let run = try HealthRun([.speech(peakDBFS: peak)], rate: 8000)
    #expect(run.changes == [.good])
  }

  @Test("A sine cut at full scale is clipping once a fifth of a second was", arguments: [6.0, 20])
  func clippedSine(level: Double) throws {
    let run = try HealthRun([.sine(dBFS: -6, seconds: 1), .sine(dBFS: level, seconds: 1)])
    #expect(run.changes == [.good, .clipping])
    #expect(run.firstTime(.clipping) == 1.2)
  }

  @Test("Clipping is over 2 s after the last hop at full scale")
  func clippingClears() throws {
    let run = try HealthRun([.sine(dBFS: 6, seconds: 1), .sine(dBFS: -6, seconds: 3)])
    #expect(run.states[298] == .clipping)
    #expect(run.states[300] == .good)
    #expect(run.changes == [.good, .clipping, .good])
  }

  @Test("Full scale for less than a fifth of a second is none")
  func shortClipping() throws {
    let cycle: [HealthSignal] = [.sine(dBFS: 6, seconds: 0.18), .sine(dBFS: -6, seconds: 0.82)]
    let run = try HealthRun((0..<3).flatMap { _ in cycle })
    #expect(!run.states.contains(.clipping))
  }

  @Test("Speech that just reaches full scale is good, 12 dB above it clips")
  func clippedSpeech() throws {
    #expect(try HealthRun([.speech(peakDBFS: 0)], rate: 8000).changes == [.good])
    #expect(try HealthRun([.speech(peakDBFS: 12)], rate: 8000).changes.contains(.clipping))
  }

  @Test("Missing hops count neither as silence nor against it")
  func gaps() throws {
    let run = try HealthRun([
      .zeros(seconds: 1), .gap(seconds: 5), .zeros(seconds: 0.9), .gap(seconds: 5),
      .zeros(seconds: 0.2),
    ])
    let heard = zip(run.hops, run.states).filter { !$0.0.isMissing }
    #expect(heard.prefix(199).allSatisfy { $0.1 == .starting })
    #expect(heard.dropFirst(200).allSatisfy { $0.1 == .digitalSilence })
  }

  @Test("Each state says what to do about it, each something else")
  func descriptions() {
    let sentences = Set(SignalHealth.allCases.map(\.description))
    #expect(sentences.count == SignalHealth.allCases.count)
    for state in [SignalHealth.digitalSilence, .deadLine, .clipping, .noData] {
      #expect(state.description.contains(": "), "\(state)")
    }
  }
}
