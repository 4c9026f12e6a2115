import CVoiceActivity
import CVoiceActivityInternals
import RealModule
import TestSupport
import Testing

/// What a detector decides beside a loudspeaker.
@Suite struct EchoTests {
  // MARK: nothing plays

  @Test(arguments: [8_000, 16_000, 48_000])
  func withoutAnEchoNothingChanges(rate: Int) {
    let speech = user(seconds: 5, at: [0.5, 3], rate: Double(rate))
    let alone = analyze(speech, rate: rate)
    let silent = EchoStream(rate: rate, referenceRate: 48_000)
    silent.hear(speech, beside: [Float](repeating: 0, count: 5 * 48_000))
    #expect(silent.finish() == alone)
    let unknown = EchoStream(rate: rate)
    for at in stride(from: 0, to: speech.count, by: rate / 100) {
      #expect(va_echo_push_silence(unknown.echo, 160) == VA_OK)
      unknown.process(speech[at..<min(at + rate / 100, speech.count)])
    }
    #expect(unknown.finish() == alone)
    #expect(alone.segments.count == 2)
  }

  // MARK: the far end alone

  struct Path: Sendable, CustomTestStringConvertible {
    var delay: Double
    var gain: Double
    var testDescription: String { "\(delay) ms, \(gain) dB" }
  }
  static let paths = [0.0, 13, 250, 500, 740].flatMap { delay in
    [-30.0, -10, 8].map { Path(delay: delay, gain: $0) }
  }

  /// The delay is found within a second of far-end speech, which begins at 0.6 s, and the far end is not heard then.
  @Test(arguments: paths)
  func theFarEndIsNotTheUser(path: Path) {
    let far = farEnd(seconds: 8)
    let microphone = echo(of: far, after: path.delay, gain: path.gain)
    let beside = EchoStream()
    let second = 25_600 + Int(path.delay * 16)
    beside.hear(Array(microphone.prefix(second)), beside: Array(far.prefix(second)))
    let early = beside.status
    #expect(abs(Double(early.delay_ms) - path.delay) <= 20)
    beside.hear(Array(microphone.dropFirst(second)), beside: Array(far.dropFirst(second)))
    let found = beside.finish()
    let alone = analyze(microphone)
    #expect(found.loudHops(from: 1.7) == 0)
    #expect(alone.loudHops(from: 1.7) > 200)
    #expect(abs(Double(beside.status.delay_ms) - path.delay) <= 20 && beside.status.fit > 0.15)
    #expect(abs(Double(beside.status.coupling_db) - path.gain) < 7)
    let echoes = found.hops.count { $0.flags & UInt8(VA_HOP_ECHO.rawValue) != 0 }
    #expect(echoes > 200)
  }

  @Test(arguments: [8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000, 192_000])
  func aReferenceOfAnyRate(rate: Int) {
    let far = farEnd(seconds: 5, rate: Double(rate))
    let microphone = echo(of: farEnd(seconds: 5), after: 100, gain: -12)
    let beside = EchoStream(referenceRate: rate)
    beside.hear(microphone, beside: far, step: 0.02)
    let found = beside.finish()
    #expect(found.loudHops(from: 1.7) == 0)
    #expect(abs(Int(beside.status.delay_ms) - 100) <= 20 && beside.status.late_samples == 0)
  }

  @Test(arguments: [8_000, 44_100, 48_000])
  func aMicrophoneOfAnyRate(rate: Int) {
    let microphone = echo(
      of: farEnd(seconds: 5, rate: Double(rate)), after: 60, gain: -12, rate: Double(rate))
    let beside = EchoStream(rate: rate)
    beside.hear(microphone, beside: farEnd(seconds: 5))
    #expect(beside.finish().loudHops(from: 1.7) == 0)
    #expect(beside.status.late_samples == 0)
  }

  /// After a jump the far end may be heard for two seconds.
  @Test(arguments: [-200.0, -100, 100, 200])
  func theDelayMayJump(by: Double) {
    let far = farEnd(seconds: 12)
    let before = echo(of: far, after: 250, gain: -10)
    let after = echo(of: far, after: 250 + by, gain: -10)
    let microphone = Array(before[..<96_000] + after[96_000...])
    let beside = EchoStream()
    beside.hear(microphone, beside: far)
    #expect(beside.finish().loudHops(from: 8) == 0)
    #expect(abs(Double(beside.status.delay_ms) - 250 - by) <= 20)
  }

  @Test(arguments: [-20.0, 20])
  func aSmallJumpIsNotHeard(by: Double) {
    let far = farEnd(seconds: 12)
    let before = echo(of: far, after: 250, gain: -10)
    let after = echo(of: far, after: 250 + by, gain: -10)
    let beside = EchoStream()
    // Amid the far end's speech.
    beside.hear(Array(before[..<112_000] + after[112_000...]), beside: far)
    #expect(beside.finish().loudHops(from: 1.7) == 0)
  }

  /// The background of the far end, sent before its first word, says little of the path: the first half second of
  /// speech is echo all the same.
  @Test(arguments: [0, 1e-3, 1e-2])
  func theBackgroundOfTheFarEndIsNotItsFirstSpeech(rms: Double) {
    let speech = user(seconds: 5, at: [3.6])
    let far = sum(speech, whiteNoise(count: speech.count, rms: rms, seed: 5))
    let microphone = echo(of: far, after: 120, gain: 12)
    let beside = EchoStream()
    var heard = 0
    for (end, isLost) in [(3.9, true), (4.3, false)] {
      let some = heard..<Int(end * 16_000)
      beside.hear(Array(microphone[some]), beside: Array(far[some]))
      heard = some.upperBound
      #expect(beside.echo.pointee.delay.is_lost == isLost)
    }
  }

