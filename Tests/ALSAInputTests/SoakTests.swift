import ALSAInput
import AudioInput
import Foundation
import Testing
import VirtualDevice
import VirtualDeviceSupport
import VoiceActivity

private let soakSeconds =
  ProcessInfo.processInfo.environment["SOAK_SECONDS"].flatMap { Int($0) } ?? 0

/// Capture as users have it, for as long as SOAK_SECONDS says (`Scripts/soak.sh`): nothing is lost.
///
/// Not beside other tests: they would keep the capture thread from running.
@Suite(.enabled(if: soakSeconds > 0)) struct SoakTests {
  private static let rate = 48_000

  @Test func theVirtualDevice() async throws {
    let end = UInt64(Self.rate * soakSeconds)
    let session = try await Session.captured("rate \(Self.rate)\nchannels 2", end: end) {
      $0 = .init()
      $0.channels = .each
      $0.channelCount = 2
    }
    let recording = session.recording
    #expect(recording.wrong == [])
    #expect(recording.gaps == [] && session.status.counts == [:])
    // Captured + lost = made.
    #expect(recording.captured == end && session.device.made == end)
    print("virtual device: \(recording.captured) of \(end) frames, \(recording.lost) lost")
  }

  /// PulseAudio keeps no count that could be asked for: what is played to it tells. A sample is its number.
  @Test func aSoundServer() async throws {
    let server = try PulseServer()
    try server.loop((0...UInt16.max).map { Int16(bitPattern: $0) })
    var configuration = ALSASource.Configuration()
    configuration.sampleRate = Self.rate
    _ = try VirtualDriver.environment
    let source = try ALSASource(server.microphone, configuration: configuration)
    #expect(source.sampleRate == Self.rate && source.sampleFormat == .s16)
    let ramp = try await onOwnThread { try RampCheck(source, frames: Self.rate * soakSeconds) }
    #expect(ramp.jumps == [] && ramp.frames >= Self.rate * soakSeconds)
    #expect(source.status.lostFrames == 0 && source.status.counts == [:])
    print("PulseAudio: \(ramp.frames) frames in a row, \(source.status.lostFrames) lost")
  }
}

/// What was captured of an endless ramp: silence until the player was heard, then each sample by 1 above the last.
private struct RampCheck: Sendable {
  /// Of the ramp.
  private(set) var frames = 0
  /// Samples that do not follow the one before them: the first few.
  private(set) var jumps: [String] = []
  private var last: Int16?

  init(_ source: ALSASource, frames wanted: Int) throws {
    var block = PCMBlock(channelCount: 1)
    while try frames < wanted && source.read(into: &block) {
      block.withSamples(ofChannel: 0) { samples in
        for index in samples.indices { add(Int16(samples[index] * 32_768)) }
      }
    }
    source.stop()
  }

  private mutating func add(_ sample: Int16) {
    guard let last else {
      // The first that is heard is whatever the player had come to.
      if sample != 0 { self.last = sample }
      return
    }
    frames += 1
    self.last = sample
    if sample != last &+ 1 && jumps.count < 3 { jumps.append("\(last), \(sample) at \(frames)") }
  }
}
