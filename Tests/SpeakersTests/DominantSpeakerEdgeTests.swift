import CVoiceActivity
import Testing

@testable import Speakers
@testable import VoiceActivity

@Suite struct DominantSpeakerEdgeTests {
  typealias Detector = DominantSpeakerDetector<String>
  let loud = SpeakerObservation(level: -20, posterior: 1)

  /// This holds whatever arrives.
  @Test func anEmptyCallHasNoDominantSpeaker() {
    var detector = Detector()
    let changed = detector.advance(to: 1000)
    #expect(!changed)
    for time: Int64 in stride(from: 1000, to: 3000, by: 20) {
      detector.observe(loud, from: "stranger", at: time)
    }
    detector.leave("stranger")
    #expect(detector.dominant == nil)
    #expect(detector.recencyOrder.isEmpty)
  }

  @Test func aLoneParticipantIsDominantOnceTheyHaveSpoken() {
    #expect(switches(["a"], [silence("a", 0..<5000)], until: 5000).isEmpty)
    let spoken = switches(["a"], [speech("a", 1000..<3000)], until: 60_000)
    #expect(spoken == [Switch(at: 1280, dominant: "a")])
  }

  /// All are listed by id.
  @Test func silenceMakesNobodyDominant() {
    var call = Conversation(["c", "a", "b"])
    call.play(["a", "b", "c"].map { silence($0, 0..<10_000) }, until: 10_000)
    #expect(call.switches.isEmpty)
    #expect(call.detector.dominant == nil)
    #expect(call.detector.recencyOrder == ["a", "b", "c"])
  }

  /// It does not matter who joined first.
  @Test(
    arguments: [["a", "b"], ["b", "a"]])
  func theSmallerIDWinsATie(order: [String]) {
    let found = switches(order, [speech("a", 0..<9000), speech("b", 0..<9000)], until: 300)
    #expect(found == [Switch(at: 300, dominant: "a")])
  }

  @Test func theLouderOfTwoSimultaneousSpeakersWins() {
    let both = [speech("a", 0..<900, level: -26), speech("b", 0..<900, level: -25)]
    #expect(switches(["a", "b"], both, until: 500).map(\.dominant) == ["b"])
  }

  /// NaN counts as silence.
  @Test func invalidLevelsAndPosteriorsAreClamped() {
    #expect(SpeakerObservation(level: .nan).level == -127)
    #expect(SpeakerObservation(level: -.infinity).level == -127)
    #expect(SpeakerObservation(level: .infinity).level == 0)
    #expect(SpeakerObservation(level: 12).level == 0)
    #expect(SpeakerObservation(level: -20, posterior: .nan).posterior == 0)
    #expect(SpeakerObservation(level: -20, posterior: 7).posterior == 1)
    #expect(SpeakerObservation(level: -20, posterior: -1).posterior == 0)
    #expect(SpeakerObservation(level: -20).posterior == nil)
  }

  @Test func aNaNPacketDoesNoLastingHarm() {
    let bad = SpeakerObservation(level: .nan, posterior: .nan)
    let call = [Stretch(who: "a", time: 0..<1000, packet: bad), speech("a", 1000..<2000)]
    #expect(switches(["a"], call, until: 2000) == [Switch(at: 1280, dominant: "a")])
  }

  /// V is the top bit; the other seven are the level in −dBov.
  @Test(
    arguments: [0, 1, 54, 126, 127] as [UInt8])
  func rfc6464BytesGiveVoiceAndLevel(magnitude: UInt8) {
    let voiced = SpeakerObservation(rfc6464: 0x80 | magnitude)
    #expect(voiced.level == -Float(magnitude))
    #expect(voiced.posterior == 1)
    #expect(SpeakerObservation(rfc6464: magnitude).posterior == 0)
    #expect(SpeakerObservation(rfc6464: magnitude, hasVoiceFlag: false).posterior == nil)
  }

