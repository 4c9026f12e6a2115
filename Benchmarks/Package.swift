// swift-tools-version: 6.1
import PackageDescription

/// A separate package, so that dependents of the library never resolve the benchmark package.
let package = Package(
  name: "benchmarks",
  dependencies: [
    // The name is explicit, because a local package is by default named after the folder of its clone.
    .package(name: "voice-activity", path: ".."),
    // No traits: the default ones need jemalloc, to count allocations that our hot path does not make.
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
  ],
  targets: [
    .executableTarget(
      name: "VoiceActivityBenchmarks",
      dependencies: [
        .product(name: "Benchmark", package: "benchmark"),
        .product(name: "VoiceActivity", package: "voice-activity"),
      ],
      path: "Benchmarks/VoiceActivityBenchmarks",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
  ],
  swiftLanguageModes: [.v6]
)
