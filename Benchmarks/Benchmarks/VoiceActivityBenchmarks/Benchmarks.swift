import Benchmark

// Names contain no spaces: the tool that checks thresholds looks for files of the same name.
//
// One iteration is one thousand calls (`scalingFactor`), because a call is shorter than the clock's resolution; the
// tool divides by that. Read the median, and compare only within one run: the speed of a shared machine varies.
let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .instructions], scalingFactor: .kilo, maxDuration: .seconds(2))
  ringBenchmarks()
  for rate in [16_000, 48_000] { hopBenchmark(rate: rate) }
}
