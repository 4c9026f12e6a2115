import CVoiceActivity
import RealModule
import TestSupport
import Testing

/// Rooms that ring on, knobs that are turned, and references of any scale.
@Suite struct EchoChangeTests {
  private func factor(_ decibels: Double) -> Float { Float(Double.pow(10, decibels / 20)) }

  /// What a reverberant room makes of a sound: the direct sound, and five reflections in 10 ms that die away.
  private func inARoom(_ sound: [Float], rt60: Double, reflections: Double) -> [Float] {
    var random = SeededGenerator(seed: 4)
    var room = sound
    for _ in 0..<Int(500 * rt60) {
      let late = Double.random(in: 0.002..<rt60, using: &random)
      let gain = factor(-60 * late / rt60 + reflections) * (Bool.random(using: &random) ? 1 : -1)
      let delay = Int(16_000 * late)
      for n in delay..<sound.count { room[n] += gain * sound[n - delay] }
    }
    return room
  }

  @Test(arguments: [(0.3, -12.0, 1.7), (0.8, -12, 1.7), (1.2, -12, 1.7), (1.2, 6, 5), (0.8, 12, 5)])
  func aRoomThatRingsOnIsTheFarEnd(rt60: Double, reflections: Double, learnedAfter: Double) {
    let far = farEnd(seconds: 20)
    let beside = EchoStream()
    let room = inARoom(
      echo(of: far, after: 40, gain: -20), rt60: rt60, reflections: reflections)
    beside.hear(room, beside: far)
    #expect(beside.finish().loudHops(from: learnedAfter) == 0)
  }

  struct Step: Sendable, CustomTestStringConvertible {
    var decibels: Double
    var isOfTheReference: Bool
    var testDescription: String {
      "\(decibels) dB of the \(isOfTheReference ? "reference" : "echo")"
    }
  }
  private static let steps = [-20.0, -12, 12, 20].flatMap { decibels in
    [false, true].map { Step(decibels: decibels, isOfTheReference: $0) }
  }

  private func raised(_ sound: [Float], by decibels: Double, from seconds: Double) -> [Float] {
    let first = Int(seconds * 16_000)
    return sound.enumerated().map { $0.offset < first ? $0.element : $0.element * factor(decibels) }
  }

  /// Somebody turns the volume behind the tap of the reference, or before it, amid the far end's speech.
  @Test(arguments: steps)
  func aKnobIsNoVoice(step: Step) {
    let far = farEnd(seconds: 12).map { 0.3 * $0 }
    let heard = echo(of: far, after: 80, gain: -15)
    let beside = EchoStream { va_config_preset(&$0, 16_000, VA_PRESET_NOTICE) }
    va_detector_set_muted(beside.stream.detector, true)
    if step.isOfTheReference {
      beside.hear(heard, beside: raised(far, by: step.decibels, from: 7))
    } else {
      beside.hear(raised(heard, by: step.decibels, from: 7), beside: far)
    }
    let found = beside.finish()
    #expect(found.count(VA_EVENT_MUTED_SPEECH_BEGIN) == 0)
    #expect(found.loudHops(from: 8) == 0)
  }

  /// What was learned of a loud echo is unlearned within a second of speech of the softer one.
  @Test func aUserIsHeardAfterTheVolumeWasTurnedDown() {
    let far = farEnd(seconds: 12).map { 0.3 * $0 }
    let heard = raised(echo(of: far, after: 80, gain: 0), by: -25, from: 7)
    let beside = EchoStream()
    beside.hear(sum(heard, user(seconds: 12, at: [9.3], gain: -20)), beside: far)
    #expect(beside.finish().loudHops(from: 9.3, to: 9.9) > 20)
  }

  /// The reference may be of any unit: of 16-bit integers, or far below what is heard.
  @Test(arguments: [-120.0, -80, -40, 40, 80, 120])
  func theScaleOfTheReferenceDoesNotMatter(decibels: Double) {
    let far = farEnd(seconds: 8)
    let microphone = echo(of: far, after: 120, gain: -10)
    let beside = EchoStream()
    beside.hear(microphone, beside: far.map { $0 * factor(decibels) })
    #expect(beside.finish().loudHops(from: 1.7) == 0)
    #expect(abs(Double(beside.status.delay_ms) - 120) <= 20)
    #expect(abs(Double(beside.status.coupling_db) + 10 + decibels) < 7)
  }

  /// A sample that is far too large makes the scale small; the reference is not lost for long.
  @Test func oneSampleDoesNotSpoilTheScale() {
    var far = farEnd(seconds: 12)
    let microphone = echo(of: far, after: 120, gain: -10)
    far[50_000] = 30
    let beside = EchoStream()
    beside.hear(microphone, beside: far)
    #expect(beside.finish().loudHops(from: 9) == 0)
  }
}
