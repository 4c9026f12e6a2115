// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "meeting",
  dependencies: [
    // Named, for by default a local package is called like the folder that somebody cloned it into.
    .package(name: "voice-activity", path: "../.."),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
  ],
  targets: [
    .executableTarget(
      name: "meeting",
      dependencies: [
        .product(name: "AudioInput", package: "voice-activity"),
        .product(name: "SystemPackage", package: "swift-system"),
        .product(name: "VideoPause", package: "voice-activity"),
        .product(name: "VoiceActivity", package: "voice-activity"),
      ],
      path: "Meeting")
  ],
  swiftLanguageModes: [.v6]
)
