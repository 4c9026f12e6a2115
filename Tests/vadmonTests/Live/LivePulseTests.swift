import Foundation
import TestSupport
import Testing
import VirtualDeviceSupport

/// `vadmon live` on a sound server's microphone.
@Suite struct LivePulseTests {
  private static let speech = TestAudio.samples + "/speech.flac"

  /// Speech played into the server is reported. The end of the server is reported; after its return, speech is detected
  /// again.
  @Test(.tags(.slow)) func aServerThatEndsAndReturnsIsReported() throws {
    let server = try PulseServer()
    let program = try RunningProgram(
      command: ["live", "--json", "--device", server.microphone],
      environment: try VirtualDriver.environment)
    try program.waitUntil { try program.count(#""type": "config""#) == 1 }
    try server.play(Self.speech)
    try program.waitUntil { try program.count(#""type": "onset""#) > 0 }

    server.stop()
    try program.waitUntil { try program.count("waiting_for_device") == 1 }
    #expect(try program.output.contains("the device is gone or has failed"))
    try server.start()
    try program.waitUntil { try program.count(#""state": "capturing""#) > 0 }

    let before = try program.count(#""type": "onset""#)
    try server.play(Self.speech)
    try program.waitUntil { try program.count(#""type": "onset""#) > before }
    program.interrupt()
    #expect(program.wait() == -SIGINT)
    // The server may lose more on a busy machine, before and after.
    let outage = try #require(try program.output.firstRange(of: "waiting_for_device"))
    #expect(try program.output[outage.upperBound...].contains(#""type": "gap""#))
    #expect(try program.output.contains(#""type": "file""#))
  }

  /// libasound prints lines of its own about a source that a server does not have, when it is configured.
  @Test func aMissingSourceIsOneLine() throws {
    let server = try PulseServer()
    let result = try Program.vadmon(
      "live", "--device", "pulse:SERVER=\(server.address),DEVICE=nonesuch",
      environment: try VirtualDriver.environment)
    #expect(result.status == 69)
    #expect(result.errors.hasPrefix("vadmon: cannot capture from pulse:"))
    #expect(result.errors.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
  }

  /// A far end talks through a loudspeaker, comes back through the room, and is not reported; the user's own voice is.
  ///
  /// On a busy machine the room itself loses sound. Each loss shifts the echo, and a shift may be reported. So the far
  /// end is judged only where the room lost nothing while it talked.
  @Test(.tags(.slow)) func onlyTheUserIsReportedBesideALoudspeaker() throws {
    for _ in 0..<4 where try isJudgedBesideALoudspeaker() { return }
    try Test.cancel("the machine is too busy: the room lost sound each time")
  }

  /// Returns whether the room was fit to judge.
  private func isJudgedBesideALoudspeaker() throws -> Bool {
    let server = try PulseServer(hasRoom: true)
    let folder = TemporaryFolder()
    let voice = try TelephoneSpeech.samples(rate: 48_000)
    let farEnd = try folder.write(TestAudio.wav(voice, rate: 48_000), to: "far.wav")
    let program = try RunningProgram(
      command: [
        "live", "--json", "--levels", "10", "--muted", "--preset", "notice", "--mute-grace", "0s",
        "--device",
        server.roomMicrophone, "--reference", server.microphone,
      ], environment: try VirtualDriver.environment)
    try program.waitUntil { try program.count(#""type": "level""#) > 0 }
    let losses = try server.roomLosses
    for _ in 0..<2 { try server.play(farEnd) }
    guard try server.roomLosses == losses else { return false }
    #expect(try program.count(#""speaking": true"#) == 0)
    #expect(try program.count(#""only_echo": true"#) > 20)
    try server.play(Self.speech, intoRoom: true)
    try program.waitUntil { try program.count(#""speaking": true"#) > 0 }
    program.interrupt()
    #expect(program.wait() == -SIGINT)
    return true
  }
}
