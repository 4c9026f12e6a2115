import CVoiceActivity
import Foundation
import TestSupport
import Testing
import VoiceActivity

private func analyze(
  _ samples: [Float], rate: Int = 16_000, chunk: Int = 1000, muted: Bool = false
) throws -> Heard {
  var heard = Heard()
  var detector = try VoiceActivityDetector(configuration: .init(sampleRate: rate))
  detector.setMuted(muted)
  for start in stride(from: 0, to: samples.count, by: chunk) {
    let part = Array(samples[start..<min(start + chunk, samples.count)])
    detector.process(part.span, into: &heard)
  }
  detector.flush(into: &heard)
  return heard
}

@Suite struct DetectorTests {
  typealias Configuration = VoiceActivityDetector.Configuration
  typealias Preset = Configuration.Preset

  /// Four seconds: the first phrase of the recording.
  static let speech = Array(try! TelephoneSpeech.samples(rate: 16_000).prefix(64_000))

  /// A cutter passes arrays of them to C as they are.
  @Test func hopsAndEventsStoreWhatCHasOfThem() {
    #expect(MemoryLayout<VoiceActivityHop>.stride == MemoryLayout<va_hop>.stride)
    #expect(MemoryLayout<VoiceActivityEvent>.stride == MemoryLayout<va_event>.stride)
  }

