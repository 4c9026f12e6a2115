import Foundation
import TestSupport
import Testing
import VirtualDeviceSupport

/// `vadmon devices` with virtual microphones only.
@Suite struct DevicesTests {
  private static func world() throws -> SoundWorld {
    var world = try SoundWorld()
    try world.add("card", "rate 44100 48000\nchannels 2\nformat S32_LE\nformat S16_LE")
    try world.add("default", "rate 8000 192000", title: "The usual one")
    try world.add("taken", "refuse EBUSY")
    try world.add("slow", "rate 4000")
    world.add("null", definition: "type null")
    return world
  }

  /// The list of an earlier run is worth more than an empty one. A list of what was tried is a result.
  @Test func withoutADeviceAnEarlierListStays() throws {
    var world = try SoundWorld()
    try world.add("taken", "refuse EBUSY")
    let folder = TemporaryFolder()
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
    let document = try result.json
    #expect(document["schema_version"] as? Int == 1)
    let devices = try document.objects("devices")
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
    #expect(try Self.world().devices("--json").json.objects("devices").count == 2)
  }

  @Test func theListCanBeWrittenToAFile() throws {
    let folder = TemporaryFolder()
    let result = try Self.world().devices("--output", folder / "devices.txt")
    #expect(result.status == 0 && result.output == "")
    #expect(try folder.text(of: "devices.txt") == Self.world().devices().output)
  }

  /// The messages of libraries are suppressed while a device is opened, but not this one.
  @Test func anInterruptSaysSo() throws {
    var world = try SoundWorld()
    try world.addHanging("hanging")
    let program = try RunningProgram(command: ["devices"], environment: world.environment)
    try program.waitUntil { program.errorFile == "/dev/null" }
    program.interrupt()
    #expect(program.wait() == -SIGINT)
    expectMessage(try program.errors, "interrupted", "not complete")
    withExtendedLifetime(world) {}
  }

  // MARK: None

  @Test(arguments: [[], ["--all"], ["--json"]]) func withoutAUsableDeviceTheRemedyIsReported(
    _ flags: [String]
  ) throws {
    var world = try SoundWorld()
    try world.add("taken", "refuse EBUSY")
    world.add("null", definition: "type null")
    let result = try world.devices(flags)
    #expect(result.status == 69)
    #expect(result.messages.count == 1)
    for remedy in ["group audio", "--device /dev/snd", "libasound2-plugins", "pipewire-alsa"] {
      #expect(result.errors.contains(remedy))
    }
    #expect(result.output.contains("another program") == (flags == ["--all"]))
    #expect(result.output.contains(#""devices": []"#) == (flags == ["--json"]))
  }

  @Test func anEmptyConfigurationIsReported() throws {
    let result = try SoundWorld().devices("--all")
    #expect(result.status == 69)
    #expect(result.output.contains("default           there is no such device\n"))
  }

  // MARK: Sound servers

  @Test func aMissingServerIsReported() throws {
    var world = try SoundWorld()
    world.add("server", definition: #"type pulse server "unix:/nonexistent/native""#)
    let result = try world.devices("--all")
    #expect(result.status == 69)
    #expect(result.output.contains("server            no sound server answers  A plugin\n"))
  }

  /// PulseAudio's own time-out is 30 s.
  @Test func aServerThatHangsIsReported() throws {
    let folder = TemporaryFolder()
    let listener = try SilentServer(folder / "native")
    defer { listener.close() }
    var world = try SoundWorld()
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
    let result = try SoundWorld().devices("card")
    #expect(result.status == 64 && result.errors.contains("'card'"))
  }
}