  /// A gap counts as no speech.
  @Test(arguments: [false, true])
  func aHopGivesItsLevelAndPosterior(isMissing: Bool) {
    func observation(level: Float) -> SpeakerObservation {
      var hop = va_hop()
      (hop.posterior, hop.level_dbfs) = (0.75, level)
      hop.flags = isMissing ? UInt8(VA_HOP_MISSING.rawValue) : 0
      return SpeakerObservation(hop: VoiceActivityHop(hop))
    }
    #expect(observation(level: -30.5).level == -30.5)
    #expect(observation(level: -30.5).posterior == (isMissing ? 0 : 0.75))
    #expect(observation(level: 12).level == 0)
  }

  @Test func nothingIsDecidedUntilTimeAdvances() {
    var detector = Detector()
    detector.join("a")
    for _ in 0..<1000 { detector.observe(loud, from: "a", at: 500) }
    for time: Int64 in [500, 400, 0, -7, .min] {
      let (heard, advanced) = (
        detector.observe(loud, from: "a", at: time), detector.advance(to: time)
      )
      #expect(!heard && !advanced)
    }
    #expect(detector.dominant == nil)
  }

  @Test(arguments: [Int64.min, -1, 0, 1, 1 << 62, .max])
  func anyTimeIsAccepted(first: Int64) {
    for second in [Int64.min, -1, 0, 19, 20, 1 << 62, .max] {
      var detector = Detector()
      detector.join("a")
      detector.observe(loud, from: "a", at: first)
      detector.advance(to: second)
      detector.observe(loud, from: "a", at: second)
      #expect(detector.dominant == nil)
    }
  }

  @Test func nobodyIsDominantAfterTheDominantSpeakerLeaves() {
    var call = Conversation(["a", "b", "c"])
    call.play([speech("b", 0..<2000), speech("c", 3000..<5000)], until: 5000)
    #expect(call.detector.recencyOrder == ["c", "b", "a"])
    call.detector.leave("c")
    #expect(call.detector.dominant == nil)
    #expect(call.detector.recencyOrder == ["b", "a"])
    call.play([speech("a", 5100..<6000)], until: 6000)
    #expect(call.switches.last == Switch(at: 5380, dominant: "a"))
  }

  @Test func otherDeparturesKeepTheDominantSpeaker() {
    var call = Conversation(["a", "b", "c"])
    call.play([speech("b", 0..<2000)], until: 1000)
    call.detector.leave("a")
    call.detector.leave("nobody")
    call.play([speech("b", 0..<2000)], until: 2000)
    #expect(call.switches.count == 1)
    #expect(call.detector.recencyOrder == ["b", "c"])
  }

  /// A participant who joins again starts anew.
  @Test func latePacketsDoNotBringBackAParticipant() {
    var call = Conversation(["a", "b"])
    call.play([speech("a", 0..<1000)], until: 1000)
    call.detector.leave("a")
    call.play([speech("a", 1000..<3000)], until: 3000)
    #expect(call.detector.recencyOrder == ["b"])
    call.detector.join("a")
    #expect(call.detector.recencyOrder == ["a", "b"])
    #expect(call.detector.dominant == nil)
    call.play([speech("b", 3100..<4000)], until: 4000)
    #expect(call.detector.recencyOrder == ["b", "a"])
  }

  @Test func joiningTwiceChangesNothing() {
    var call = Conversation(["a"])
    call.play([speech("a", 0..<1000)], until: 1000)
    call.detector.join("a")
    #expect(call.detector.dominant == "a")
    #expect(call.detector.recencyOrder == ["a"])
  }

  @Test func outOfRangeSettingsAreClamped() {
    var configuration = DominantSpeakerConfiguration()
    configuration.switchMilliseconds = .min
    configuration.releaseMilliseconds = .max
    configuration.packetTimeoutMilliseconds = 0
    #expect(configuration.switchMilliseconds == 20)
    #expect(configuration.releaseMilliseconds == 10_000)
    #expect(configuration.packetTimeoutMilliseconds == 20)
  }
}
