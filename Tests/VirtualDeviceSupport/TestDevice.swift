import Foundation
public import VirtualDevice

/// A virtual capture device as `Tests/VirtualDevice/virtual_device.h` describes it.
///
/// This process can open it by its name. A process that a test starts can do so if it is given
/// ``VirtualDriver/environment``.
public final class TestDevice {
  /// The name for `snd_pcm_open`.
  public let name: String
  /// The path of the device file.
  public let path: String

  /// Creates a device.
  ///
  /// - Parameters:
  ///   - description: The lines of the device file.
  ///   - isPlugged: Whether to put the device behind ALSA's plug, which converts, as most devices are.
  public init(_ description: String, isPlugged: Bool = false) throws {
    path = try VirtualDriver.loaded.get().folder + "/\(UUID().uuidString)"
    name = "\(isPlugged ? "plugged" : "virtual"):\(path)"
    try Data(description.utf8).write(to: URL(fileURLWithPath: path))
  }

  /// Lets the world of the device begin at a time (CLOCK_MONOTONIC, ns), as if the device had been started then. Worlds
  /// that begin together are two ears in one room.
  public func begin(at time: Int64, rate: UInt32) throws {
    var state = virtual_device_state()
    (state.start_ns, state.rate) = (time, rate)
    try withUnsafeBytes(of: &state) { Data($0) }.write(to: URL(fileURLWithPath: path + ".state"))
  }

  /// The device's own record of its state; all 0 before it was opened.
  public var state: virtual_device_state {
    guard let bytes = FileManager.default.contents(atPath: path + ".state") else { return .init() }
    return bytes.withUnsafeBytes { $0.loadUnaligned(as: virtual_device_state.self) }
  }
}
