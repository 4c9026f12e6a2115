// swift-tools-version: 6.1
import PackageDescription

/// Runs DominantSpeakerDetector for compare.py. It is a separate package, so that building it needs no benchmark
/// package.
let package = Package(
  name: "speakers",
  // The name is explicit, because a local package is by default named after the folder of its clone.
  dependencies: [.package(name: "voice-activity", path: "../..")],
  targets: [
    .executableTarget(
      name: "dominant-speaker",
      dependencies: [.product(name: "VoiceActivity", package: "voice-activity")],
      path: "DominantSpeaker")
  ],
  swiftLanguageModes: [.v6]
)
