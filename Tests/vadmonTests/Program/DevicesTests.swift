import Foundation
import TestSupport
import Testing
import VirtualDeviceSupport

/// `vadmon devices` with virtual microphones only.
@Suite struct DevicesTests {
  /// A configuration of libasound, and the devices in it.
  private struct World {
    private let folder: TemporaryFolder
    private var lines: [String]

    init() throws {
      folder = try TemporaryFolder()
      lines = [try VirtualDriver.configurationLine]
    }

    /// Adds a virtual device of this name, with the lines of its device file.
    mutating func add(_ name: String, _ description: String, title: String = "A microphone") throws
    {
      let path = try TestDevice(description + "\n").path
      add(name, definition: "type virtual file \"\(path)\"", title: title)
    }

    mutating func add(_ name: String, definition: String, title: String = "A plugin") {
      lines.append("pcm.\(name) { \(definition) hint { show on description \"\(title)\" } }")
    }

    /// The environment in which these are all devices.
    var environment: [String: String] {
      get throws {
        ["ALSA_CONFIG_PATH": try folder.write(lines.joined(separator: "\n"), to: "asound.conf")]
      }
    }

    /// Adds a device that takes forever to open: it is a pipe that nobody writes to.
    mutating func addHanging(_ name: String) throws {
      let pipe = folder / "pipe"
      guard mkfifo(pipe, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
      add(
        name,
        definition: "type file slave.pcm { type null } file /dev/null infile \"\(pipe)\"")
    }

    func devices(_ arguments: String...) throws -> Program.Result { try devices(arguments) }

    func devices(_ arguments: [String]) throws -> Program.Result {
      try Program.run([Program.path, "devices"] + arguments, environment: environment)
    }
  }

  private static func world() throws -> World {
    var world = try World()
    try world.add("card", "rate 44100 48000\nchannels 2\nformat S32_LE\nformat S16_LE")
    try world.add("default", "rate 8000 192000", title: "The usual one")
    try world.add("taken", "refuse EBUSY")
    try world.add("slow", "rate 4000")
    world.add("null", definition: "type null")
    return world
  }

  /// The list of an earlier run is worth more than an empty one. A list of what was tried is a result.
  @Test func withoutADeviceAnEarlierListStays() throws {
    var world = try World()
    try world.add("taken", "refuse EBUSY")
    let folder = try TemporaryFolder()
    let list = try folder.write("old", to: "list")
    #expect(try world.devices("--output", list).status == 69)
    #expect(try folder.text(of: "list") == "old")
    #expect(try world.devices("--json", "--output", list).status == 69)
    #expect(try folder.text(of: "list") == "old")
    #expect(try world.devices("--all", "--output", list).status == 69)
    #expect(try folder.text(of: "list").contains("taken"))
    #expect(try folder.names == ["list"])
  }

  @Test func usableDevicesAreListed() throws {
    let result = try Self.world().devices()
    #expect(result.status == 0 && result.errors == "")
    #expect(
      result.output == """
        device   rates in Hz   channels  formats
        default  8000–192000   1         S16_LE         The usual one
        card     44100, 48000  2         S16_LE S32_LE  A microphone

        """)
  }

