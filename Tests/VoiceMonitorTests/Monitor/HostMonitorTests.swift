import RealTime
import Testing
import VoiceActivity

@testable import VoiceMonitor

/// A monitor of a host's PCM.
@Suite struct HostMonitorTests {
  /// A host that stores its writer where nobody can consume it.
  ///
  /// `@unchecked Sendable` is safe because the test uses the writer from one task at a time.
  private final class Capture: @unchecked Sendable {
    var writer: SampleRing.Writer
    init(_ writer: consuming SampleRing.Writer) { self.writer = writer }
  }

  /// The writer is a member of an object that continues to exist.
  @Test func finishEndsAMonitor() async throws {
    let pcm = HostPCM(sampleRate: 16_000, seconds: 30)
    let source = pcm.source
    let monitor = try VoiceActivityMonitor(source: source)
    let events = monitor.events
    let capture = Capture(pcm.writer)
    let running = Task { try await monitor.run() }
    let phrase = MonitorTests.phrase
    _ = capture.writer.write(phrase.span)
    capture.writer.skip(1234)
    source.finish()
    try await running.value
    #expect(monitor.snapshot.position == UInt64(phrase.count) + 1234)
    var kinds: [MonitorEvent.Kind] = []
    for await event in events { kinds.append(event.kind) }
    #expect(kinds.contains(.onset) && kinds.contains(.discontinuity(missingFrames: 1234)))
    withExtendedLifetime(capture) {}
  }
}
