import CVoiceActivity
import CVoiceActivityInternals
import Testing

/// Hops and input positions (geometry.h).
@Suite struct GeometryTests {
  @Test(arguments: [(0, 0), (1, 1), (10, 1), (11, 2), (3_600_000, 360_000)])
  func durationsRoundUpToHops(milliseconds: UInt32, hops: UInt32) {
    #expect(va_hops_of_ms(milliseconds) == hops)
  }

  /// The definition in 128 bits: hop n begins with the first sample that is not before n · 10 ms.
  @Test(arguments: [8000, 11_025, 12_345, 16_000, 44_100, 48_000, 191_999, 192_000])
  func aHopBeginsWithTheFirstSampleNotBeforeIt(rate: UInt32) {
    let farthest = UInt64(1) << 62 / UInt64(rate)
    for hop: UInt64 in [0, 1, 2, 3, 99, 100, 101, 360_000, farthest] {
      let start = va_hop_start(rate, hop)
      #expect(UInt128(start) * 100 >= UInt128(hop) * UInt128(rate))
      #expect(start == 0 || UInt128(start - 1) * 100 < UInt128(hop) * UInt128(rate))
    }
  }

  /// As many hops are complete as end at or before the last sample.
  @Test(arguments: [8000, 11_025, 12_345, 16_000, 44_100, 48_000, 191_999, 192_000])
  func aHopIsWholeWithItsLastSample(rate: UInt32) {
    for hops: UInt64 in [1, 2, 99, 100, 101, 360_000, 1 << 40] {
      let end = va_hop_start(rate, hops)
      #expect(va_whole_hops(rate, end) == hops)
      #expect(va_whole_hops(rate, end - 1) == hops - 1)
    }
    #expect(va_whole_hops(rate, 0) == 0)
  }

  /// Callers that show the message or check a rate beforehand take the limits from the header.
  @Test func theLimitsOfTheHeaderAreThoseOfTheDetector() {
    func code(rate: Int32, hangover: Int32 = 0) -> va_status_code {
      var config = va_config()
      va_config_default(&config, UInt32(rate))
      config.hangover_ms = UInt32(hangover)
      var detector: UnsafeMutablePointer<va_detector>?
      let code = va_detector_create(&config, &detector)
      va_detector_destroy(detector)
      return code
    }
    #expect(code(rate: VA_SAMPLE_RATE_MIN_HZ) == VA_OK)
    #expect(code(rate: VA_SAMPLE_RATE_MIN_HZ - 1) == VA_ERROR_SAMPLE_RATE)
    #expect(code(rate: VA_SAMPLE_RATE_MAX_HZ, hangover: VA_DURATION_MAX_MS) == VA_OK)
    #expect(code(rate: VA_SAMPLE_RATE_MAX_HZ + 1) == VA_ERROR_SAMPLE_RATE)
    #expect(code(rate: 16_000, hangover: VA_DURATION_MAX_MS + 1) == VA_ERROR_DURATION)
    let message = String(cString: va_status_text(VA_ERROR_SAMPLE_RATE))
    #expect(message == "the sample rate is not between 8000 and 192000 Hz")
    #expect(va_detector_size() <= VA_DETECTOR_SIZE_MAX)
    #expect(va_detector_saved_size() <= VA_DETECTOR_SAVED_SIZE_MAX)
  }
}
