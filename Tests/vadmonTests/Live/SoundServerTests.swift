import Foundation
import TestSupport
import Testing
import VirtualDeviceSupport

@testable import vadmon

/// The sources of a sound server by name.
@Suite struct SoundServerTests {
  @Test func sourcesAreWhatPactlSays() {
    let text = """
      Source #0
      \tState: SUSPENDED
      \tName: alsa_input.pci-0000_00_1f.3.analog-stereo
      \tDescription: Built-in: Analog
      \tProperties:
      \t\tdevice.description = "Description: no"
      \t\tName: no

      Source #7
      \tName: it's
      \tDescription: cannot be quoted

      Source #8
      \tName: bluez:00,FF
      \tMonitor of Sink: n/a

      Source #9
      \tName: alsa_output.pci.monitor
      \tMonitor of Sink: alsa_output.pci

      Source #10
      \tName: headset
      \t\tdevice.bus = "bluetooth"
      """
    func source(
      _ name: String, _ title: String = "", isMonitor: Bool = false, isBluetooth: Bool = false
    )
      -> SoundServer.Source
    {
      var source = SoundServer.Source(name: name)
      (source.title, source.isMonitor, source.isBluetooth) = (title, isMonitor, isBluetooth)
      return source
    }
    let inputs = SoundServer.State(text).inputs
    #expect(
      inputs == [
        source("alsa_input.pci-0000_00_1f.3.analog-stereo", "Built-in: Analog"),
        source("bluez:00,FF", isBluetooth: true),
        source("alsa_output.pci.monitor", isMonitor: true), source("headset", isBluetooth: true),
      ])
    #expect(
      inputs.map(\.deviceName) == [
        "pulse:DEVICE=alsa_input.pci-0000_00_1f.3.analog-stereo", "pulse:DEVICE='bluez:00,FF'",
        "pulse:DEVICE=alsa_output.pci.monitor", "pulse:DEVICE=headset",
      ])
    #expect(SoundServer.State("").inputs.isEmpty)
    #expect(SoundServer.State("\tDescription: of nothing\n").inputs.isEmpty)
  }

  /// PipeWire does not know `@DEFAULT_MONITOR@`, so the output's name is used where pactl says it.
  @Test func theDefaultMonitorIsThatOfTheDefaultOutput() {
    func info(_ sink: String) -> String {
      "Server Name: pulseaudio\nDefault Sink: \(sink)\nDefault Source: mic\n"
    }
    let unnamed = "pulse:DEVICE=@DEFAULT_MONITOR@"
    for (text, device) in [
      (info("alsa_output.pci.analog"), "pulse:DEVICE=alsa_output.pci.analog.monitor"),
      (info("bluez:00,FF"), "pulse:DEVICE='bluez:00,FF.monitor'"), (info("it's"), unnamed),
      (info("@DEFAULT_SINK@"), unnamed), (info(""), unnamed), ("", unnamed),
    ] {
      #expect(SoundServer.defaultMonitor(in: text).deviceName == device)
    }
  }

  /// PulseAudio tells the process with each stream, PipeWire's own clients only with the client.
  @Test func aProcessRecordsTheSourcesOfItsStreams() {
    let state = SoundServer.State(
      """
      Sink #44
      \tName: loudspeaker
      Source #44
      \tState: RUNNING
      \tName: loudspeaker.monitor
      \tProperties:
      \t\tName: no
      Source #51
      \tName: room.monitor

      Sink Input #60
      \tClient: 59
      \tSource: 51
      Source Output #67
      \tDriver: PipeWire
      \tClient: 59
      \tSource: 51
      \tProperties:
      \t\tapplication.process.id = "100"
      Source Output #82
      \tClient: 74
      \tSource: 44
      Source Output #83
      \tClient: n/a
      \tSource: 4294967295
      \tProperties:
      \t\tapplication.process.id = "100"
      Client #59
      \tProperties:
      \t\tapplication.process.id = "7"
      Client #74
      \tProperties:
      \t\tapplication.process.id = "100"
      """)
    #expect(state.sources(ofProcess: 100) == ["room.monitor", "loudspeaker.monitor"])
    #expect(state.sources(ofProcess: 7).isEmpty)
    #expect(state.has("room.monitor") && !state.has("loudspeaker") && !state.has("no"))
    #expect(!SoundServer.State("").has(""))
  }

  /// The configuration that libasound2-plugins installs for its plugin.
  private static let configuration = """
    pcm.pulse {
      @args [ DEVICE ]
      @args.DEVICE { type string default "" }
      type pulse
      device $DEVICE
      hint { show on description "PulseAudio Sound Server" }
    }
    """

  /// Returns the names of all devices, and listens to the last.
  private func devices(_ server: PulseServer, path: String? = nil) throws -> [String] {
    let folder = TemporaryFolder()
    var environment = [
      "ALSA_CONFIG_PATH": try folder.write(Self.configuration, to: "asound.conf"),
      "PULSE_SERVER": server.address,
    ]
    if let path { environment["PATH"] = path }
    let result = try Program.vadmon("devices", "--json", environment: environment)
    #expect(result.status == 0, "\(result.errors)")
    let devices = try result.json.objects("devices")
    let live = try RunningProgram(
      command: ["live", "--device", devices.last?["name"] as? String ?? "", "--json"],
      environment: environment)
    try live.waitUntil { try live.output.contains("config") }
    live.interrupt()
    #expect(live.wait() == -SIGINT)
    return devices.compactMap { $0["name"] as? String }
  }

  @Test func sourcesAreListedAndCanBeOpened() throws {
    let server = try PulseServer()
    #expect(try devices(server) == ["pulse", "pulse:DEVICE=loudspeaker.monitor"])
  }

  @Test func withoutPactlThereIsTheServerAlone() throws {
    let server = try PulseServer()
    #expect(try devices(server, path: "/nonexistent") == ["pulse"])
  }
}