  @Test func unusableDevicesAreListedOnRequest() throws {
    let result = try Self.world().devices("--all")
    #expect(result.status == 0 && result.errors == "")
    let others = try #require(result.output.range(of: "\n\n"))
    #expect(
      result.output[others.upperBound...] == """
        cannot be opened  because
        taken             another program is using it                       A microphone
        slow              it offers no rate from 8000 to 192000 Hz          A microphone
        null              it is not a microphone: it only delivers silence  A plugin

        """)
  }

  @Test func devicesAreListedAsJSON() throws {
    let result = try Self.world().devices("--json", "--all")
    #expect(result.status == 0 && result.errors == "")
    let document = try #require(
      try JSONSerialization.jsonObject(with: result.bytes) as? [String: Any])
    #expect(document["schema_version"] as? Int == 1)
    let devices = try #require(document["devices"] as? [[String: Any]])
    #expect(devices.map { $0["name"] as? String } == ["default", "card", "taken", "slow", "null"])
    let card = devices[1]
    #expect(card["title"] as? String == "A microphone")
    #expect(card["sample_rates"] as? [String: Int] == ["min": 44_100, "max": 48_000])
    #expect(card["usual_sample_rates"] as? [Int] == [44_100, 48_000])
    #expect(card["channels"] as? [String: Int] == ["min": 2, "max": 2])
    #expect(card["sample_formats"] as? [String] == ["S16_LE", "S32_LE"])
    #expect(card["error"] is NSNull)
    let error = try #require(devices[2]["error"] as? [String: String])
    expectMessage(error["reason"] ?? "", "another program")
    expectMessage(error["message"] ?? "", "taken", "another program")
  }

  @Test func jsonOmitsUnusableDevices() throws {
    let result = try Self.world().devices("--json")
    let document = try JSONSerialization.jsonObject(with: result.bytes) as? [String: Any]
    #expect((document?["devices"] as? [Any])?.count == 2)
  }

  @Test func theListCanBeWrittenToAFile() throws {
    let folder = try TemporaryFolder()
    let result = try Self.world().devices("--output", folder / "devices.txt")
    #expect(result.status == 0 && result.output == "")
    #expect(try folder.text(of: "devices.txt") == Self.world().devices().output)
  }

  /// The messages of libraries are suppressed while a device is opened, but not this one.
  @Test func anInterruptSaysSo() throws {
    var world = try World()
    try world.addHanging("hanging")
    let program = try RunningProgram(command: ["devices"], environment: world.environment)
    try program.waitUntil { program.errorFile == "/dev/null" }
    program.interrupt()
    #expect(program.wait() == -SIGINT)
    expectMessage(try program.errors, "interrupted", "not complete")
  }

  // MARK: None

  @Test(arguments: [[], ["--all"], ["--json"]]) func withoutAUsableDeviceTheRemedyIsReported(
    _ flags: [String]
  ) throws {
    var world = try World()
    try world.add("taken", "refuse EBUSY")
    world.add("null", definition: "type null")
    let result = try world.devices(flags)
    #expect(result.status == 69)
    #expect(result.errors.split(separator: "\n").count == 1)
    for remedy in ["group audio", "--device /dev/snd", "libasound2-plugins", "pipewire-alsa"] {
      #expect(result.errors.contains(remedy))
    }
    #expect(result.output.contains("another program") == (flags == ["--all"]))
    #expect(result.output.contains(#""devices": []"#) == (flags == ["--json"]))
  }

  @Test func anEmptyConfigurationIsReported() throws {
    let result = try World().devices("--all")
    #expect(result.status == 69)
    #expect(result.output.contains("default           there is no such device\n"))
  }

  // MARK: Sound servers

  @Test func aMissingServerIsReported() throws {
    var world = try World()
    world.add("server", definition: #"type pulse server "unix:/nonexistent/native""#)
    let result = try world.devices("--all")
    #expect(result.status == 69)
    #expect(result.output.contains("server            no sound server answers  A plugin\n"))
  }

  /// PulseAudio's own time-out is 30 s.
  @Test func aServerThatHangsIsReported() throws {
    let folder = try TemporaryFolder()
    let listener = try SilentServer(folder / "native")
    defer { listener.close() }
    var world = try World()
    world.add("server", definition: "type pulse server \"unix:\(folder / "native")\"")
    try world.add("card", "")
    let result = try world.devices("--all")
    #expect(result.status == 0 && result.errors == "")
    #expect(result.output.contains("server            it did not answer within 2 s  A plugin\n"))
    #expect(result.output.contains("card    16000        1         S16_LE   A microphone\n"))
  }

  /// A server that accepts connections and never answers.
  private struct SilentServer {
    private let descriptor: Int32

    init(_ path: String) throws {
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let code = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      try #require(code == 0 && listen(descriptor, 5) == 0)
    }

    func close() { Glibc.close(descriptor) }
  }

  // MARK: Wrong use

  @Test func anUnknownArgumentIsRefused() throws {
    let result = try World().devices("card")
    #expect(result.status == 64 && result.errors.contains("'card'"))
  }
}
