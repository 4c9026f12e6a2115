import ALSAInput
import AllocationCounter
import AudioInput
import Foundation
import RealTime
import SystemPackage
import TestSupport
import Testing
import VirtualDevice
import VirtualDeviceSupport
import VoiceActivity
import VoiceMonitor

/// A monitor that listens to the virtual device, which plays a recording.
///
/// The source does not wait for the device after the recording's end, since it would report what was missed until the
/// test stopped it.
@Suite(.timeLimit(.minutes(5))) struct MonitorTests {
  private static let recording = URL(filePath: #filePath)
    .appending(path: "../../../samples/muted-talk.flac").standardizedFileURL.path

  private func offline(_ frameCount: Int) throws -> [VoiceActivityEvent] {
    let source = try AudioFileSource(path: FilePath(Self.recording))
    var detector = try VoiceActivityDetector(
      configuration: .init(sampleRate: source.sampleRate))
    var events: [VoiceActivityEvent] = []
    var block = PCMBlock(channelCount: 1)
    var left = frameCount
    while left > 0, try source.read(into: &block) {
      block.withSamples(ofChannel: 0) { samples in
        let part = samples.extracting(0..<min(left, samples.count))
        detector.process(part) { events.append($0) }
        left -= part.count
      }
    }
    detector.flush { events.append($0) }
    return events
  }

  /// Live decisions equal offline decisions, on 8 s of speech.
  @Test(.tags(.slow)) func liveDecisionsEqualOfflineDecisions() async throws {
    let frameCount = 128_000
    let device = try TestDevice("sound \(Self.recording)\nat \(frameCount) gone 0\n")
    let monitor = try VoiceActivityMonitor(source: try device.source { $0.waitsForDevice = false })
    let events = monitor.events
    await #expect(throws: CaptureError.gone(name: device.name)) { try await monitor.run() }
    #expect(monitor.snapshot.position == frameCount)
    var live: [VoiceActivityEvent] = []
    let expected = try offline(frameCount)
    var index = 0
    for await event in events {
      switch event.kind {
      case .onset, .offset:
        guard index < expected.count else { break }
        #expect((event.kind == .onset) == (expected[index].kind == .onset))
        #expect(event.position == expected[index].position)
        #expect(event.decidedAt == expected[index].decidedAt)
        live.append(expected[index])
        index += 1
      case .discontinuity, .dropped: Issue.record("\(event)")
      default: break
      }
    }
    #expect(live.count == expected.count && live.count >= 4)
  }

  /// The thread waits for a device that makes no more frames.
  @Test func cancellationEndsIt() async throws {
    let device = try TestDevice("at 3000 end\n")
    let monitor = try VoiceActivityMonitor(source: try device.source { $0.waitsForDevice = false })
    let running = Task { try await monitor.run() }
    try await waitUntil("all is analysed") { monitor.snapshot.position >= 3000 }
    running.cancel()
    try await running.value
    #expect(device.state.closes == 1 || monitor.snapshot.position == 3000)
  }
}
