import CVoiceActivity
import Testing
import VoiceActivity

@Suite struct SavedDetectorTests {
  static let speech = DetectorTests.speech

  private func hear(
    _ detector: inout VoiceActivityDetector, _ samples: ArraySlice<Float>, _ heard: inout Heard
  ) {
    let part = Array(samples)
    detector.process(part.span, into: &heard)
  }

  /// The oracle is a detector that was never saved. The cuts lie in silence, in speech and within a hop.
  @Test(arguments: [0, 1, 7_777, 24_000, 40_001]) func aRestoredDetectorContinuesAsTheSavedOne(
    cut: Int
  ) throws {
    var configuration = VoiceActivityDetector.Configuration(sampleRate: 16_000, preset: .notice)
    configuration.hangover = .milliseconds(330)
    var (expected, heard) = (Heard(), Heard())
    var whole = try VoiceActivityDetector(configuration: configuration)
    whole.setMuted(true)
    hear(&whole, Self.speech[...], &expected)

    var first = try VoiceActivityDetector(configuration: configuration)
    first.setMuted(true)
    hear(&first, Self.speech[..<cut], &heard)
    let bytes = first.saved()
    var second = try VoiceActivityDetector(restoring: bytes.span)
    #expect(second.configuration == configuration)
    #expect(second.control.status.isMuted)
    hear(&second, Self.speech[cut...], &heard)
    #expect(heard == expected && !expected.events.isEmpty)
  }

  @Test func savingNeedsNoArray() throws {
    var detector = try VoiceActivityDetector(configuration: .init(sampleRate: 48_000))
    detector.process(Self.speech.span) { _ in }
    var bytes = [UInt8](repeating: 0xAA, count: VoiceActivityDetector.savedSizeMax)
    var room = bytes.mutableSpan
    let count = detector.save(into: &room)
    #expect(Array(bytes[..<count]) == detector.saved())
    #expect(VoiceActivityDetector.savedSizeMax == va_detector_saved_size())
  }

  /// A host's metrics do not count twice what was counted elsewhere.
  @Test func totalsBeginAnew() throws {
    var first = try VoiceActivityDetector(configuration: .init())
    first.process(Self.speech.span) { _ in }
    first.pushGap(1600) { _ in }
    let bytes = first.saved()
    var second = try VoiceActivityDetector(restoring: bytes.span)
    #expect(second.control.totals == VoiceActivityTotals())
    var hops: UInt64 = 0
    second.process(Self.speech.span, onHop: { _ in hops += 1 }, onEvent: { _ in })
    #expect(second.control.totals.hops == hops && hops >= 397)
  }

  @Test func foreignBytesAreRefused() throws {
    func error(_ bytes: [UInt8]) -> VoiceActivityError? {
      do throws(VoiceActivityError) {
        _ = try VoiceActivityDetector(restoring: bytes.span)
        return nil
      } catch {
        return error
      }
    }
    let bytes = try VoiceActivityDetector(configuration: .init()).saved()
    #expect(error(bytes) == nil)
    #expect(error([]) == .savedData)
    #expect(error([0]) == .savedData)
    #expect(error(Array(bytes.dropLast())) == .savedData)
    #expect(error(bytes + [0]) == .savedData)
    for place in [0, 40, bytes.count / 2, bytes.count - 1] {
      var torn = bytes
      torn[place] ^= 1
      #expect(error(torn) != nil)
    }
    #expect(VoiceActivityError.savedData.description != VoiceActivityError.savedVersion.description)
  }

  // MARK: RFC 6464

  /// The oracle is the RFC: V is the highest bit, and the level is the seven below it.
  @Test func levelsAreTheBytesOfTheRFC() {
    for byte in UInt8.min...UInt8.max {
      let level = AudioLevel(byte: byte)
      #expect(level.dBov == byte & 0x7F && level.hasVoice == (byte & 0x80 != 0))
      #expect(level.byte == byte)
    }
    #expect(AudioLevel(dBov: 200, hasVoice: true) == AudioLevel(dBov: 127, hasVoice: true))
  }

  /// A second of voice between seconds without voice gives one segment, where the flags are set.
  @Test func levelsAloneAreSufficient() throws {
    var detector = try VoiceActivityDetector(configuration: .init(sampleRate: 48_000))
    var heard = Heard()
    for packet in 0..<150 {
      let level = AudioLevel(dBov: (50..<100) ~= packet ? 25 : 80, hasVoice: (50..<100) ~= packet)
      detector.push(
        level, count: 960, onHop: { heard.hops.append($0) }, onEvent: { heard.events.append($0) })
    }
    detector.process([Float](repeating: 0, count: 960).span, into: &heard)
    detector.flush(into: &heard)
    #expect(heard.hops.map(\.isLevelOnly) == (0..<302).map { $0 < 300 })
    heard.hops.removeLast(2)
    #expect(heard.events.map(\.kind) == [.onset, .offset])
    #expect(heard.events.map(\.position) == [48_000, 96_000])
    #expect(heard.hops.count == 300)
    #expect(heard.hops[150].audioLevel == AudioLevel(dBov: 25, hasVoice: true))
    #expect(heard.hops[20].audioLevel == AudioLevel(dBov: 80, hasVoice: false))
  }
}
