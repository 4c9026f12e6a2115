import Benchmark
import VoiceActivity

/// Measures 10 ms of one stream, including everything.
func hopBenchmark(rate: Int) {
  Benchmark("Hop.\(rate / 1000)kHz") { benchmark in
    var detector = try VoiceActivityDetector(configuration: .init(sampleRate: rate))
    let second = quietSawtooth(rate)
    let hops = (0..<100).map { ($0 * rate / 100)..<(($0 + 1) * rate / 100) }
    benchmark.startMeasurement()
    for iteration in benchmark.scaledIterations {
      detector.process(second.span.extracting(hops[iteration % 100])) { blackHole($0) }
    }
  }
}
