import Glibc
import SystemPackage
import VoiceActivity

/// A run of `vadmon bench`, from checked options to an exit code.
struct BenchRun: ReportingRun {
  let options: BenchOptions

  func finish() throws(RunError) -> Int32 {
    let body = VoiceActivityDetector.simdName
    if let limit = getenv("VA_CPU").map({ String(cString: $0) }), limit != body {
      Messages(isQuiet: options.isQuiet).warning(
        "VA_CPU is \(limit), which is not a SIMD body of this processor: \(body) is measured")
    }
    let report = try measure()
    try ResultOutput.deliver(
      options.format.results(text: report.text, json: report.json), to: options.output)
    return 0
  }

  private func measure() throws(RunError) -> BenchReport {
    let sounds = try sounds()
    let bodies = Self.bodies
    let share = Duration.seconds(options.seconds) / (sounds.count * bodies.count)
    var report = BenchReport(recording: options.recording?.string)
    var counter: InstructionCounter?
    do { counter = try InstructionCounter() } catch { report.note = error.reason }
    for sound in sounds {
      for body in bodies {
        let measurement = Measurement(sound: sound, time: share)
        do {
          report.results.append(
            try Self.with(body) { () throws(VoiceActivityError) in try measurement.run(counter) })
        } catch {
          throw RunError("\(error)", exitCode: ExitStatus.unavailable)
        }
      }
    }
    return report
  }

  private func sounds() throws(RunError) -> [BenchSound] {
    if let recording = options.recording { return [try BenchSound(recording)] }
    return BenchSound.rates.map { BenchSound(sampleRate: $0) }
  }

  /// The body for this processor, within the limits of VA_CPU, and the portable one.
  private static var bodies: [String] {
    let best = VoiceActivityDetector.simdName
    return best == portable ? [best] : [best, portable]
  }

  private static let portable = "portable"

  /// Calls `body` while new detectors use a SIMD body.
  ///
  /// The environment changes: no other thread may read it, and the one that waits for signals does not.
  private static func with<Result>(
    _ name: String, _ body: () throws(VoiceActivityError) -> Result
  ) throws(VoiceActivityError) -> Result {
    let before = getenv("VA_CPU").map { String(cString: $0) }
    setenv("VA_CPU", name, 1)
    defer { if let before { setenv("VA_CPU", before, 1) } else { unsetenv("VA_CPU") } }
    return try body()
  }
}
