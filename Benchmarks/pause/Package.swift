// swift-tools-version: 6.1
import PackageDescription

/// What measure.py runs. A package of its own, so that building it needs no benchmark package.
let package = Package(
  name: "pause",
  // Named, for by default a local package is called like the folder that somebody cloned it into.
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
