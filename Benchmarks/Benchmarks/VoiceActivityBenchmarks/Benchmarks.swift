import Benchmark

// Names have no spaces: the tool that checks thresholds looks for files of the same name.
//
// One iteration is one thousand calls (`scalingFactor`), for a call is shorter than the clock's step; the
// tool divides. Read the median, and compare within one run only: a shared machine changes its speed.
let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .instructions], scalingFactor: .kilo, maxDuration: .seconds(2))
  ringBenchmarks()
  coreBenchmarks()
  fileBenchmarks()
}
