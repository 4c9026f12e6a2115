import ALSAInput
import Foundation
import RealTime
import Testing
import VirtualDevice
import VirtualDeviceSupport

private let soakSeconds =
  ProcessInfo.processInfo.environment["SOAK_SECONDS"].flatMap { Int($0) } ?? 0

/// Captures with the default settings for as long as SOAK_SECONDS says (`make soak`); nothing may be lost.
///
/// Do not run it beside other tests, which would keep the capture thread from running.
@Suite(.enabled(if: soakSeconds > 0)) struct SoakTests {
  private static let rate = 48_000

  @Test func theVirtualDeviceLosesNothing() async throws {
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

  /// PulseAudio provides no count of frames, so the samples played to it serve as one: each sample is its own number.
  @Test func aSoundServerLosesNothing() async throws {
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

/// Checks the capture of an endless ramp: silence until the player is heard, then each sample one above the last.
private struct RampCheck: Sendable {
  /// The number of frames of the ramp.
  private(set) var frames = 0
  /// The first few samples that do not follow the one before them.
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
      // The ramp starts wherever the player had got to.
      if sample != 0 { self.last = sample }
      return
    }
    frames += 1
    self.last = sample
    if sample != last &+ 1 && jumps.count < 3 { jumps.append("\(last), \(sample) at \(frames)") }
  }
}
