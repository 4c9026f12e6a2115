import Testing

/// How well the recordings of samples/ are decided, as a floor: what the shipped weights reach, less a little room
/// for a retrained network. The labels were made with the recordings (samples/make-samples.py).
@Suite struct SampleAccuracyTests {
  @Test func theSamplesAreDecidedAsWellAsEver() throws {
    let folder = try TemporaryFolder()
    let analysed = try Program.analyze(TestAudio.samples, "--quiet", "--frames", folder / "frames")
    #expect(analysed.status == 0, "\(analysed.errors)")
    let compared = try Program.run([
      Program.path, "compare", TestAudio.samples, folder / "frames", "--quiet", "--resamples", "0",
      "--min", "auc=0.99", "--min", "ap=0.99", "--min", "f1=0.93",
      "--max", "alarm_episodes_per_hour=60", "--max", "alarm_time_rate=0.01",
      "--max", "onset_p50_ms=50", "--max", "lost_onset_rate=0",
    ])
    #expect(compared.status == 0, "\(compared.errors)\n\(compared.output)")
  }
}
