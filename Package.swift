// swift-tools-version: 6.1
import PackageDescription

/// The settings of every Swift target. CI turns warnings into errors by flags, not here, so that a new warning of a
/// newer compiler breaks nobody else's build.
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
    // Separate from AudioInput, so that only programs that capture need libasound, and they need no decoders.
    .library(name: "ALSAInput", targets: ["ALSAInput"]),
    .library(name: "VideoPause", targets: ["VideoPause"]),
    // For the user interface of a client. A server does not need it.
    .library(name: "CallPresentation", targets: ["CallPresentation"]),
    // Labels, frames and the results of an analysis in every format that vadmon reads or writes.
    .library(name: "Annotations", targets: ["Annotations"]),
    // A detector's figures against labels.
    .library(name: "SpeechScoring", targets: ["SpeechScoring"]),
    // Traces of the video-pause coordinator, and their replay.
    .library(name: "PauseTrace", targets: ["PauseTrace"]),
    // Pictures of an analysis.
    .library(name: "Charts", targets: ["Charts"]),
    // Metrics and logs for hosts of many detectors.
    .library(name: "ActivityReporting", targets: ["ActivityReporting"]),
    // The C core alone. Hosts without Swift use CSupport/libvoiceactivity/Makefile instead.
    .library(name: "CVoiceActivity", type: .static, targets: ["CVoiceActivity"]),
    .executable(name: "vadmon", targets: ["vadmon"]),
  ],
  traits: [
    .trait(name: "Metrics", description: "ActivityReporting also reports to swift-metrics")
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-atomics", from: "1.3.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    // Fetched only with the trait Metrics.
    .package(url: "https://github.com/apple/swift-metrics", from: "2.7.0"),
    .package(url: "https://github.com/apple/swift-numerics", from: "1.1.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
  ],
  targets: [
    // docs/architecture.md shows these targets; `make architecture` compares it with them.
    // MARK: C
    // The core, which makes every decision about speech.
    .target(name: "CVoiceActivity", path: "CSupport/CVoiceActivity"),
    // Decides stored posteriors again by other settings.
    .target(name: "CReplay", dependencies: ["CVoiceActivity"], path: "CSupport/CReplay"),
    // Makes one channel of what several loudspeakers play.
    .target(name: "CPlayedMix", dependencies: ["CVoiceActivity"], path: "CSupport/CPlayedMix"),
    .systemLibrary(
      name: "CSndFile", path: "CSupport/CSndFile", pkgConfig: "sndfile",
      providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(
      name: "CALSA", path: "CSupport/CALSA", pkgConfig: "alsa",
      providers: [.apt(["libasound2-dev"])]),
    .systemLibrary(
      name: "CFLAC", path: "CSupport/CFLAC", pkgConfig: "flac", providers: [.apt(["libflac-dev"])]),
    .systemLibrary(
      name: "CMPG123", path: "CSupport/CMPG123", pkgConfig: "libmpg123",
      providers: [.apt(["libmpg123-dev"])]),
    .systemLibrary(
      name: "CSpeexDSP", path: "CSupport/CSpeexDSP", pkgConfig: "speexdsp",
      providers: [.apt(["libspeexdsp-dev"])]),
    // Calls that Swift's module Glibc lacks: eventfd(2), pidfd_open(2), mkostemp(3), memmem(3), sem_clockwait(3), and
    // perf_event_open(2).
    .systemLibrary(name: "CLinux", path: "CSupport/CLinux"),
    // The arguments of the process, even where /proc is not mounted.
    .target(name: "CArguments", path: "CSupport/CArguments"),

    // MARK: Swift
    // PCM between threads: the ring, sources, blocks, channels and sample formats, threads, locks and wake-ups.
    .target(
      name: "RealTime",
      dependencies: [
        "CLinux",
        .product(name: "Atomics", package: "swift-atomics"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: swiftSettings),
    // The detector, on the calling thread.
    .target(
      name: "VoiceActivity", dependencies: ["CVoiceActivity", "CPlayedMix", "RealTime"],
      swiftSettings: swiftSettings),
    // The detector on a thread of its own, health, and speech while muted.
    .target(
      name: "VoiceMonitor", dependencies: ["CVoiceActivity", "RealTime", "VoiceActivity"],
      swiftSettings: swiftSettings),
    // Who has the floor.
    .target(name: "Speakers", dependencies: ["VoiceActivity"], swiftSettings: swiftSettings),
    // Other programs, for ffmpeg and for programs of the user.
    .target(
      name: "Processes",
      dependencies: [
        "RealTime",
        "CLinux",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "AudioInput",
      dependencies: [
        "RealTime",
        "Processes",
        "CFLAC",
        "CLinux",
        "CMPG123",
        "CSndFile",
        "CSpeexDSP",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "ALSAInput",
      dependencies: [
        "RealTime",
        "CALSA",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: swiftSettings),
    // Which incoming videos a subscriber receives. It depends on nothing, not even on the detector, so that a server
    // can link it alone. Rounding calls libm, which is not linked by default without Foundation and Glibc.
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
    // Labels, frames and records, each format with its reader and writer. Text in, text out: no files.
    .target(name: "Annotations", swiftSettings: swiftSettings),
    // A detector's figures against labels.
    .target(name: "SpeechScoring", dependencies: ["Annotations"], swiftSettings: swiftSettings),
    // Traces of the coordinator's inputs, their replay, and its records and picture.
    .target(
      name: "PauseTrace", dependencies: ["Annotations", "Charts", "VideoPause"],
      swiftSettings: swiftSettings),
    // What was found in a recording or compared, drawn: as text, as a picture in SVG, and as a page for a browser,
    // whose parts are compiled into the code so that the program stays a single file.
    .target(
      name: "Charts", dependencies: ["Annotations", "SpeechScoring"],
      resources: [.embedInCode("Report/page")],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "vadmon",
      dependencies: [
        "Annotations",
        "SpeechScoring",
        "PauseTrace",
        "Charts",
        "RealTime",
        "Processes",
        "VoiceActivity",
        "VoiceMonitor",
        "AudioInput",
        "ALSAInput",
        "VideoPause",
        "CArguments",
        "CLinux",
        "CReplay",
        "CSndFile",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: swiftSettings),

    // MARK: Tests
    // What several test targets use.
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: swiftSettings),
    // Records that formats are tested with.
    .target(
      name: "AnnotationsTestSupport", dependencies: ["Annotations"],
      path: "Tests/AnnotationsTestSupport", swiftSettings: swiftSettings),
    // Makes the C core's internal headers available to tests. It has no code of its own.
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
      dependencies: [
        "VoiceActivity", "RealTime", "CVoiceActivity", "AllocationCounter", "TestSupport",
      ],
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
      dependencies: [
        "Speakers", "VoiceActivity", "CVoiceActivity", "AllocationCounter", "TestSupport",
      ],
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
    // What the virtual capture device and its tests share. The tests build the device.
    .systemLibrary(name: "VirtualDevice", path: "Tests/VirtualDevice"),
    // Builds the device, writes its files, and starts a private sound server.
    .target(
      name: "VirtualDeviceSupport", dependencies: ["VirtualDevice", "TestSupport"],
      path: "Tests/VirtualDeviceSupport", swiftSettings: swiftSettings),
    // Counts the allocations of a thread.
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
      name: "AnnotationsTests",
      dependencies: ["Annotations", "AnnotationsTestSupport", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "SpeechScoringTests", dependencies: ["SpeechScoring", "Annotations", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "PauseTraceTests",
      dependencies: ["PauseTrace", "Annotations", "Charts", "VideoPause", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "ChartsTests", dependencies: ["Charts", "Annotations", "SpeechScoring", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "vadmonTests",
      dependencies: [
        "vadmon", "Annotations", "SpeechScoring", "Charts", "RealTime", "VoiceActivity",
        "VoiceMonitor",
        "AudioInput", "ALSAInput", "VirtualDevice", "VirtualDeviceSupport",
        "AnnotationsTestSupport", "TestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      exclude: ["Golden"], swiftSettings: swiftSettings),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu11
)
