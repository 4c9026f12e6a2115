import CVoiceActivity
import CVoiceActivityInternals
import RealModule
import TestSupport
import Testing

/// The definition, in decibels and double precision, from everything that was heard.
private struct NaiveSpeakerLevel {
  var powers: [Double] = []
  var learned: [Double] = []
  var margin = 15.0

  mutating func hear(_ input: va_speaker_input) {
    powers.append(Double(input.power))
    let learns = !input.muted && input.is_sound && !input.is_echo && input.posterior > 0.9
    if learns { learned.append(present) }
  }

  /// Hops weigh less by a 32nd for each hop that came after them.
  var present: Double {
    var (sum, weight) = (0.0, 1.0 / 32)
    for power in powers.suffix(1500).reversed() {
      sum += weight * power
      weight *= 31.0 / 32
    }
    return sum
  }

  /// The mean weighted by power: of all at first, then with weights that fall by a 3000th for each hop.
  var levelDB: Double {
    var (sum, squares) = (0.0, 0.0)
    for (index, x) in learned.enumerated() {
      let weight = Double.pow(1 - 1.0 / 3000, Double(max(0, learned.count - max(index + 1, 3000))))
      sum += weight * x
      squares += weight * x * x
    }
    return decibels(squares / sum)
  }

  /// How far the present level is above the quietest that is near, in dB. `nil` if nothing tells.
  var reserve: Double? {
    learned.count < 300 ? nil : decibels(present) - (levelDB - margin)
  }
}

@Suite struct SpeakerLevelTests {
  static func make(margin: Float = 15) -> va_speaker_level {
    var level = va_speaker_level()
    va_speaker_level_init(&level, margin < .infinity ? va_power_of_db(-margin) : 0)
    return level
  }

  static func input(
    _ decibels: Double, posterior: Float = 1, clarity: Double = 0, sound: Bool = true,
    echo: Bool = false, muted: Bool = false
  ) -> va_speaker_input {
    va_speaker_input(
      power: decibels == -.infinity ? 0 : Float(Double.pow(10, decibels / 10)),
      posterior: posterior, clarity_gain: Float(Double.pow(10, clarity / 10)), is_sound: sound,
      is_echo: echo, muted: muted)
  }

  @discardableResult
  static func hear(_ level: inout va_speaker_level, _ input: va_speaker_input, hops: Int)
    -> va_nearness
  {
    var nearness = VA_NEAR
    for _ in 0..<hops { nearness = va_speaker_level_step(&level, [input]) }
    return nearness
  }

  @Test(arguments: 1...6)
  func randomSequencesFollowTheDefinition(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let margin = Double.random(in: 3...25, using: &generator)
    var level = Self.make(margin: Float(margin))
    var naive = NaiveSpeakerLevel(margin: margin)
    var seen: Set<UInt32> = []
    for _ in 0..<60 {
      let talk = Double.random(in: -60 ... -10, using: &generator)
      let (muted, sound) = (
        Bool.random(using: &generator), Int.random(in: 0..<6, using: &generator)
      )
      for _ in 0..<Int.random(in: 1...150, using: &generator) {
        let clarity = Double.random(in: -6...8, using: &generator)
        let next = Self.input(
          talk + 6 * generator.gaussian(), posterior: Float.random(in: 0.8...1, using: &generator),
          clarity: clarity, sound: sound != 1, echo: sound == 2, muted: muted)
        let nearness = va_speaker_level_step(&level, [next])
        naive.hear(next)
        guard muted, let reserve = naive.reserve.map({ $0 + clarity }) else {
          #expect(nearness == VA_NEAR)
          continue
        }
        seen.insert(nearness.rawValue)
        if abs(reserve) < 0.01 || abs(reserve + 6.0206) < 0.01 { continue }
        let expected = reserve > 0 ? VA_NEAR : reserve > -6.0206 ? VA_HARDLY_NEAR : VA_FAR
        #expect(nearness == expected, "reserve \(reserve)")
      }
    }
    #expect(Int(level.hops) == min(naive.learned.count, 3000))
    #expect(abs(decibels(Double(level.squares / level.sum)) - naive.levelDB) < 0.01)
    #expect(seen.count == 3)
  }

  /// 30 s and more, so that the oldest fade.
  @Test func itForgetsExponentially() {
    var generator = SeededGenerator(seed: 9)
    var level = Self.make()
    var naive = NaiveSpeakerLevel()
    for hop in 0..<7000 {
      let next = Self.input((hop < 2500 ? -20 : -40) + 4 * generator.gaussian())
      va_speaker_level_step(&level, [next])
      naive.hear(next)
    }
    #expect(level.hops == 3000)
    #expect(abs(decibels(Double(level.squares / level.sum)) - naive.levelDB) < 0.01)
  }

  @Test func itCountsFromThreeSecondsOn() {
    var level = Self.make()
    Self.hear(&level, Self.input(-20), hops: 299)
    let quiet = Self.input(-90, muted: true)
    #expect(Self.hear(&level, quiet, hops: 1000) == VA_NEAR)
    Self.hear(&level, Self.input(-20), hops: 1)
    #expect(Self.hear(&level, quiet, hops: 1000) == VA_FAR)
    #expect(Self.hear(&level, Self.input(-90), hops: 1) == VA_NEAR, "unmuted")
  }

  @Test func onlySureSpeechOfTheUnmutedUserIsLearned() {
    var level = Self.make()
    Self.hear(&level, Self.input(-20, posterior: 0.9), hops: 500)
    Self.hear(&level, Self.input(-20, sound: false), hops: 500)
    Self.hear(&level, Self.input(-20, echo: true), hops: 500)
    Self.hear(&level, Self.input(-20, muted: true), hops: 500)
    #expect(level.hops == 0 && level.sum == 0 && level.squares == 0)
    Self.hear(&level, Self.input(-20, posterior: 0.901), hops: 1)
    #expect(level.hops == 1)
  }

  /// A user, and for as long a television 15 dB below; then two minutes of the television alone.
  @Test func aTelevisionWhileUnmutedIsNotTheUser() {
    var level = Self.make()
    for _ in 0..<5 {
      Self.hear(&level, Self.input(-25), hops: 300)
      Self.hear(&level, Self.input(-40), hops: 300)
    }
    #expect(abs(decibels(Double(level.squares / level.sum)) + 25) < 0.7)
    Self.hear(&level, Self.input(-40), hops: 6000)
    #expect(abs(decibels(Double(level.squares / level.sum)) + 25) < 2.5)
    Self.hear(&level, Self.input(-40), hops: 60_000)
    #expect(abs(decibels(Double(level.squares / level.sum)) + 40) < 0.1, "minutes")
  }

  @Test func silenceIsNeverLouderThanTheUser() {
    var level = Self.make()
    Self.hear(&level, Self.input(-.infinity), hops: 400)
    #expect(level.hops == 400 && level.sum == 0)
    #expect(Self.hear(&level, Self.input(-.infinity, muted: true), hops: 9) == VA_NEAR)
    Self.hear(&level, Self.input(-30), hops: 400)
    #expect(Self.hear(&level, Self.input(-.infinity, muted: true), hops: 5000) == VA_FAR)
  }

  @Test func withoutAMarginEverythingIsNear() {
    var level = Self.make(margin: .infinity)
    #expect(level.least == 0)
    Self.hear(&level, Self.input(0), hops: 400)
    #expect(Self.hear(&level, Self.input(-.infinity, muted: true), hops: 90_000) == VA_NEAR)
  }
}
