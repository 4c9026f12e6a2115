import Foundation
import TestSupport
import Testing
import VirtualDevice
import VirtualDeviceSupport

/// `vadmon live --wait`: a device that is not there when listening begins.
@Suite struct LiveWaitTests {
  private let folder = TemporaryFolder()
  private static let speech = TestAudio.samples + "/speech.flac"

  /// It comes at the third attempt. Times count from its first sound.
  @Test func aDeviceThatComesIsListenedTo() throws {
    let device = try TestDevice("sound \(Self.speech)\nrefuse ENODEV 2\nat 64000 end\n")
    let program = try RunningProgram(
      command: ["live", "--wait", "--device", device.name, "--rate", "16000", "--json"],
      environment: try VirtualDriver.environment)
    try program.waitUntil { try program.output.contains(#""type": "onset""#) }
    program.interrupt()
    #expect(program.wait() == -SIGINT)
    let records = try program.records
    #expect(records.prefix(3).map(\.type) == ["device", "config", "device"])
    #expect(records[0]["state"] as? String == "waiting_for_device")
    let waiting = try #require(records[0]["message"] as? String)
    expectMessage(waiting, "waiting", device.name, "vadmon devices")
    #expect(records[2]["state"] as? String == "capturing")
    #expect(records[2]["message"] as? String == "the device is there")
    let onset = try #require(records.first { $0.type == "onset" }?["time"] as? Double)
    let expected = try Program.analyze(Self.speech, "--live", "--template", "{start}").output
    #expect(onset == Double(try #require(expected.split(separator: "\n").first)))
    #expect(device.state.refusals == 2)
  }

  /// The program of `--on-event` is told, too.
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func aSignalEndsTheWait(signal: Int32) throws {
    let told = folder / "told"
    let program = try RunningProgram(
      command: [
        "live", "--wait", "--device", "nonesuch", "--on-event", "sh", "--on-event-argument=-c",
        "--on-event-argument=echo $VADMON_EVENT $VADMON_VALUE >> '\(told)'",
      ], environment: try VirtualDriver.environment)
    try program.waitUntil { (try? folder.text(of: "told")) == "device waiting_for_device\n" }
    program.send(signal)
    #expect(program.wait() == -signal)
    expectMessage(try program.output, "0:00.000", "waiting", "nonesuch", "vadmon devices")
    expectMessage(try program.errors, "0.000 s heard", "0.000 s of speech", "0 segments")
  }

  @Test func theDurationEndsTheWait() throws {
    let result = try Program.vadmon(
      "live", "--wait", "--device", "nonesuch", "--duration", "700ms", "--json",
      environment: try VirtualDriver.environment)
    #expect(result.status == 0)
    #expect(try result.records.map(\.type) == ["device"])
  }

  @Test func theMeterSaysWhy() throws {
    let seen = try PseudoTerminal.run(
      ["live", "--wait", "--device", "nonesuch"], environment: try VirtualDriver.environment,
      steps: [.see("waiting: cannot capture from nonesuch"), .look, .signal(SIGINT)])
    #expect(seen.missed == nil)
    #expect(seen.looks[0].lines[0].hasPrefix("nonesuch"))
    #expect(seen.looks[0].text.contains("no sound yet"))
    #expect(seen.status == -SIGINT && seen.isRestored)
  }

  /// No wait gives a device more channels.
  @Test func whatNoWaitCanMendIsAnError() throws {
    let device = try TestDevice("channels 1\n")
    let result = try Program.vadmon(
      "live", "--wait", "--device", device.name, "--channel", "2",
      environment: try VirtualDriver.environment)
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
  }
}
