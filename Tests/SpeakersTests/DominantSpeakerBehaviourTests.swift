import Testing

@testable import Speakers

/// Conversations between synthetic speakers.
@Suite struct DominantSpeakerBehaviourTests {
  let pair = ["ann", "bob"]
  /// Ann talks for ten seconds.
  let monologue = [speech("ann", 0..<10_000), silence("bob", 0..<20_000)]

  /// One speaker stops and another begins.
  @Test func theFloorPassesWithinHalfASecond() throws {
    let found = switches(pair, monologue + [speech("bob", 10_200..<15_000)], until: 20_000)
    #expect(found.map(\.dominant) == ["ann", "bob"])
    #expect((10_400...10_750).contains(try #require(found.last).at))
  }

  @Test func aLongerFreeFloorIsTakenSooner() throws {
    let delays = try [0, 200, 400, 1000, 5000].map { (gap: Int64) in
      let answer = speech("bob", (10_000 + gap)..<20_000)
      return try #require(switches(pair, monologue + [answer], until: 20_000).last).at - 10_000
        - gap
    }
    #expect(delays == delays.sorted(by: >))
    #expect(delays.last == 280)
  }

  /// Coughs of up to 280 ms, in speech and in silence.
  @Test(
    arguments: [3000, 10_100, 15_000] as [Int64])
  func shortCoughsDoNotTakeTheFloor(at time: Int64) {
    let cough = speech("bob", time..<(time + 280), level: -8)
    #expect(switches(pair, monologue + [cough], until: 20_000).map(\.dominant) == ["ann"])
  }

  /// It may be of any length.
  @Test func aCoughDetectedAsNonSpeechIsIgnored() {
    let cough = silence("bob", 15_000..<18_000, level: -5)
    #expect(switches(pair, monologue + [cough], until: 20_000).map(\.dominant) == ["ann"])
  }

  /// A "yes" over somebody's speech, or nine in a row.
  @Test(
    arguments: [400, 700, 1000] as [Int64])
  func backchannelsDoNotTakeTheFloor(length: Int64) {
    let answers = (1...9).map { speech("bob", ($0 * 1000)..<($0 * 1000 + min(length, 700))) }
    let long = speech("bob", 4000..<(4000 + length))
    #expect(switches(pair, monologue + answers, until: 9900).count == 1)
    #expect(switches(pair, monologue + [long], until: 9900).count == 1)
  }

  @Test func aBackchannelInAPauseDoesNotTakeTheFloor() {
    let pause = [silence("ann", 5000..<5500), speech("bob", 5050..<5450)]
    #expect(switches(pair, monologue + pause, until: 9900).count == 1)
  }

  /// Somebody equally loud takes it after more than a second.
  @Test func aPersistentInterrupterTakesTheFloor() throws {
    let found = switches(pair, monologue + [speech("bob", 4000..<10_000)], until: 9000)
    #expect(found.prefix(2).map(\.dominant) == ["ann", "bob"])
    #expect((5000...6500).contains(found[1].at))
  }

  /// The echo is 25 dB below the dominant speaker.
  @Test func echoNeverTakesTheFloor() {
    let call = [speech("ann", 0..<60_000), speech("bob", 40..<60_040, level: -50)]
    #expect(switches(pair, call, until: 60_500).map(\.dominant) == ["ann"])
  }

  /// With packets, in DTX, and without any packets.
  @Test(
    arguments: [20, 400, 0] as [Int64])
  func silenceKeepsTheDominantSpeaker(every interval: Int64) {
    let starts =
      interval == 0 ? [] : Array(stride(from: Int64(2000), to: 20_000, by: Int(interval)))
    let packets: [Stretch] = starts.map { silence("ann", $0..<($0 + 20)) }
    let found = switches(pair, [speech("ann", 0..<2000)] + packets, until: 20_000)
    #expect(found.map(\.dominant) == ["ann"])
  }

  @Test func speechAfterDTXIsHeardAsSoonAsAfterSilence() {
    let start: Int64 = 15_000
    let sending = switches(pair, monologue + [speech("bob", start..<16_000)], until: 16_000)
    let quiet = switches(pair, [monologue[0], speech("bob", start..<16_000)], until: 16_000)
    #expect(sending == quiet)
  }

  /// This happens when the speaker mutes.
  @Test func speechWithoutALastPacketEndsWithThePacketTimeout() throws {
    let muted = switches(pair, [speech("ann", 0..<5000), speech("bob", 6000..<8000)], until: 8000)
    #expect(muted.last == Switch(at: 6280, dominant: "bob"))
  }

  /// Losing four packets in a row, half of all, moves no decision by more than 100 ms.
  @Test func packetLossHardlyMovesDecisions() throws {
    let call = [
      monologue[0], silence("bob", 0..<10_200), speech("bob", 10_200..<15_000),
    ]
    let lossy = call.flatMap { stretch in
      stride(from: stretch.time.lowerBound, to: stretch.time.upperBound, by: 160).map { start in
        Stretch(
          who: stretch.who, time: start..<min(start + 80, stretch.time.upperBound),
          packet: stretch.packet)
      }
    }
    let whole = switches(pair, call, until: 20_000)
    let holed = switches(pair, lossy, until: 20_000)
    #expect(holed.map(\.dominant) == whole.map(\.dominant))
    for (left, right) in zip(whole, holed) { #expect(abs(left.at - right.at) <= 100) }
  }

  /// The most recent follow; those who never spoke are last, by id.
  @Test func recencyOrderPutsTheDominantSpeakerFirst() {
    let turns = [("a", 0), ("c", 3000), ("b", 6000), ("a", 9000)] as [(String, Int64)]
    var call = Conversation(["d", "c", "b", "a", "e"])
    call.play(turns.map { speech($0.0, $0.1..<($0.1 + 2500)) }, until: 12_000)
    #expect(call.switches.map(\.dominant) == ["a", "c", "b", "a"])
    #expect(call.detector.recencyOrder == ["a", "b", "c", "d", "e"])
    call.detector.join("aa")
    #expect(call.detector.recencyOrder == ["a", "b", "c", "aa", "d", "e"])
  }

  @Test func levelAloneDistinguishesSpeechFromAFan() {
    func level(_ who: String, _ time: Range<Int64>, _ level: Float) -> Stretch {
      Stretch(who: who, time: time, packet: SpeakerObservation(level: level))
    }
    let fan = [level("ann", 0..<20_000, -38), level("bob", 0..<20_000, -70)]
    #expect(switches(pair, fan, until: 20_000).isEmpty)
    let talking = stride(from: Int64(5000), to: 9000, by: 300).map {
      level("bob", $0..<($0 + 240), -30)
    }
    #expect(switches(pair, fan + talking, until: 20_000).map(\.dominant) == ["bob"])
    let overFan = stride(from: Int64(5000), to: 9000, by: 300).map {
      level("ann", $0..<($0 + 240), -22)
    }
    #expect(switches(pair, fan + overFan, until: 20_000).map(\.dominant) == ["ann"])
  }

  @Test func theSwitchThresholdIsConfigurable() {
    var configuration = DominantSpeakerConfiguration()
    configuration.switchMilliseconds = 1000
    var call = Conversation(["a"], configuration: configuration)
    call.play([speech("a", 0..<2000)], until: 2000)
    #expect(call.switches == [Switch(at: 1000, dominant: "a")])
  }
}
