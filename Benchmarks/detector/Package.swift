// swift-tools-version: 6.1
import PackageDescription

/// The cost of the Swift detector compared with the C call: `Benchmarks/detector/measure.py`.
let package = Package(
  name: "detector-benchmark",
  dependencies: [.package(name: "voice-activity", path: "../..")],
  targets: [
    .target(
      name: "CDetectorCost",
      dependencies: [.product(name: "CVoiceActivity", package: "voice-activity")],
      path: "CDetectorCost"),
    .executableTarget(
      name: "DetectorCost",
      dependencies: [
        "CDetectorCost",
        .product(name: "VoiceActivity", package: "voice-activity"),
      ],
      path: "DetectorCost"),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c11
)
