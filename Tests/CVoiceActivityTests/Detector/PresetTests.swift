import CVoiceActivity
import CVoiceActivityInternals
import TestSupport
import Testing

/// The presets relate to each other as their names promise, whatever their values are.
@Suite struct PresetTests {
  static let all = [VA_PRESET_CONVERSATION, VA_PRESET_NOTICE, VA_PRESET_TRANSCRIPTION]

  private static func config(_ preset: va_preset) -> va_config {
    var config = va_config()
    #expect(va_config_preset(&config, 16_000, preset) == VA_OK)
    return config
  }

  private let conversation = config(VA_PRESET_CONVERSATION)
  private let notice = config(VA_PRESET_NOTICE)
  private let transcription = config(VA_PRESET_TRANSCRIPTION)

  @Test(arguments: all.map(\.rawValue))
  func aPresetMakesADetectorForTheGivenRate(preset: UInt32) {
    var config = va_config()
    #expect(va_config_preset(&config, 44_100, va_preset(rawValue: preset)) == VA_OK)
    #expect(config.struct_size == UInt32(MemoryLayout<va_config>.size))
    #expect(config.sample_rate_hz == 44_100)
    var detector: UnsafeMutablePointer<va_detector>?
    #expect(va_detector_create(&config, &detector) == VA_OK)
    va_detector_destroy(detector)
  }

  @Test func theDefaultIsConversation() {
    var defaults = va_config()
    #expect(va_config_default(&defaults, 16_000) == VA_OK)
    #expect(defaults.bits == conversation.bits)
  }

  /// The oracle is decimal: the preset's distance, but no less than a third, in six decimals.
  @Test func anOnsetThresholdMovesTheOffsetThreshold() {
    for preset in [conversation, notice, transcription] {
      let distance = Int((preset.onset_threshold - preset.offset_threshold) * 1e6 + 0.5)
      for millionths in stride(from: 3_000, to: 1_000_000, by: 499) {
        var config = preset
        va_config_move_thresholds(&config, Float(millionths) / 1e6)
        let wanted = max(Double(millionths - distance), Double(millionths) / 3) / 1e6
        #expect(config.onset_threshold == Float(millionths) / 1e6)
        #expect(abs(Double(config.offset_threshold) - wanted) < 7e-7, "\(millionths)")
        #expect(va_config_check(&config) == VA_OK)
      }
    }
  }

  /// Equal thresholds stay equal, whatever is rounded. What is out of range is set and refused.
  @Test func movedThresholdsAreInOrder() {
    var config = conversation
    config.offset_threshold = config.onset_threshold
    for _ in 0..<10_000 {
      var moved = config
      va_config_move_thresholds(&moved, .random(in: 1e-6...0.999999))
      #expect(va_config_check(&moved) == VA_OK, "\(moved.onset_threshold)")
    }
    for bad in [0, 1, -1, .nan, .infinity] as [Float] {
      var moved = conversation
      va_config_move_thresholds(&moved, bad)
      #expect(moved.offset_threshold == conversation.offset_threshold)
      #expect(va_config_check(&moved) == VA_ERROR_THRESHOLD)
    }
    // Whatever stood there before: sanitizers stop at a number that no integer holds.
    for wild in [5_000, -5_000, .infinity, -.infinity, .nan] as [Float] {
      var moved = conversation
      moved.offset_threshold = wild
      va_config_move_thresholds(&moved, 0.5)
      #expect(va_config_check(&moved) == VA_OK, "\(wild): \(moved.offset_threshold)")
    }
  }

  @Test func noticeAsksForMoreAndForLonger() {
    for other in [conversation, transcription] {
      #expect(notice.onset_threshold > other.onset_threshold)
      #expect(notice.offset_threshold > other.offset_threshold)
      #expect(notice.onset_debounce_ms > other.onset_debounce_ms)
    }
  }

  @Test func transcriptionAsksForLessAndLetsGoLater() {
    for other in [conversation, notice] {
      #expect(transcription.onset_threshold < other.onset_threshold)
      #expect(transcription.offset_threshold < other.offset_threshold)
      #expect(transcription.onset_debounce_ms <= other.onset_debounce_ms)
      #expect(transcription.hangover_ms > other.hangover_ms)
    }
  }

  @Test func mutedSpeechTakesAsLongInAll() {
    for other in [notice, transcription] {
      #expect(other.mute_grace_ms == conversation.mute_grace_ms)
      #expect(other.mute_carry_over_ms == conversation.mute_carry_over_ms)
      #expect(other.muted_speech_hold_ms == conversation.muted_speech_hold_ms)
      #expect(other.muted_speech_release_ms == conversation.muted_speech_release_ms)
    }
  }

  /// Posteriors that wander: transcription takes for speech what notice or conversation does.
  @Test func transcriptionMissesNothingThatTheOthersHear() {
    var generator = SeededGenerator(seed: 60)
    var machines = [transcription, conversation, notice].map { config in
      var machine = va_hysteresis()
      withUnsafePointer(to: config) { va_hysteresis_init(&machine, $0) }
      return machine
    }
    var posterior: Float = 0
    var speechHops = [0, 0, 0]
    for hop in 0..<100_000 as Range<UInt64> {
      posterior = min(1, max(0, posterior + .random(in: -0.2...0.2, using: &generator)))
      for index in machines.indices {
        _ = va_hysteresis_step(&machines[index], posterior, hop)
        speechHops[index] += va_hysteresis_is_speech(&machines[index]) ? 1 : 0
      }
      let widest = va_hysteresis_is_speech(&machines[0])
      #expect(widest || !machines.indices.contains { va_hysteresis_is_speech(&machines[$0]) })
    }
    #expect(speechHops[2] > 1000 && speechHops[0] > speechHops[1])
    #expect(speechHops[1] > speechHops[2] && speechHops[0] < 100_000)
  }

  @Test(arguments: [3, 4, UInt32.max])
  func anUnknownPresetChangesNothing(preset: UInt32) {
    var config = notice
    #expect(va_config_preset(&config, 8000, va_preset(rawValue: preset)) == VA_ERROR_ARGUMENT)
    #expect(config.bits == notice.bits)
    #expect(va_config_preset(nil, 8000, VA_PRESET_NOTICE) == VA_ERROR_ARGUMENT)
  }
}

extension va_config {
  fileprivate var bits: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }
}
