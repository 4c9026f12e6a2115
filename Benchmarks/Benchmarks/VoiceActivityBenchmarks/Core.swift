import Benchmark
import CKernels
import VoiceActivity

/// Measures the FFT alone, and the complete analysis of one hop.
func coreBenchmarks() {
  spectrumBenchmark("FFT.PowerSpectrum512Portable", va_kernels_portable)
  #if arch(x86_64)
    let simd = VoiceActivityDetector.simdName
    if simd != "portable" { spectrumBenchmark("FFT.PowerSpectrum512AVX2", va_kernels_avx2) }
    if simd == "avx512" { spectrumBenchmark("FFT.PowerSpectrum512AVX512", va_kernels_avx512) }
  #endif
  for rate in [16_000, 48_000] { hopBenchmark(rate: rate) }
}

/// Measures window, FFT of 512 points and power.
private func spectrumBenchmark(_ name: String, _ kernels: va_kernels) {
  Benchmark(name) { benchmark in
    let past = [Int16](repeating: 1000, count: Int(VA_PAST))
    let step = quietSawtooth(Int(VA_WINDOW - VA_PAST))
    let window = [Float](repeating: 0.5, count: Int(VA_WINDOW))
    var power = [Float](repeating: 0, count: Int(VA_BINS))
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
      kernels.power_spectrum(past, 1e-5, step, window, &power)
      blackHole(power)
    }
  }
}

/// Measures 10 ms of one stream, including everything.
private func hopBenchmark(rate: Int) {
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
