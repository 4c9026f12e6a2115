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
    .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
  ],
  targets: [
    // Exposes the C core's vector kernels.
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