  /// The oracle is C, called directly and with a different amount of room for results.
  @Test func theDetectorDecidesAsTheCore() throws {
    var config = va_config()
    va_config_default(&config, 16_000)
    var core: OpaquePointer?
    #expect(va_detector_create(&config, &core) == VA_OK)
    defer { va_detector_destroy(core) }
    var hops = [va_hop](repeating: va_hop(), count: 1000)
    var events = [va_event](repeating: va_event(), count: 1000)
    var hopCount = 0
    var eventCount = 0
    hops.withUnsafeMutableBufferPointer { hops in
      events.withUnsafeMutableBufferPointer { events in
        var output = va_output()
        var consumed = 0
        (output.hops, output.hop_capacity) = (hops.baseAddress, 900)
        (output.events, output.event_capacity) = (events.baseAddress, 900)
        #expect(
          va_detector_process(core, nil, Self.speech, Self.speech.count, &consumed, &output)
            == VA_OK)
        (hopCount, eventCount) = (output.hop_count, output.event_count)
        (output.hops, output.events) = (
          hops.baseAddress! + hopCount, events.baseAddress! + eventCount
        )
        (output.hop_capacity, output.event_capacity) = (100, 100)
        #expect(va_detector_flush(core, nil, &output) == VA_OK)
        hopCount += output.hop_count
        eventCount += output.event_count
      }
    }
    let heard = try analyze(Self.speech)
    #expect(heard.hops.map(\.posterior) == hops.prefix(hopCount).map(\.posterior))
    #expect(heard.hops.map(\.position) == hops.prefix(hopCount).map(\.position))
    #expect(heard.hops.map(\.levelDBov) == hops.prefix(hopCount).map(\.level_dbov))
    #expect(heard.events.map(\.kind.rawValue) == events.prefix(eventCount).map(\.type))
    #expect(heard.events.map(\.position) == events.prefix(eventCount).map(\.position))
    #expect(heard.events.map(\.decidedAt) == events.prefix(eventCount).map(\.decided_at))
  }

  @Test func phrasesAreFound() throws {
    let phrases = TelephoneSpeech.phrases
    let heard = try analyze(TelephoneSpeech.samples(rate: 16_000))
    #expect(heard.positions(.onset).count == phrases.count)
    for (phrase, position) in zip(phrases, heard.positions(.onset)) {
      #expect(abs(Double(position) / 16_000 - phrase.lowerBound) < 0.1)
    }
    for (phrase, position) in zip(phrases, heard.positions(.offset)) {
      #expect(abs(Double(position) / 16_000 - phrase.upperBound) < 0.4)
    }
    #expect(Set(heard.hops.map(\.state)).isSuperset(of: [.silence, .speech]))
  }

  @Test(arguments: [1, 7, 160, 4000])
  func chunksDoNotMatter(chunk: Int) throws {
    let (cut, whole) = try (analyze(Self.speech, chunk: chunk), analyze(Self.speech))
    #expect(cut == whole)
  }

  @Test func sixteenBitSamplesAreTheSame() throws {
    let samples = Self.speech.map { Int16($0 * 32_767) }
    var heard = Heard()
    var detector = try VoiceActivityDetector(configuration: .init())
    detector.process(samples.span, into: &heard)
    detector.flush(into: &heard)
    let floats = try analyze(samples.map { Float($0) / 32_768 })
    #expect(heard == floats)
  }

  @Test func mutedSpeechIsReported() throws {
    let heard = try analyze(Self.speech, muted: true)
    #expect(heard.positions(.mutedSpeechBegin).count == 1)
    #expect(heard.positions(.mutedSpeechEnd).count == 1)
    #expect(heard.hops.allSatisfy { $0.isMuted })
    let unmuted = try analyze(Self.speech)
    #expect(unmuted.positions(.mutedSpeechBegin).isEmpty)
  }

  @Test func aLongGapIsReportedAsAWhole() throws {
    var heard = Heard()
    var detector = try VoiceActivityDetector(configuration: .init())
    detector.process(Self.speech.span, into: &heard)
    detector.pushGap(160_000, into: &heard)
    let undecided = Int(va_detector_lookahead_ms() / 10)
    #expect(heard.hops.count == 1400 - undecided)
    detector.flush(into: &heard)
    #expect(heard.hops.count == 1400 && heard.hops[400...].allSatisfy { $0.isMissing })
    #expect(heard.events.last(where: { $0.kind == .discontinuity })?.missingSamples == 160_000)
  }

  @Test func clippedInvalidAndMissingSamplesAreCounted() throws {
    var detector = try VoiceActivityDetector(configuration: .init())
    detector.process([0, .nan, 1, -2, .infinity, 0.5].span, onEvent: { _ in })
    detector.pushGap(7, onEvent: { _ in })
    let counts = detector.inputCounts
    #expect(counts.clipped == 2 && counts.nonFinite == 2 && counts.missing == 7)
  }

  @Test func resetStartsAnew() throws {
    var heard = Heard()
    var detector = try VoiceActivityDetector(configuration: .init())
    detector.process(Self.speech.span, onEvent: { _ in })
    detector.flush(onEvent: { _ in })
    detector.reset()
    detector.process(Self.speech.span, into: &heard)
    detector.flush(into: &heard)
    let fresh = try analyze(Self.speech)
    #expect(heard == fresh)
  }

  /// The oracle is C's own table.
  @Test(arguments: [
    (Preset.conversation, VA_PRESET_CONVERSATION.rawValue), (.notice, VA_PRESET_NOTICE.rawValue),
    (.transcription, VA_PRESET_TRANSCRIPTION.rawValue),
  ])
  func presetsAreTheCores(preset: Preset, number: UInt32) {
    var config = va_config()
    #expect(va_config_preset(&config, 16_000, va_preset(rawValue: number)) == VA_OK)
    let configuration = Configuration(sampleRate: 44_100, preset: preset)
    #expect(configuration.sampleRate == 44_100)
    #expect(configuration.onsetThreshold == config.onset_threshold)
    #expect(configuration.offsetThreshold == config.offset_threshold)
    #expect(configuration.onsetDebounce == .milliseconds(config.onset_debounce_ms))
    #expect(configuration.hangover == .milliseconds(config.hangover_ms))
    #expect(configuration.muteGrace == .milliseconds(config.mute_grace_ms))
    #expect(configuration.mutedSpeechHold == .milliseconds(config.muted_speech_hold_ms))
  }

  @Test func theDefaultPresetIsConversation() {
    #expect(Configuration() == .init(preset: .conversation))
    #expect(Set(Preset.allCases.map { .init(preset: $0) } as [Configuration]).count == 3)
  }

  @Test func badConfigurationsAreRefusedWithTheReason() {
    func error(_ change: (inout VoiceActivityDetector.Configuration) -> Void) -> VoiceActivityError?
    {
      var configuration = VoiceActivityDetector.Configuration()
      change(&configuration)
      func thrown(_ body: () throws(VoiceActivityError) -> Void) -> VoiceActivityError? {
        do { try body() } catch { return error }
        return nil
      }
      let error = thrown { () throws(VoiceActivityError) in
        _ = try VoiceActivityDetector(configuration: configuration)
      }
      #expect(thrown(configuration.validate) == error)
      return error
    }
    #expect(error { _ in } == nil)
    for rate in [7999, 192_001, -1, .min, .max] {
      #expect(error { $0.sampleRate = rate } == .sampleRate)
    }
    #expect(error { $0.onsetThreshold = .nan } == .threshold)
    #expect(error { $0.offsetThreshold = 0.9 } == .threshold)
    #expect(error { $0.hangover = .seconds(-1) } == .duration)
    #expect(error { $0.hangover = .seconds(1e15) } == .duration)
    #expect(error { $0.hangover = .seconds(3600) } == nil)
    #expect(VoiceActivityError.sampleRate.description.contains("8000"))
  }

  /// Durations count in whole hops, rounded up: 50.1 ms is 60 ms.
  @Test func durationsRoundUp() throws {
    func onset(_ debounce: Duration) throws -> UInt64 {
      var configuration = VoiceActivityDetector.Configuration()
      configuration.onsetDebounce = debounce
      var detector = try VoiceActivityDetector(configuration: configuration)
      var decided: UInt64 = 0
      detector.process(Self.speech.span) {
        if $0.kind == .onset && decided == 0 { decided = $0.decidedAt }
      }
      return decided
    }
    let (fifty, more, sixty) = try (
      onset(.milliseconds(50)), onset(.microseconds(50_100)), onset(.milliseconds(60))
    )
    #expect(more == sixty && sixty == fifty + 160)
  }
}
