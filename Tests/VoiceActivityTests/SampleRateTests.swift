import CVoiceActivity
import RealTime
import Testing

@Suite struct SampleRateTests {
  /// RealTime does not depend on the core, so it declares the limits again.
  @Test func theLimitsAreThoseOfTheCHeader() {
    #expect(supportedSampleRates == Int(VA_SAMPLE_RATE_MIN_HZ)...Int(VA_SAMPLE_RATE_MAX_HZ))
  }
}
