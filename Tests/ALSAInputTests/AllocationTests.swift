import AllocationCounter
import Foundation
import RealTime
import Synchronization
import TestSupport
import Testing
import VirtualDevice
import VirtualDeviceSupport
import VoiceActivity
import VoiceMonitor

@testable import ALSAInput

/// The capture thread allocates nothing, neither in normal operation nor during faults. The tests run one at a time,
/// because there is one counter.
@Suite(.serialized, .timeLimit(.minutes(5)), .enabled(if: allocation_counter_works()))
struct AllocationTests {
  @Test func theCounterCountsAllocations() {
    allocation_counter_watch(pthread_self())
    // Not a malloc in this test, which the compiler would optimise away.
    fclose(fopen("/dev/null", "r"))
    #expect(allocation_counter_stop() >= 2)
  }

  @Test(arguments: [
    "", "at 4000 overrun 300\nat 6000 suspend 300\nat 8000 suspend-prepare 300",
    "at 4000 error\nat 5000 stall 3000\nat 9000 short",
  ])
  func captureDoesNotAllocate(_ faults: String) throws {
    let device = try TestDevice("channels 2\nformat S32_LE\n\(faults)\nat 20000 end\n")
    let source = try device.source()
    #expect(try Recording(source, until: 2000) { _, _ in 0 }.captured >= 2000)
    allocation_counter_watch(source.captureThread)
    try blockUntil("all is captured") {
      source.status.capturedFrames + source.status.lostFrames >= 20_000
    }
    #expect(allocation_counter_stop() == 0)
    #expect(Int(device.state.next_fault) == faults.split(separator: "\n").count)
  }

  /// A monitor's analysis thread does not allocate either, while there is speech and observers wait for it.
  @Test(.tags(.slow)) func analysisDoesNotAllocate() async throws {
    let recording = URL(filePath: #filePath)
      .appending(path: "../../../samples/muted-talk.flac").standardizedFileURL.path
    let device = try TestDevice("sound \(recording)\nat 64000 overrun 300\nat 96000 end\n")
    let source = WatchedSource(try device.source())
    var configuration = VoiceActivityMonitor.Configuration()
    configuration.cutRules = .init(maxLength: .seconds(3), padBefore: .milliseconds(300))
    let monitor = try VoiceActivityMonitor(source: source, configuration: configuration)
    monitor.setMuted(true)
    let events = monitor.events
    let observers = Task {
      async let levels: Void = { for await _ in monitor.levels {} }()
      async let speaking: Void = { for await _ in monitor.isSpeakingWhileMuted {} }()
      var kinds: [MonitorEvent.Kind] = []
      for await event in events { kinds.append(event.kind) }
      _ = await (levels, speaking)
      return kinds
    }
    let running = Task { try await monitor.run() }
    try await waitUntil("analysis has begun") { monitor.snapshot.position >= 8000 }
    allocation_counter_watch(source.reader.withLock { $0 }!)
    try await waitUntil("all is analysed") { monitor.snapshot.position >= 96_000 }
    #expect(allocation_counter_stop() == 0)
    monitor.stop()
    try await running.value
    let kinds = await observers.value
    #expect(kinds.contains(.speakingWhileMuted(true)))
    #expect(kinds.contains(.discontinuity(missingFrames: 300)))
  }
}

/// Records which thread reads the source.
private final class WatchedSource: PCMSource {
  let source: ALSASource
  let reader = Mutex<pthread_t?>(nil)
  var sampleRate: Int { source.sampleRate }
  var channelCount: Int { source.channelCount }

  init(_ source: ALSASource) { self.source = source }

  func read(into block: inout PCMBlock) throws -> Bool {
    reader.withLock { $0 = pthread_self() }
    return try source.read(into: &block)
  }

  func stop() { source.stop() }
}
