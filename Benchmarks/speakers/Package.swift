// swift-tools-version: 6.1
import PackageDescription

/// Runs DominantSpeakerDetector for compare.py. A package of its own, so that building it needs no benchmark package.
let package = Package(
  name: "speakers",
  // Named, for by default a local package is called like the folder that somebody cloned it into.
  dependencies: [.package(name: "voice-activity", path: "../..")],
  targets: [
    .executableTarget(
      name: "dominant-speaker",
      dependencies: [.product(name: "VoiceActivity", package: "voice-activity")],
      path: "DominantSpeaker")
  ],
  swiftLanguageModes: [.v6]
)
