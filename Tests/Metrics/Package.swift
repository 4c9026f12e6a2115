// swift-tools-version: 6.1
import PackageDescription

/// Tests what the trait `Metrics` adds, as a package that asks for it: make metrics.
let package = Package(
  name: "metrics-tests",
  dependencies: [
    .package(name: "voice-activity", path: "../..", traits: ["Metrics"]),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.7.0"),
  ],
  targets: [
    .testTarget(
      name: "MetricsTests",
      dependencies: [
        .product(name: "ActivityReporting", package: "voice-activity"),
        .product(name: "VideoPause", package: "voice-activity"),
        .product(name: "VoiceActivity", package: "voice-activity"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
      ],
      path: "MetricsTests")
  ],
  swiftLanguageModes: [.v6]
)
