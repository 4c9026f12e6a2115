import TestSupport
import Testing

/// The accuracy on the recordings of samples/, as a lower limit: the results of the shipped weights, rounded down, so
/// that changes of decisions are noticed. The labels were made with the recordings (samples/make-samples.py).
@Suite struct SampleAccuracyTests {
  @Test func theSamplesAreDecidedAsWellAsEver() throws {
    let folder = TemporaryFolder()
    let analysed = try Program.analyze(TestAudio.samples, "--quiet", "--frames", folder / "frames")
    #expect(analysed.status == 0, "\(analysed.errors)")
    let compared = try Program.vadmon(
      "compare", TestAudio.samples, folder / "frames", "--quiet", "--resamples", "0", "--min",
      "auc=0.995", "--min", "ap=0.994", "--min", "f1=0.94", "--max", "alarm_episodes_per_hour=0",
      "--max", "alarm_time_rate=0", "--max", "onset_p50_ms=40", "--max", "onset_p90_ms=100",
      "--max", "lost_onset_rate=0")
    #expect(compared.status == 0, "\(compared.errors)\n\(compared.output)")
  }
}
