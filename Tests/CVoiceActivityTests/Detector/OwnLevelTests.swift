import CVoiceActivity
import CVoiceActivityInternals
import RealModule
import TestSupport
import Testing

/// The user's own level, through the C interface.
@Suite struct OwnLevelTests {
  static let second = 8000
  static let words = try! TelephoneSpeech.samples(rate: 8000)
  static let talk = words + words + words
  static let television = acrossTheRoom(words, rate: second)

  static func louder(_ sound: [Float], _ decibels: Double) -> [Float] {
    let gain = Float(Double.pow(10, decibels / 20))
    return sound.map { $0 * gain }
  }

  /// Talks unmuted, calls `between`, mutes, and hears `sound` at some level.
  static func run(
    _ mutedLevel: Double, of sound: [Float] = words, unmuted: [Float] = talk, margin: Float? = nil,
    between: (UnsafeMutablePointer<va_detector>) -> Void = { _ in }
  ) -> StreamResult {
    let stream = Stream(rate: Self.second)
    if let margin { #expect(va_detector_set_speaker_margin(stream.detector, margin) == VA_OK) }
    stream.process(unmuted)
    between(stream.detector)
    va_detector_set_muted(stream.detector, true)
    stream.process(louder(sound, mutedLevel))
    return stream.finish()
  }

  static func level(_ detector: UnsafePointer<va_detector>) -> (dbfs: Float, ms: UInt32) {
    var (dbfs, ms) = (Float.nan, UInt32.max)
    #expect(va_detector_speaker_level(detector, &dbfs, &ms) == VA_OK)
    return (dbfs, ms)
  }

  @Test func aVoiceFarBelowTheUserRaisesNothing() {
    #expect(Self.run(0).count(VA_EVENT_MUTED_SPEECH_BEGIN) > 0)
    #expect(Self.run(-8).count(VA_EVENT_MUTED_SPEECH_BEGIN) > 0)
    #expect(Self.run(-25).count(VA_EVENT_MUTED_SPEECH_BEGIN) == 0)
    #expect(Self.run(-25, margin: 30).count(VA_EVENT_MUTED_SPEECH_BEGIN) > 0)
    #expect(Self.run(-8, of: Self.television, margin: 4).count(VA_EVENT_MUTED_SPEECH_BEGIN) == 0)
    #expect(Self.run(-25, margin: .infinity).count(VA_EVENT_MUTED_SPEECH_BEGIN) > 0)
    #expect(Self.run(-25, unmuted: []).count(VA_EVENT_MUTED_SPEECH_BEGIN) > 0, "nothing learned")
  }

  /// Talks unmuted, mutes, and hears `sound` again and again at some level. Returns when it is noticed.
  static func secondsToTheNotice(_ sound: [Float], _ level: Double) -> Double? {
    let stream = Stream(rate: second)
    stream.process(talk)
    va_detector_set_muted(stream.detector, true)
    let muted = talk.count
    stream.process(louder(sound + sound + sound, level))
    let notice = stream.finish().events.first { $0.type == VA_EVENT_MUTED_SPEECH_BEGIN.rawValue }
    return notice.map { (Double($0.decided_at) - Double(muted)) / Double(second) }
  }

  /// A user whose level was learned too high, or who speaks softly, is as clear as before; a television is not.
  @Test func aClearVoiceIsHeardFarBelow() throws {
    for level in [-17, -20] as [Double] {
      let seconds = try #require(Self.secondsToTheNotice(Self.words, level), "\(level) dB")
      #expect(seconds < 10)
    }
    #expect(Self.secondsToTheNotice(Self.television, -20) == nil)
    #expect(Self.secondsToTheNotice(Self.television, 0) != nil)
    #expect(Self.secondsToTheNotice(Self.words, -30) == nil, "headphones leak")
  }

  /// Keys rise just before they fall.
  @Test func keysBesideATelevisionAreNotTheUser() {
    let television = Self.louder(Self.television, -20)
    var generator = SeededGenerator(seed: 4)
    var keys = [Float](repeating: 0, count: television.count)
    for key in stride(from: 800, to: keys.count - 400, by: 1400) {
      for n in 0..<400 {
        keys[key + n] = Float(generator.gaussian() * Double.exp(-Double(n) / 60) * 0.03)
      }
    }
    let typing = zip(television, keys).map { $0 + $1 }
    #expect(Self.secondsToTheNotice(typing, 0) == nil)
  }

  /// Returns a stream that has learned a user's clarity, has muted, and has evidence for the user since.
  static func mutedWithEvidence() throws -> Stream {
    let stream = Stream(rate: second)
    let usual = stream.detector.pointee.clarity.own
    stream.process(talk)
    let own = stream.detector.pointee.clarity.own
    #expect(own != usual && stream.detector.pointee.clarity.evidence == 0, "unmuted")
    va_detector_set_muted(stream.detector, true)
    var rest = louder(words + words, -12)[...]
    while stream.detector.pointee.clarity.evidence <= 0
      || stream.detector.pointee.rises == VA_RISES_MOST
    {
      try #require(!rest.isEmpty, "no evidence")
      stream.process(Array(rest.prefix(80)))
      rest = rest.dropFirst(80)
    }
    #expect(stream.detector.pointee.clarity.own == own)
    return stream
  }

  @Test func theEvidenceIsOfOneMute() throws {
    let stream = try Self.mutedWithEvidence()
    va_detector_set_muted(stream.detector, false)
    stream.process([Float](repeating: 0, count: 800))
    #expect(stream.detector.pointee.clarity.evidence == 0)
  }

  /// What speaks next may be a television.
  @Test func theEvidenceIsOfOneVoice() throws {
    let stream = try Self.mutedWithEvidence()
    stream.process(Self.louder(Self.words, -12) + [Float](repeating: 0, count: 3 * Self.second))
    let result = stream.finish()
    #expect(result.count(VA_EVENT_MUTED_SPEECH_END) == result.count(VA_EVENT_MUTED_SPEECH_BEGIN))
    #expect(result.count(VA_EVENT_MUTED_SPEECH_END) > 0)
    #expect(stream.detector.pointee.clarity.evidence <= 0)
  }

  @Test func theEvidenceMoves() throws {
    let stream = try Self.mutedWithEvidence()
    let (clarity, rises) = (stream.detector.pointee.clarity, stream.detector.pointee.rises)
    stream.move()
    #expect(stream.detector.pointee.clarity.own == clarity.own)
    #expect(stream.detector.pointee.clarity.evidence == clarity.evidence)
    #expect(stream.detector.pointee.rises == rises)
  }

  @Test func theClarityBelongsToTheLevel() {
    let stream = Stream(rate: Self.second)
    let d = stream.detector
    let usual = d.pointee.clarity.own
    stream.process(acrossTheRoom(Self.talk, rate: Self.second))
    #expect(d.pointee.clarity.own < usual)
    #expect(va_detector_set_speaker_level(d, -20, 0) == VA_OK)
    #expect(d.pointee.clarity.own == usual)
  }

  /// A hole and a gain that is reported look like a voice that ends.
  @Test func holesAndGainsAreNoFalls() {
    let stream = Stream(rate: Self.second)
    stream.process(Array(Self.talk[..<Self.second]))
    #expect(stream.detector.pointee.rises != VA_RISES_MOST)
    stream.pushGap(160)
    stream.process([Float](repeating: 0.1, count: 160))
    #expect(stream.detector.pointee.rises == VA_RISES_MOST)
    stream.process(Array(Self.talk[..<Self.second]))
    #expect(stream.detector.pointee.rises != VA_RISES_MOST)
    #expect(va_detector_change_input_gain(stream.detector, -12) == VA_OK)
    #expect(stream.detector.pointee.rises == VA_RISES_MOST)
  }

  /// Only muted speech depends on it: everything else is the same, bit for bit.
  @Test func speechDoesNotDependOnIt() {
    func rest(_ result: StreamResult) -> StreamResult {
      var rest = result
      for index in rest.hops.indices {
        rest.hops[index].flags &= ~UInt8(VA_HOP_MUTED_SPEECH.rawValue)
      }
      rest.events.removeAll {
        $0.type == VA_EVENT_MUTED_SPEECH_BEGIN.rawValue
          || $0.type == VA_EVENT_MUTED_SPEECH_END.rawValue
      }
      return rest
    }
    let (with, without) = (Self.run(-25), Self.run(-25, margin: .infinity))
    // Not in #expect, which would print every hop.
    let (isSame, isAll) = (rest(with) == rest(without), with == without)
    #expect(isSame && !isAll)
    #expect(with.count(VA_EVENT_ONSET) > 0)
  }

  @Test func theLearnedLevelIsThatOfTheSpeech() {
    let stream = Stream(rate: Self.second)
    #expect(Self.level(stream.detector) == (-127, 0))
    stream.process(Self.talk)
    let (dbfs, ms) = Self.level(stream.detector)
    let phrase = TelephoneSpeech.phrases[0]
    let second = Double(Self.second)
    let spoken = Int(phrase.lowerBound * second)..<Int(phrase.upperBound * second)
    #expect(abs(Double(dbfs) - decibels(meanSquare(Self.words[spoken]))) < 3)
    #expect((3000...12_000).contains(ms))
    va_detector_set_muted(stream.detector, true)
    stream.process(Self.louder(Self.talk, -10))
    #expect(Self.level(stream.detector) == (dbfs, ms), "muted")
  }

  @Test(arguments: [-20, 20] as [Float])
  func aChangeOfTheGainMovesWhatWasLearned(gain: Float) {
    let stream = Stream(rate: Self.second)
    stream.process(Self.louder(Self.talk, -10))
    let before = Self.level(stream.detector)
    #expect(va_detector_change_input_gain(stream.detector, gain) == VA_OK)
    let after = Self.level(stream.detector)
    #expect(abs(after.dbfs - before.dbfs - gain) < 1e-3 && after.ms == before.ms)
  }

  /// With 20 dB more, a television sounds like the user; reported, it does not. With 20 dB less it is the user, 6 dB
  /// quieter than before, who would be missed, however clear.
  @Test func aReportedGainKeepsTheDecisions() {
    let louder = { (d: UnsafeMutablePointer<va_detector>) in
      #expect(va_detector_change_input_gain(d, 20) == VA_OK)
    }
    let quieter = { (d: UnsafeMutablePointer<va_detector>) in
      #expect(va_detector_change_input_gain(d, -20) == VA_OK)
    }
    let quiet = Self.louder(Self.talk, -10)
    func notices(_ level: Double, _ gain: (UnsafeMutablePointer<va_detector>) -> Void) -> Int {
      Self.run(level, unmuted: quiet, between: gain).count(VA_EVENT_MUTED_SPEECH_BEGIN)
    }
    #expect(notices(-35 + 20, louder) == 0)
    #expect(notices(-35 + 20, { _ in }) > 0)
    #expect(notices(-16 - 20, quieter) > 0)
    #expect(notices(-16 - 20, { _ in }) == 0)
  }

  @Test func manyChangesOfTheGainStayInRange() {
    for gain in [60, -60] as [Float] {
      let stream = Stream(rate: Self.second)
      stream.process(Self.talk)
      for _ in 0..<20 { #expect(va_detector_change_input_gain(stream.detector, gain) == VA_OK) }
      #expect((-127...12).contains(Self.level(stream.detector).dbfs))
      stream.move()
      stream.process(Self.talk)
      #expect((-127...12).contains(Self.level(stream.detector).dbfs))
    }
  }

  @Test func aLevelCanBeRestoredAndForgotten() {
    func restore(_ level: Float, _ ms: UInt32) -> Int {
      Self.run(-25, unmuted: []) {
        #expect(va_detector_set_speaker_level($0, level, ms) == VA_OK)
      }.count(VA_EVENT_MUTED_SPEECH_BEGIN)
    }
    #expect(restore(-20, 3000) == 0)
    #expect(restore(-20, .max) == 0)
    #expect(restore(-20, 2990) > 0, "less than 3 s")
    #expect(restore(-45, 30_000) > 0)
    let forgotten = Self.run(-25) { _ = va_detector_set_speaker_level($0, -20, 0) }
    #expect(forgotten.count(VA_EVENT_MUTED_SPEECH_BEGIN) > 0)
    let stream = Stream(rate: Self.second)
    for (level, ms) in [(-127, 3000), (-31.5, 12_340), (12, 30_000)] as [(Float, UInt32)] {
      #expect(va_detector_set_speaker_level(stream.detector, level, ms) == VA_OK)
      let (dbfs, learned) = Self.level(stream.detector)
      #expect(abs(dbfs - level) < 1e-3 && learned == ms)
    }
    #expect(va_detector_set_speaker_level(stream.detector, -30, 90_000) == VA_OK)
    #expect(Self.level(stream.detector).ms == 30_000)
  }

  @Test func gapsAndToldLevelsAreNotLearned() {
    let stream = Stream(rate: Self.second)
    stream.pushLevel(UInt64(5 * Self.second), 20, voice: true)
    stream.pushGap(UInt64(Self.second))
    #expect(Self.level(stream.detector).ms == 0)
    // PCM with a packet of 20 ms missing, or told, in every 50 ms: no window is whole for long.
    for at in stride(from: 0, to: 4 * Self.second, by: 400) {
      stream.process(Array(Self.talk[at..<at + 240]))
      if at % 800 == 0 { stream.pushGap(160) } else { stream.pushLevel(160, 20, voice: true) }
    }
    #expect(Self.level(stream.detector).ms == 0)
    stream.process(Self.talk)
    #expect(Self.level(stream.detector).ms > 3000)
  }

  @Test func aResetForgetsTheLevelAndKeepsTheMargin() {
    let stream = Stream(rate: Self.second)
    #expect(va_detector_set_speaker_margin(stream.detector, 40) == VA_OK)
    let part = stream.detector.pointee.speaker_level.least
    stream.process(Self.talk)
    va_detector_reset(stream.detector)
    #expect(Self.level(stream.detector) == (-127, 0))
    #expect(stream.detector.pointee.speaker_level.least == part && part > 0)
  }

  /// Saved after each 50 ms of learning, of far speech and of near speech while muted.
  @Test(arguments: [15, .infinity] as [Float])
  func aMovedStreamContinuesBitForBit(margin: Float) {
    func run(moving: Bool) -> StreamResult {
      let stream = Stream(rate: Self.second)
      #expect(va_detector_set_speaker_margin(stream.detector, margin) == VA_OK)
      func hear(_ sound: [Float]) {
        for at in stride(from: 0, to: sound.count, by: 800) {
          stream.process(Array(sound[at..<min(at + 800, sound.count)]))
          if moving { stream.move() }
        }
      }
      hear(Self.talk)
      va_detector_set_muted(stream.detector, true)
      hear(Self.louder(Self.words, -25))
      hear(Self.louder(Self.words, -12))
      hear(Self.words)
      return stream.finish()
    }
    let stayed = run(moving: false)
    let isSame = run(moving: true) == stayed
    #expect(isSame)
    #expect(stayed.count(VA_EVENT_MUTED_SPEECH_BEGIN) > 0)
  }

  @Test func argumentsAreChecked() {
    let stream = Stream(rate: Self.second)
    let d = stream.detector
    stream.process(Self.talk)
    let before = stream.saved()
    for margin in [-0.001, 40.001, .nan, -.infinity] as [Float] {
      #expect(va_detector_set_speaker_margin(d, margin) == VA_ERROR_ARGUMENT, "\(margin)")
    }
    for level in [-127.01, 12.01, .nan, .infinity, -.infinity] as [Float] {
      #expect(va_detector_set_speaker_level(d, level, 5000) == VA_ERROR_ARGUMENT, "\(level)")
    }
    for gain in [-60.01, 60.01, .nan, .infinity, -.infinity] as [Float] {
      #expect(va_detector_change_input_gain(d, gain) == VA_ERROR_ARGUMENT, "\(gain)")
    }
    var (dbfs, ms) = (Float(0), UInt32(0))
    #expect(va_detector_set_speaker_margin(nil, 10) == VA_ERROR_ARGUMENT)
    #expect(va_detector_set_speaker_level(nil, -20, 5000) == VA_ERROR_ARGUMENT)
    #expect(va_detector_change_input_gain(nil, 1) == VA_ERROR_ARGUMENT)
    #expect(va_detector_speaker_level(nil, &dbfs, &ms) == VA_ERROR_ARGUMENT)
    #expect(va_detector_speaker_level(d, nil, &ms) == VA_ERROR_ARGUMENT)
    #expect(va_detector_speaker_level(d, &dbfs, nil) == VA_ERROR_ARGUMENT)
    #expect(stream.saved() == before)
  }
}