  // MARK: the user

  /// The user speaks over the far end, which speaks from 6.6 to 9.2 s and from 12.6 s on: reported within half a
  /// second.
  @Test(arguments: [0.0, 10])
  func theUserIsHeardBesideTheFarEnd(near: Double) {
    let far = farEnd(seconds: 15)
    let starts = [7.2, 13.1]
    let beside = EchoStream { $0.onset_threshold = 0.7 }
    let microphone = sum(
      echo(of: far, after: 120, gain: -10), user(seconds: 15, at: starts, gain: near - 10))
    beside.hear(microphone, beside: far)
    let onsets = beside.finish().events.filter { $0.type == VA_EVENT_ONSET.rawValue }
    for start in starts {
      #expect(onsets.contains { (start...start + 0.5).contains(Double($0.decided_at) / 16_000) })
    }
    #expect(!onsets.contains { (1.7...7.1).contains(Double($0.decided_at) / 16_000) })
  }

  /// A headset: the far end talks, and the microphone hears nothing of it. Most of what is detected without a reference
  /// is detected, and little outside the user's speech.
  @Test func aReferenceThatIsNotHeardChangesLittle() {
    let starts = Array(stride(from: 8.0, to: 58, by: 4.1))
    let microphone = user(seconds: 60, at: starts)
    let beside = EchoStream()
    beside.hear(microphone, beside: farEnd(seconds: 60).map { 0.25 * $0 })
    let alone = analyze(microphone).loudHops(from: 0)
    let result = beside.finish()
    let found = starts.reduce(0) { $0 + result.loudHops(from: $1, to: $1 + 2.2) }
    #expect(alone > 900)
    #expect(found > alone * 70 / 100)
    #expect(result.loudHops(from: 0) - found <= 20)
    #expect(beside.status.fit < 0.15)
  }

  /// Returns when the notice of a user who is muted from the beginning was raised, in seconds, amid a far end of a
  /// noisy telephone and `sound`.
  private func notices(seconds: Double, beside sound: [Float]? = nil) -> [Double] {
    let far = farEnd(seconds: seconds)
    let beside = EchoStream { $0.mute_grace_ms = 1_000 }
    va_detector_set_muted(beside.stream.detector, true)
    let heard = echo(of: far, after: 90, gain: -12)
    beside.hear(sound.map { sum(heard, $0) } ?? heard, beside: far)
    return beside.finish().events.filter { $0.type == VA_EVENT_MUTED_SPEECH_BEGIN.rawValue }
      .map { Double($0.position) / 16_000 }
  }

  /// The far end alone, muted just before it begins, neither raises the notice nor ends the grace.
  @Test func theFarEndIsNoMutedSpeech() {
    #expect(notices(seconds: 12) == [])
  }

  /// A user begins to speak at twenty moments of the far end. Most of these are reported in time, none too early. The
  /// user's voice is the same recording, played slower.
  @Test func theUserIsMutedSpeechAmidTheFarEnd() {
    var withinHalfASecond = 0
    var withinASecond = 0
    for start in stride(from: 7, to: 12.9, by: 0.3) {
      let found = notices(seconds: start + 2, beside: user(seconds: start + 2, at: [start]))
      #expect(found.allSatisfy { $0 >= start })
      withinHalfASecond += found.contains { $0 < start + 0.5 } ? 1 : 0
      withinASecond += found.contains { $0 < start + 1 } ? 1 : 0
    }
    #expect(withinHalfASecond >= 14)
    #expect(withinASecond >= 16)
  }

  /// An hour with clocks that differ by 100 ppm, by a host that follows the microphone's clock: it drops 20 ms of the
  /// reference when it has 60 ms too much, and gives silence when it has none.
  @Test(.timeLimit(.minutes(3)), arguments: [-1e-4, 1e-4])
  func anHourOfDriftingClocks(drift: Double) {
    let minute = farEnd(seconds: 60)
    let hop = 160
    let beside = EchoStream { va_config_preset(&$0, 16_000, VA_PRESET_NOTICE) }
    va_detector_set_muted(beside.stream.detector, true)
    let noise = whiteNoise(count: 60 * 16_000, rms: 1e-4, seed: 3)
    var queue: [Float] = []
    var played = 0.0
    var begun = 0
    var taken = 0
    for n in 0..<(3600 * 100) {
      played += Double(hop) * (1 + drift)
      while taken < Int(played) {
        queue.append(minute[taken % minute.count])
        taken += 1
      }
      if queue.count >= 960 { queue.removeFirst(320) }
      let period = Array(queue.prefix(hop))
      queue.removeFirst(period.count)
      precondition(beside.push(period) == VA_OK)
      precondition(va_echo_push_silence(beside.echo, UInt64(hop - period.count)) == VA_OK)
      // The loudspeaker plays by its own clock: sample k of it at the microphone's k / (1 + drift).
      let heard = (0..<hop).map { i in
        let position = Double(n * hop + i) * (1 + drift) - 1_600
        return (position < 0 ? 0 : 0.25 * minute[Int(position) % minute.count])
          + noise[(n * hop + i) % noise.count]
      }
      beside.process(heard)
      begun += beside.stream.result.count(VA_EVENT_MUTED_SPEECH_BEGIN)
      beside.stream.result = StreamResult()
    }
    #expect(begun == 0)
    #expect(beside.status.late_samples == 0)
  }
}
