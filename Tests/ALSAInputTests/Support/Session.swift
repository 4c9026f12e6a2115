import ALSAInput
import Foundation
import TestSupport
import VirtualDevice
import VirtualDeviceSupport

extension TestDevice {
  /// Opens the device and starts to capture.
  func source(
    _ change: (inout ALSASource.Configuration) -> Void = { _ in }
  ) throws -> ALSASource {
    var configuration = ALSASource.Configuration()
    configuration.sampleRate = 16_000
    // A busy machine keeps a test's threads from running for long, and only the overrun tests need overruns.
    configuration.buffer = .seconds(4)
    configuration.realTimePriority = nil
    change(&configuration)
    return try ALSASource(name, configuration: configuration)
  }
}

/// A capture from beginning to end, with the final state of the device and of the source.
struct Session {
  let recording: Recording
  let device: virtual_device_state
  let status: CaptureStatus

  /// Captures until the device has made `end` frames, after which its description ends it.
  static func captured(
    _ description: String, end: UInt64, isPlugged: Bool = false,
    _ change: @escaping @Sendable (inout ALSASource.Configuration) -> Void = { _ in }
  ) async throws -> Session {
    try await onOwnThread { try Session(description, end, isPlugged, change) }
  }

  private init(
    _ description: String, _ end: UInt64, _ isPlugged: Bool,
    _ change: (inout ALSASource.Configuration) -> Void
  ) throws {
    let device = try TestDevice(description + "\nat \(end) end\n", isPlugged: isPlugged)
    (recording, status) = try Self.record(try device.source(change), until: end)
    self.device = device.state
  }

  /// Records a source and returns the recording with the status at its end. When this returns, the source is gone and
  /// its device closed.
  ///
  /// The status is taken at the end because the device stands still from there on: the longer the test takes to stop
  /// it, the more is missing.
  private static func record(
    _ source: ALSASource, until end: UInt64
  ) throws -> (Recording, CaptureStatus) {
    let recording = try Recording(source, until: end)
    var status = source.status
    // A frame can be read before it is counted.
    try blockUntil("what was read is counted") {
      status = source.status
      return recording.hasEnded
        || status.capturedFrames + status.lostFrames >= recording.position
    }
    source.stop()
    try blockUntil("the end") { source.status.state == .ended }
    return (recording, status)
  }
}
