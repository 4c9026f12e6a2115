import CVoiceActivity
import CVoiceActivityInternals
import TestSupport
import Testing

/// What a detector beside a loudspeaker learns of the user's own level.
@Suite struct EchoOwnLevelTests {
  static let seconds = 40.0

  struct Heard {
    var dbfs: Float
    var ms: Int
    /// Hops of sure speech, and how many of them are echo, as the hop records say.
    var sure: Int
    var sureEchoes: Int

    init(_ stream: Stream, _ result: StreamResult) {
      let learned = OwnLevelTests.level(stream.detector)
      (dbfs, ms) = (learned.dbfs, Int(learned.ms))
      let hops = result.hops.filter { $0.posterior > 0.9 }
      sure = hops.count
      sureEchoes = hops.count { $0.flags & UInt8(VA_HOP_ECHO.rawValue) != 0 }
    }
  }

  static func hear(_ microphone: [Float], beside far: [Float]) -> Heard {
    let beside = EchoStream()
    beside.hear(microphone, beside: far)
    return Heard(beside.stream, beside.finish())
  }

  static func hearAlone(_ microphone: [Float]) -> Heard {
    let stream = Stream()
    stream.process(microphone)
    return Heard(stream, stream.finish())
  }

  @Test(arguments: [-20.0, 0, 8])
  func theFarEndTeachesNothing(gain: Double) {
    let far = farEnd(seconds: Self.seconds)
    let microphone = echo(of: far, after: 120, gain: gain)
    let heard = Self.hear(microphone, beside: far)
    #expect(heard.ms == 0 && heard.dbfs == -127)
    #expect(Self.hearAlone(microphone).ms > 3000, "without the reference")
  }

  /// The user speaks while the far end does, 20 or 30 dB louder than its echo. In many hops a third of the bands are
  /// echo, but not those that make the level.
  @Test(arguments: [0.0, 10])
  func aUserFarAboveTheEchoIsLearned(near: Double) {
    let far = farEnd(seconds: Self.seconds)
    let speech = user(
      seconds: Self.seconds, at: Array(stride(from: 2.2, to: 38, by: 2.1)), gain: near)
    let heard = Self.hear(sum(echo(of: far, after: 120, gain: -20), speech), beside: far)
    #expect(heard.sureEchoes > 100)
    #expect(heard.ms > 6 * heard.sure)
    #expect(abs(heard.dbfs - Self.hearAlone(speech).dbfs) < 1)
  }

  /// At 10 dB over the echo, what is sure and not drowned by it is learned.
  @Test func aUserAboveTheEchoIsLearned() {
    let far = farEnd(seconds: Self.seconds)
    let speech = user(
      seconds: Self.seconds, at: Array(stride(from: 2.2, to: 38, by: 2.1)), gain: -10)
    let heard = Self.hear(sum(echo(of: far, after: 120, gain: -20), speech), beside: far)
    #expect(heard.ms >= 10 * (heard.sure - heard.sureEchoes) && heard.ms >= 3000)
    #expect(abs(heard.dbfs - Self.hearAlone(speech).dbfs) < 3)
  }

  /// A user 20 dB below the echo: taken for the user, it would hide the user while muted.
  @Test func anEchoLouderThanTheUserIsNotTheUsersLevel() {
    let far = farEnd(seconds: 60)
    let speech = user(seconds: 60, at: Array(stride(from: 2.2, to: 58, by: 2.1)), gain: -20)
    let heard = Self.hear(sum(echo(of: far, after: 120, gain: 0), speech), beside: far)
    #expect(heard.sure > 300, "enough to count, if echoes were learned")
    #expect(heard.ms < 3000)
  }
}
