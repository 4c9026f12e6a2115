// swift-tools-version: 6.1
import PackageDescription

/// The program that measure.py runs. It is a separate package, so that building it needs no benchmark package.
let package = Package(
  name: "pause",
  // The name is explicit, because a local package is by default named after the folder of its clone.
  dependencies: [.package(name: "voice-activity", path: "../..")],
  targets: [
    .target(name: "CountedMalloc", path: "CountedMalloc"),
    .executableTarget(
      name: "pause-benchmark",
      dependencies: [
        "CountedMalloc", .product(name: "VideoPause", package: "voice-activity"),
      ],
      path: "PauseBenchmark"),
  ],
  swiftLanguageModes: [.v6]
)
