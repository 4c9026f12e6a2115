import ALSAInput
import Foundation
import VirtualDevice

/// A virtual capture device as `Tests/VirtualDevice/virtual_device.h` describes it.
final class TestDevice {
  /// For `snd_pcm_open`.
  let name: String

  private let path: String

  /// - Parameters:
  ///   - description: The lines of the device file.
  ///   - isPlugged: Behind ALSA's plug, which converts, and behind which most devices are.
  init(_ description: String, isPlugged: Bool = false) throws {
    path = try Driver.loaded.get().folder + "/\(UUID().uuidString)"
    name = "\(isPlugged ? "plugged" : "virtual"):\(path)"
    try Data(description.utf8).write(to: URL(fileURLWithPath: path))
  }

  /// What the device says of itself; all 0 before it was opened.
  var state: virtual_device_state {
    guard let bytes = FileManager.default.contents(atPath: path + ".state") else { return .init() }
    return bytes.withUnsafeBytes { $0.loadUnaligned(as: virtual_device_state.self) }
  }

  /// Opens it and starts to capture.
  func source(
    _ change: (inout ALSASource.Configuration) -> Void = { _ in }
  ) throws -> ALSASource {
    var configuration = ALSASource.Configuration()
    configuration.sampleRate = 16_000
    // A busy machine keeps a test's threads from running for long; only the tests of overruns want any.
    configuration.buffer = .seconds(4)
    configuration.realTimePriority = nil
    change(&configuration)
    return try ALSASource(name, configuration: configuration)
  }
}

/// A capture from beginning to end, and what the device and the source say of it afterwards.
struct Session {
  let recording: Recording
  let device: virtual_device_state
  let status: CaptureStatus

  /// Captures until the device has made `end` frames; its description says that it makes no more.
  ///
  /// On a thread of its own: it waits for most of the time, and the threads of Swift's task pool are few.
  static func captured(
    _ description: String, end: UInt64, isPlugged: Bool = false,
    _ change: @escaping @Sendable (inout ALSASource.Configuration) -> Void = { _ in }
  ) async throws -> Session {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try Session(description, end, isPlugged, change) })
      }
    }
  }

  private init(
    _ description: String, _ end: UInt64, _ isPlugged: Bool,
    _ change: (inout ALSASource.Configuration) -> Void
  ) throws {
    let device = try TestDevice(description + "\nat \(end) end\n", isPlugged: isPlugged)
    (recording, status) = try Self.record(try device.source(change), until: end)
    self.device = device.state
  }

  /// The source is gone when this returns, and its device is closed.
  private static func record(
    _ source: ALSASource, until end: UInt64
  ) throws -> (Recording, CaptureStatus) {
    let recording = try Recording(source, until: end)
    source.stop()
    while source.status.state != .ended { usleep(100) }
    return (recording, source.status)
  }
}

/// The device's driver: built once for all tests, and with it a configuration of libasound that knows
/// nothing else.
private struct Driver {
  static let loaded = Result { try Driver() }

  let folder: String

  struct NotBuilt: Error { let messages: String }

  init() throws {
    let temporary = FileManager.default.temporaryDirectory
      .appendingPathComponent("virtual-device-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
    folder = temporary.path
    try build(folder + "/virtual.so")
    let configuration = """
      pcm_type.virtual { lib "\(folder)/virtual.so" }
      pcm.virtual {
        @args [ FILE ]
        @args.FILE { type string }
        type virtual
        file $FILE
      }
      pcm.plugged {
        @args [ FILE ]
        @args.FILE { type string }
        type plug
        slave.pcm { type virtual file $FILE }
      }
      """
    try Data(configuration.utf8).write(to: URL(fileURLWithPath: folder + "/asound.conf"))
    setenv("ALSA_CONFIG_PATH", folder + "/asound.conf", 1)
    atexit {
      guard case .success(let driver) = Driver.loaded else { return }
      try? FileManager.default.removeItem(atPath: driver.folder)
    }
  }

  private func build(_ library: String) throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("VirtualDevice").path
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/bin/sh")
    compiler.arguments = [
      "-c",
      """
      exec cc -std=gnu11 -O1 -Wall -Wextra -Werror -fPIC -DPIC -shared -o "$1" "$0"/*.c -lasound -lsndfile
      """,
      sources, library,
    ]
    let messages = Pipe()
    compiler.standardError = messages
    try compiler.run()
    let text = messages.fileHandleForReading.readDataToEndOfFile()
    compiler.waitUntilExit()
    guard compiler.terminationStatus == 0 else {
      throw NotBuilt(messages: String(decoding: text, as: UTF8.self))
    }
  }
}
