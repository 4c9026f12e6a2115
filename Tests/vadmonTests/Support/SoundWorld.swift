import TestSupport
import VirtualDeviceSupport

/// A configuration of libasound, and the devices in it.
struct SoundWorld {
  private let folder = TemporaryFolder()
  private var lines: [String]

  init() throws { lines = [try VirtualDriver.configurationLine] }

  /// Adds a virtual device of this name, with the lines of its device file.
  mutating func add(_ name: String, _ description: String, title: String = "A microphone") throws {
    let path = try TestDevice(description + "\n").path
    add(name, definition: "type virtual file \"\(path)\"", title: title)
  }

  mutating func add(_ name: String, definition: String, title: String = "A plugin") {
    lines.append("pcm.\(name) { \(definition) hint { show on description \"\(title)\" } }")
  }

  /// Adds a device that takes forever to open: it is a pipe that nobody writes to.
  mutating func addHanging(_ name: String) throws {
    let pipe = try folder.pipe()
    add(name, definition: "type file slave.pcm { type null } file /dev/null infile \"\(pipe)\"")
  }

  /// The environment in which these are all devices. The world must outlive who uses it.
  var environment: [String: String] {
    get throws {
      ["ALSA_CONFIG_PATH": try folder.write(lines.joined(separator: "\n"), to: "asound.conf")]
    }
  }

  func vadmon(_ arguments: [String]) throws -> Program.Result {
    try Program.vadmon(arguments, environment: environment)
  }

  func devices(_ arguments: String...) throws -> Program.Result { try devices(arguments) }

  func devices(_ arguments: [String]) throws -> Program.Result {
    try vadmon(["devices"] + arguments)
  }
}
