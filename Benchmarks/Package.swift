// swift-tools-version: 6.1
import PackageDescription

/// A package of its own, so that whoever depends on the library never resolves the benchmark package.
let package = Package(
  name: "benchmarks",
  dependencies: [
    // Named, for by default a local package is called like the folder that somebody cloned it into.
    .package(name: "voice-activity", path: ".."),
    // No traits: the default ones want jemalloc, which counts allocations that our hot path does not make.
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
  ],
  targets: [
    // Opens the C core's vector kernels.
    .target(
      name: "CKernels",
      dependencies: [.product(name: "CVoiceActivity", package: "voice-activity")],
      path: "CKernels"),
    .executableTarget(
      name: "VoiceActivityBenchmarks",
      dependencies: [
        "CKernels",
        .product(name: "Benchmark", package: "benchmark"),
        .product(name: "AudioInput", package: "voice-activity"),
        .product(name: "VoiceActivity", package: "voice-activity"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Benchmarks/VoiceActivityBenchmarks",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
  ],
  swiftLanguageModes: [.v6]
)
