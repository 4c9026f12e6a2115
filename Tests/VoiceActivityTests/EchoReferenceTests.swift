import TestSupport
import Testing
import VoiceActivity

/// Swift passes on what the C core does beside a loudspeaker.
@Suite struct EchoReferenceTests {
  private static let far = try! TelephoneSpeech.samples(rate: 16_000)

  private static func microphone(delay: Int) -> [Float] {
    far.indices.map { $0 >= delay ? 0.3 * far[$0 - delay] : 0 }
  }

  @Test func theFarEndIsNotTheUser() throws {
    var detector = try VoiceActivityDetector(configuration: .init())
    var alone = try VoiceActivityDetector(configuration: .init())
    var reference = try EchoReference(sampleRate: 16_000)
    let microphone = Self.microphone(delay: 1_600)
    var found = 0
    var without = 0
    var echoes = 0
    for at in stride(from: 0, to: microphone.count - 160, by: 160) {
      let (heard, played) = (Array(microphone[at..<at + 160]), Array(Self.far[at..<at + 160]))
      try reference.push(played.span)
      detector.process(
        heard.span, beside: &reference, onHop: { echoes += $0.isEcho ? 1 : 0 },
        onEvent: { found += $0.kind == .onset ? 1 : 0 })
      alone.process(heard.span) { without += $0.kind == .onset ? 1 : 0 }
    }
    detector.flush(beside: &reference) { found += $0.kind == .onset ? 1 : 0 }
    #expect(found == 0 && without >= 2 && echoes > 100)
    let status = reference.status
    #expect(status.delay == .milliseconds(100) && status.fit > 0.5 && status.lateSamples == 0)
    #expect((-20 ... -5).contains(status.couplingDB))
  }

  @Test func sixteenBitsAreTheSame() throws {
    let played = Self.far.map { Int16(($0 * 32768).rounded()) }
    let heard = Self.microphone(delay: 800).map { Int16(($0 * 32768).rounded()) }
    var integers = try VoiceActivityDetector(configuration: .init())
    var floats = try VoiceActivityDetector(configuration: .init())
    var besideIntegers = try EchoReference(sampleRate: 16_000)
    var besideFloats = try EchoReference(sampleRate: 16_000)
    var (found, expected): ([VoiceActivityHop], [VoiceActivityHop]) = ([], [])
    for at in stride(from: 0, to: 48_000, by: 320) {
      let (some, sound) = (Array(played[at..<at + 320]), Array(heard[at..<at + 320]))
      try besideIntegers.push(some.span)
      integers.process(
        sound.span, beside: &besideIntegers, onHop: { found.append($0) }, onEvent: { _ in })
      let (someFloats, soundFloats) = (
        some.map { Float($0) / 32768 }, sound.map { Float($0) / 32768 }
      )
      try besideFloats.push(someFloats.span)
      floats.process(
        soundFloats.span, beside: &besideFloats, onHop: { expected.append($0) }, onEvent: { _ in })
    }
    #expect(found == expected && found.count > 290)
  }

  @Test func oppositeChannelsDoNotCancel() throws {
    let microphone = Self.microphone(delay: 800)
    func found(
      _ play: (inout EchoReference, [Int16]) throws -> Void
    ) throws -> (hops: [VoiceActivityHop], onsets: Int) {
      var detector = try VoiceActivityDetector(configuration: .init())
      var reference = try EchoReference(sampleRate: 16_000)
      var hops: [VoiceActivityHop] = []
      var onsets = 0
      for at in stride(from: 0, to: microphone.count - 160, by: 160) {
        let stereo = Self.far[at..<at + 160].flatMap { sample in
          let value = Int16(sample * 32767)
          return [value, -value]
        }
        try play(&reference, stereo)
        let heard = Array(microphone[at..<at + 160])
        detector.process(
          heard.span, beside: &reference, onHop: { hops.append($0) },
          onEvent: { onsets += $0.kind == .onset ? 1 : 0 })
      }
      return (hops, onsets)
    }
    let integers = try found { try $0.push($1.span, channelCount: 2) }
    let floats = try found { try $0.push($1.map { Float($0) / 32768 }.span, channelCount: 2) }
    #expect(integers.hops == floats.hops && integers.onsets == 0)
    let silent = try found { try $0.pushSilence(UInt64($1.count / 2)) }
    #expect(silent.onsets >= 2)
  }

  @Test func mistakesAreRefused() throws {
    #expect(throws: VoiceActivityError.sampleRate) { _ = try EchoReference(sampleRate: 7_999) }
    #expect(throws: VoiceActivityError.sampleRate) { _ = try EchoReference(sampleRate: -1) }
    var reference = try EchoReference(sampleRate: 48_000)
    #expect(throws: VoiceActivityError.referenceEarly) { try reference.pushSilence(48_000) }
    var detector = try VoiceActivityDetector(configuration: .init())
    detector.pushGap(16_000, beside: &reference) { _ in }
    try reference.pushSilence(48_000)
    #expect(reference.status.lateSamples == 48_000)
    #expect("\(VoiceActivityError.referenceEarly)".contains("100 ms"))
    reference.reset()
    #expect(reference.status.lateSamples == 0)
  }
}
