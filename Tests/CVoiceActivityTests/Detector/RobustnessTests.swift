import CVoiceActivity
import CVoiceActivityInternals
import Dispatch
import TestSupport
import Testing

@Suite struct RobustnessTests {
  @Test func badConfigurationsAreRefused() {
    func code(_ change: (inout va_config) -> Void) -> va_status_code {
      var config = va_config()
      va_config_default(&config, 16_000)
      change(&config)
      var detector: UnsafeMutablePointer<va_detector>?
      let code = va_detector_create(&config, &detector)
      if code == VA_OK { va_detector_destroy(detector) }
      return code
    }
    #expect(code { _ in } == VA_OK)
    #expect(code { $0.struct_size = 0 } == VA_ERROR_STRUCT_SIZE)
    #expect(code { $0.struct_size += 4 } == VA_ERROR_STRUCT_SIZE)
    for rate: UInt32 in [0, 7999, 192_001, .max] {
      #expect(code { $0.sample_rate_hz = rate } == VA_ERROR_SAMPLE_RATE)
    }
    for (onset, offset): (Float, Float) in [
      (1, 0.5), (0.5, 0.6), (0.5, 0), (.nan, 0.5), (0.5, .nan),
    ] {
      #expect(
        code {
          $0.onset_threshold = onset
          $0.offset_threshold = offset
        } == VA_ERROR_THRESHOLD)
    }
    #expect(code { $0.hangover_ms = 3_600_001 } == VA_ERROR_DURATION)
    #expect(code { $0.muted_speech_release_ms = .max } == VA_ERROR_DURATION)
    #expect(code { $0.hangover_ms = 3_600_000 } == VA_OK)
  }

  @Test func badMemoryIsRefused() {
    var config = va_config()
    va_config_default(&config, 16_000)
    let size = va_detector_size_for(16_000)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size + 64, alignment: 64)
    defer { memory.deallocate() }
    var detector: UnsafeMutablePointer<va_detector>?
    #expect(va_detector_init(memory, size - 1, &config, &detector) == VA_ERROR_ARGUMENT)
    #expect(va_detector_init(memory + 4, size, &config, &detector) == VA_ERROR_ARGUMENT)
    #expect(va_detector_init(nil, size, &config, &detector) == VA_ERROR_ARGUMENT)
    #expect(va_detector_init(memory, size, nil, &detector) == VA_ERROR_ARGUMENT)
    #expect(va_detector_init(memory, size, &config, nil) == VA_ERROR_ARGUMENT)
    #expect(va_detector_init(memory, size, &config, &detector) == VA_OK)
  }

  /// 8 and 16 kHz need no resampler; no rate needs more than the constant.
  @Test func theSizeFollowsTheRate() {
    let sizes = [8000, 16_000, 48_000, 96_000, 192_000].map { va_detector_size_for($0) }
    #expect(sizes[0] <= 3072 && sizes[0] == sizes[1] && sizes == sizes.sorted())
    #expect(sizes[1] < sizes[2] && sizes[2] < sizes[3] && sizes[3] < sizes[4])
    #expect(sizes[4] <= va_detector_size() && va_detector_size() <= 8192)
    #expect(va_detector_size_for(7999) <= va_detector_size())
    var config = va_config()
    va_config_default(&config, 192_000)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 8192, alignment: 64)
    defer { memory.deallocate() }
    var detector: UnsafeMutablePointer<va_detector>?
    #expect(va_detector_init(memory, sizes[3], &config, &detector) == VA_ERROR_ARGUMENT)
    #expect(va_detector_init(memory, sizes[4], &config, &detector) == VA_OK)
  }

  @Test func badOutputsAreRefused() {
    let stream = Stream()
    var events = [va_event](repeating: va_event(), count: 4)
    var hops = [va_hop](repeating: va_hop(), count: 1)
    var consumed = 0
    events.withUnsafeMutableBufferPointer { events in
      hops.withUnsafeMutableBufferPointer { hops in
        var output = va_output()
        func code() -> va_status_code {
          va_detector_process(stream.detector, nil, [0], 1, &consumed, &output)
        }
        #expect(code() == VA_ERROR_ARGUMENT)
        output.events = events.baseAddress
        output.event_capacity = 3
        #expect(code() == VA_ERROR_EVENT_CAPACITY)
        output.event_capacity = 4
        #expect(code() == VA_OK)
        output.hops = hops.baseAddress
        #expect(code() == VA_ERROR_EVENT_CAPACITY)
        output.hop_capacity = 1
        #expect(code() == VA_OK)
        #expect(va_detector_process(nil, nil, [0], 1, &consumed, &output) == VA_ERROR_ARGUMENT)
        #expect(
          va_detector_process(stream.detector, nil, nil, 1, &consumed, &output) == VA_ERROR_ARGUMENT
        )
        #expect(va_detector_process(stream.detector, nil, nil, 0, &consumed, &output) == VA_OK)
        #expect(
          va_detector_process(stream.detector, nil, [0], 1, nil, &output) == VA_ERROR_ARGUMENT)
        while va_detector_flush(stream.detector, nil, &output) == VA_OK, output.more {}
        #expect(code() == VA_ERROR_ARGUMENT)
        #expect(va_detector_push_gap(stream.detector, nil, 1, &output) == VA_ERROR_ARGUMENT)
        #expect(
          va_detector_flush(stream.detector, nil, &output) == VA_OK && output.event_count == 0)
      }
    }
  }

  @Test func everyCodeHasItsSentence() {
    let texts = (0..<14).map { String(cString: va_status_text(va_status_code(rawValue: $0))) }
    #expect(Set(texts.prefix(12)).count == 12)
    #expect(texts[12] == "unknown status code" && texts[13] == "unknown status code")
  }

  /// NaN and infinities are analysed as 0, counted, and forgotten.
  @Test(arguments: [16_000, 44_100])
  func nonFiniteSamplesAreZeros(rate: Int) {
    var dirty = synthesizedSpeech(seconds: 3, rate: Double(rate), phrases: [0.5...2.5])
    var clean = dirty
    let poison: [Float] = [.nan, .infinity, -.infinity, .signalingNaN]
    for (n, index) in stride(from: 100, to: dirty.count, by: 997).enumerated() {
      dirty[index] = poison[n % 4]
      clean[index] = 0
    }
    let stream = Stream(rate: rate)
    stream.process(dirty)
    #expect(stream.finish() == analyze(clean, rate: rate))
    #expect(stream.status.non_finite_samples == UInt64((dirty.count - 100 + 996) / 997))
  }

  @Test func loudSamplesAreLimitedAndCounted() {
    let loud = synthesizedSpeech(seconds: 2, phrases: [0.5...1.5]).map { $0 * 1e30 }
    let stream = Stream()
    stream.process(loud)
    #expect(stream.finish().hops.allSatisfy { $0.level_dbfs <= 12 && $0.posterior.isFinite })
    #expect(stream.status.clipped_samples > 10_000)
  }

  /// Wild input: random bits as floats. Every result stays within its range.
  @Test func randomBitsDoNoHarm() {
    var generator = SeededGenerator(seed: 50)
    for rate in [8000, 11_025, 15_999, 16_000, 48_000, 191_999, 192_000] {
      let bits = (0..<50_000).map { _ in
        Float(bitPattern: UInt32.random(in: 0 ... .max, using: &generator))
      }
      for hop in analyze(bits, rate: rate).hops {
        #expect(hop.posterior >= 0 && hop.posterior <= 1)
        #expect(hop.level_dbfs >= -127 && hop.level_dbfs <= 12)
        #expect(hop.peak_dbfs >= -127 && hop.peak_dbfs <= 12)
        #expect(hop.noise_floor_dbfs >= -127 && hop.noise_floor_dbfs <= 12)
      }
    }
  }

  @Test func denormalsAreSilence() {
    let faint = [Float](repeating: .leastNonzeroMagnitude * 700, count: 16_000)
    #expect(analyze(faint).hops.allSatisfy { $0.posterior == 0 && $0.level_dbov == 127 })
  }

  @Test func mutedSpeechBeginsAndEndsInEvents() throws {
    let speech = try TelephoneSpeech.samples(rate: 16_000)  // 0.61 … 3.18 s, 4.2 … 5.58 s
    let stream = Stream()
    va_detector_set_muted(stream.detector, true)
    stream.process(Array(speech.prefix(64_000)))
    #expect(stream.status.is_muted && !stream.status.is_muted_speech)
    #expect(stream.result.count(VA_EVENT_MUTED_SPEECH_BEGIN) == 1)
    #expect(stream.result.count(VA_EVENT_MUTED_SPEECH_END) == 1)
    stream.process(Array(speech[64_000..<84_000]))
    #expect(stream.status.is_muted_speech)
    va_detector_set_muted(stream.detector, false)
    #expect(!stream.status.is_muted_speech, "false at once when unmuted")
    stream.process(Array(speech[84_000...]))
    #expect(stream.finish().count(VA_EVENT_MUTED_SPEECH_END) == 2)
  }

  @Test func mutedSpeechEndsWithTheStream() throws {
    let stream = Stream()
    va_detector_set_muted(stream.detector, true)
    stream.process(Array(try TelephoneSpeech.samples(rate: 16_000).prefix(40_000)))
    let result = stream.finish()
    #expect(result.count(VA_EVENT_MUTED_SPEECH_BEGIN) == 1)
    #expect(result.count(VA_EVENT_MUTED_SPEECH_END) == 1)
    #expect(!stream.status.is_speech && !stream.status.is_muted_speech)
  }

  /// For ThreadSanitizer: another thread calls set_muted and status while one thread processes and resets.
  @Test func otherThreadsMayMuteAndLook() throws {
    let stream = Stream(hopRoom: 0)
    // `nonisolated(unsafe)` is safe because voice_activity.h allows any thread to mute and to read the status, and the
    // test outlives both threads.
    nonisolated(unsafe) let detector = stream.detector
    let speech = synthesizedSpeech(seconds: 1, phrases: [0.2...0.9])
    let finished = DispatchSemaphore(value: 0)
    let stop = DispatchSemaphore(value: 0)
    DispatchQueue(label: "watcher").async {
      var status = va_status()
      status.struct_size = UInt32(MemoryLayout<va_status>.size)
      var muted = false
      while stop.wait(timeout: .now()) == .timedOut {
        muted.toggle()
        va_detector_set_muted(detector, muted)
        precondition(va_detector_status(detector, &status) == VA_OK)
        precondition(status.posterior >= 0 && status.posterior <= 1 && status.is_muted == muted)
      }
      finished.signal()
    }
    for _ in 0..<20 {
      stream.process(speech, chunk: 160)
      va_detector_reset(stream.detector)
    }
    stop.signal()
    try finished.wait(for: "the end of the watcher")
  }
}
