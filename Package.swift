// swift-tools-version: 6.1
import PackageDescription

/// Settings of every Swift target. Warnings are made errors by CI's flags, never here, so that a newer
/// compiler's new warning cannot break somebody else's build.
let swiftSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
  name: "voice-activity",
  products: [
    .library(
      name: "VoiceActivity", targets: ["RealTime", "VoiceActivity", "VoiceMonitor", "Speakers"]),
    .library(name: "AudioInput", targets: ["AudioInput"]),
    // Apart from AudioInput, so that only who captures needs libasound.
    .library(name: "ALSAInput", targets: ["ALSAInput"]),
    .library(name: "VideoPause", targets: ["VideoPause"]),
    // For the interface of a client; a server has no use for it.
    .library(name: "CallPresentation", targets: ["CallPresentation"]),
    // Metrics and logs for hosts of many detectors.
    .library(name: "ActivityReporting", targets: ["ActivityReporting"]),
    // The C core alone, for hosts without Swift.
    .library(name: "CVoiceActivity", type: .static, targets: ["CVoiceActivity"]),
    .executable(name: "vadmon", targets: ["vadmon"]),
  ],
  traits: [
    .trait(name: "Metrics", description: "ActivityReporting tells swift-metrics as well as logs")
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-atomics", from: "1.3.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    // Fetched with the trait Metrics only.
    .package(url: "https://github.com/apple/swift-metrics", from: "2.7.0"),
    .package(url: "https://github.com/apple/swift-numerics", from: "1.1.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
  ],
  targets: [
    // MARK: C: the whole decision
    .target(name: "CVoiceActivity", path: "CSupport/CVoiceActivity"),
    .systemLibrary(
      name: "CSndFile", path: "CSupport/CSndFile", pkgConfig: "sndfile",
      providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(
      name: "CALSA", path: "CSupport/CALSA", pkgConfig: "alsa",
      providers: [.apt(["libasound2-dev"])]),
    // eventfd(2), pipe2(2), mkostemp(3).
    .systemLibrary(name: "CLinux", path: "CSupport/CLinux"),
    // The arguments of main, without /proc.
    .target(name: "CArguments", path: "CSupport/CArguments"),

    // MARK: Swift
    // PCM between threads: the ring, sources and blocks, threads, wake-ups, broadcasters.
    .target(
      name: "RealTime",
      dependencies: [
        "CLinux",
        .product(name: "Atomics", package: "swift-atomics"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: swiftSettings),
    // The detector, on the caller's thread.
    .target(
      name: "VoiceActivity", dependencies: ["CVoiceActivity", "RealTime"],
      swiftSettings: swiftSettings),
    // The detector on a thread of its own, health, and speech while muted.
    .target(
      name: "VoiceMonitor", dependencies: ["RealTime", "VoiceActivity"],
      swiftSettings: swiftSettings),
    // Who has the floor.
    .target(name: "Speakers", dependencies: ["VoiceActivity"], swiftSettings: swiftSettings),
    .target(
      name: "AudioInput",
      dependencies: [
        "RealTime",
        "CLinux",
        "CSndFile",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "ALSAInput",
      dependencies: [
        "RealTime",
        "AudioInput",
        "CALSA",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: swiftSettings),
    // Which incoming video a subscriber gets. Depends on nothing, not on the detector either.
    // Rounding calls libm, which nothing else links where neither Foundation nor C is imported.
    .target(
      name: "VideoPause", swiftSettings: swiftSettings,
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    // What a client shows of a call: renderers, views, participants, layouts.
    .target(
      name: "CallPresentation", dependencies: ["VideoPause"], swiftSettings: swiftSettings),
    .target(
      name: "ActivityReporting",
      dependencies: [
        "RealTime",
        "VoiceActivity",
        "VoiceMonitor",
        .product(name: "Logging", package: "swift-log"),
        .target(name: "VideoPause", condition: .when(traits: ["Metrics"])),
        .product(
          name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
      ],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "vadmon",
      dependencies: [
        "RealTime",
        "VoiceActivity",
        "VoiceMonitor",
        "AudioInput",
        "ALSAInput",
        "VideoPause",
        "CArguments",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: swiftSettings),

    // MARK: Tests
    // What several test targets share.
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: swiftSettings),
    // Opens the C core's internal headers to the tests; holds no code of its own.
    .target(
      name: "CVoiceActivityInternals", dependencies: ["CVoiceActivity"],
      path: "Tests/CVoiceActivityInternals"),
    .testTarget(
      name: "CVoiceActivityTests",
      dependencies: [
        "CVoiceActivity",
        "CVoiceActivityInternals",
        "TestSupport",
        .product(name: "Numerics", package: "swift-numerics"),
      ],
      exclude: ["Fixtures"], swiftSettings: swiftSettings),
    .testTarget(
      name: "RealTimeTests", dependencies: ["RealTime", "AllocationCounter", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "VoiceActivityTests",
      dependencies: ["VoiceActivity", "CVoiceActivity", "AllocationCounter", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "VoiceMonitorTests",
      dependencies: [
        "VoiceMonitor", "RealTime", "VoiceActivity", "CVoiceActivity", "AllocationCounter",
        "TestSupport",
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "SpeakersTests",
      dependencies: ["Speakers", "VoiceActivity", "AllocationCounter", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "ActivityReportingTests",
      dependencies: [
        "ActivityReporting", "RealTime", "VoiceActivity", "VoiceMonitor", "TestSupport",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "AudioInputTests",
      dependencies: [
        "AudioInput", "RealTime", "VoiceActivity", "TestSupport",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: swiftSettings),
    // What the virtual capture device and its tests share; the device is built by the tests.
    .systemLibrary(name: "VirtualDevice", path: "Tests/VirtualDevice"),
    // Builds the device and writes its files.
    .target(
      name: "VirtualDeviceSupport", dependencies: ["VirtualDevice"],
      path: "Tests/VirtualDeviceSupport", swiftSettings: swiftSettings),
    .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
    .testTarget(
      name: "ALSAInputTests",
      dependencies: [
        "ALSAInput", "AudioInput", "RealTime", "VoiceActivity", "CALSA", "VirtualDevice",
        "VirtualDeviceSupport", "AllocationCounter", "TestSupport",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "VideoPauseTests", dependencies: ["VideoPause", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "CallPresentationTests",
      dependencies: ["CallPresentation", "VideoPause", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "vadmonTests",
      dependencies: [
        "vadmon", "RealTime", "VoiceActivity", "VoiceMonitor", "AudioInput", "ALSAInput",
        "VideoPause", "VirtualDevice", "VirtualDeviceSupport", "TestSupport",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      exclude: ["Golden"], swiftSettings: swiftSettings),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c11
)
