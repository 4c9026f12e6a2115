import Foundation
import RealTime
import TestSupport
import Testing
import VirtualDeviceSupport

/// `vadmon live` beside a reference that goes, changes or is none.
@Suite(.serialized) struct LiveReferenceTests {
  private static let speech = TestAudio.samples + "/speech.flac"
  private static let arguments = [
    "live", "--json", "--levels", "5", "--muted", "--preset", "notice", "--mute-grace", "0s",
  ]

  /// Returns the values of a member in the records of a type.
  private func values(_ type: String, _ member: String, _ program: RunningProgram) throws
    -> [String]
  {
    try program.records.ofType(type).map { "\($0[member] ?? "")" }
  }

  private func onsets(_ program: RunningProgram) throws -> Int {
    try values("onset", "time", program).count
  }

  // MARK: Sound servers

  private func start(
    _ server: PulseServer, device: String, reference: String
  ) throws -> RunningProgram {
    let program = try RunningProgram(
      command: Self.arguments + ["--device", device, "--reference", reference],
      environment: try VirtualDriver.environment.merging(server.environment) { $1 })
    try program.waitUntil { try values("level", "time", program).count > 0 }
    return program
  }

  /// The server moves the stream of a source that is gone to the default source, which here is the microphone. The user
  /// is heard all the same: of 16 phrases, all but those that the server of a busy machine tears or joins.
  @Test(.tags(.slow), arguments: PulseServer.Kind.allCases)
  func aLoudspeakerThatGoesIsSilent(kind: PulseServer.Kind) throws {
    let server = try PulseServer(kind, hasRoom: true, hearsLoudspeaker: false)
    try server.pactl("set-default-source \(server.roomSource)")
    let program = try start(
      server, device: server.roomMicrophone,
      reference: "pulse:DEVICE=\(PulseServer.sink).monitor")
    try server.play(Self.speech, intoRoom: true)
    try program.waitUntil { try onsets(program) >= 3 }
    // Amid the second.
    let before = try onsets(program)
    try server.play(Self.speech, intoRoom: true, waits: false)
    try program.waitUntil { try onsets(program) > before }
    try server.removeOutput()
    try program.waitUntil { try values("offset", "time", program).count >= before + 2 }
    // A busy server may have left out a second of the monitor before.
    try program.waitUntil { try values("reference", "health", program).last == "no_data" }
    try server.play(Self.speech, intoRoom: true)
    try server.addOutput()
    try program.waitUntil { try values("reference", "health", program).last == "good" }
    #expect(try values("reference", "health", program).suffix(2) == ["no_data", "good"])
    let atReturn = try onsets(program)
    try server.play(Self.speech, intoRoom: true)
    try program.waitUntil { try onsets(program) >= max(12, atReturn + 3) }
    program.interrupt()
    #expect(program.wait() == -SIGINT)
  }

  /// The far end speaks as soon as there is a loudspeaker. A server that has just opened one needs seconds to tell its
  /// delay.
  ///
  /// On a busy machine the room itself loses sound, which moves the echo. So one call of three must be right.
  @Test(.tags(.slow), arguments: PulseServer.Kind.allCases)
  func theFarEndIsKnownOnceALoudspeakerIsBack(kind: PulseServer.Kind) throws {
    var found: [Int] = []
    while found.last != 0, found.count < 3 { found.append(try falseNotices(kind)) }
    #expect(found.last == 0, "\(found)")
  }

  /// Returns how often the far end is reported, at the start and once its loudspeaker is back. The user is, afterwards.
  private func falseNotices(_ kind: PulseServer.Kind) throws -> Int {
    let server = try PulseServer(kind, hasRoom: true, hearsLoudspeaker: false)
    let folder = TemporaryFolder()
    let voice = try TelephoneSpeech.samples(rate: 48_000)
    // Silence behind it, because a server that has nothing to play disturbs the room.
    let farEnd = try folder.write(
      TestAudio.wav(voice + [Float](repeating: 0, count: 10 * 48_000), rate: 48_000), to: "far.wav")
    try server.carryLoudspeakerIntoRoom()
    let program = try start(
      server, device: server.roomMicrophone,
      reference: "pulse:DEVICE=\(PulseServer.sink).monitor")
    func playFarEnd() throws {
      let levels = try values("level", "time", program).count
      try server.play(farEnd, waits: false)
      // Five a second.
      try program.waitUntil {
        try values("level", "time", program).count > levels + voice.count / 9_600 + 15
      }
    }
    try playFarEnd()
    try server.removeOutput()
    try program.waitUntil { try values("reference", "health", program).last == "no_data" }
    try server.addOutput()
    try server.carryLoudspeakerIntoRoom()
    try playFarEnd()
    #expect(try values("reference", "health", program).suffix(2) == ["no_data", "good"])
    let (found, before) = (try notices(program), try onsets(program))
    try server.play(Self.speech, intoRoom: true)
    try program.waitUntil { try onsets(program) >= before + 3 }
    program.interrupt()
    #expect(program.wait() == -SIGINT)
    return found
  }

  @Test(.tags(.slow), arguments: PulseServer.Kind.allCases)
  func theDefaultOutputIsFollowed(kind: PulseServer.Kind) throws {
    let server = try PulseServer(kind, hasRoom: true, hearsLoudspeaker: false)
    try server.setDefaultOutput(PulseServer.sink)
    let program = try start(
      server, device: server.roomMicrophone, reference: "default-monitor")
    try server.addOutput("headset")
    try server.setDefaultOutput("headset")
    try program.waitUntil {
      try values("reference", "device", program).contains("pulse:DEVICE=headset.monitor")
    }
    // The server agrees in the end.
    let number = try #require(
      try server.pactl("list short sources").firstMatch(of: /(\d+)\theadset\.monitor/)?.1)
    try program.waitUntil {
      try server.pactl("list short source-outputs").contains("\t\(number)\t")
    }
    program.interrupt()
    #expect(program.wait() == -SIGINT)
  }

  /// Two names of one microphone: the server knows, and the user is heard.
  @Test(.tags(.slow), arguments: PulseServer.Kind.allCases)
  func theMicrophoneIsNoReference(kind: PulseServer.Kind) throws {
    let server = try PulseServer(kind, hasRoom: true, hearsLoudspeaker: false)
    let program = try start(
      server, device: server.roomMicrophone, reference: "pulse:DEVICE='\(server.roomSource)'")
    try program.waitUntil { try values("reference", "health", program).contains("copy") }
    try server.play(Self.speech, intoRoom: true)
    try program.waitUntil { try onsets(program) >= 3 }
    program.interrupt()
    #expect(program.wait() == -SIGINT)
    #expect(try program.errors.contains("the reference is the microphone itself"))
  }

  @Test(.tags(.slow), arguments: PulseServer.Kind.allCases)
  func aSourceThatIsNotThereIsRefused(kind: PulseServer.Kind) throws {
    let server = try PulseServer(kind, hasRoom: true, hearsLoudspeaker: false)
    let result = try Program.vadmon(
      Self.arguments + [
        "--device", server.roomMicrophone, "--reference", "pulse:DEVICE=nothing.monitor",
      ], environment: try VirtualDriver.environment.merging(server.environment) { $1 })
    #expect(result.status == 69)
    expectMessage(result.errors, "pulse:DEVICE=nothing.monitor")
  }

  // MARK: Devices that begin together

  /// How much later than the loudspeaker plays it the microphone hears the far end, ms.
  private static let delay = 120

  /// Returns what `vadmon live` reports within `seconds`, beside a far end that the microphone hears `delay` ms later.
  private func run(
    seconds: Int, delay: Int = delay, gain: Float = 0.3, isOpposite: Bool = false,
    settings: String = ""
  ) throws -> RunningProgram {
    let folder = TemporaryFolder()
    let far = try TelephoneSpeech.samples(rate: 16_000)
    let heard = far.indices.map { gain * far[($0 - 16 * delay + far.count) % far.count] }
    let both = TestAudio.pcm16(far, far.map { isOpposite ? -$0 : $0 })
    let files = [("mic", TestAudio.wav(heard), 1), ("far", TestAudio.wav(both, channels: 2), 2)]
    let devices = try files.map { name, file, channels in
      let path = try folder.write(file, to: name)
      return try TestDevice("keep\nloop \(path)\nchannels \(channels)\n\(settings)")
    }
    let now = monotonicTime()
    for device in devices { try device.begin(at: now, rate: 16_000) }
    let program = try RunningProgram(
      command: Self.arguments + [
        "--device", devices[0].name, "--reference", devices[1].name, "--duration", "\(seconds)s",
      ], environment: try VirtualDriver.environment)
    #expect(program.wait() == 0)
    return program
  }

  private func notices(_ program: RunningProgram) throws -> Int {
    try values("muted_speech", "speaking", program).count { $0 == "1" }
  }

  /// Also on a busy machine: `LOOPS=15 Scripts/under-load.sh`.
  @Test(.tags(.slow)) func theDelayIsThatOfCapture() throws {
    let program = try run(seconds: 20)
    #expect(try notices(program) == 0)
    let delays = try program.records.compactMap { record -> Int? in
      guard let echo = record["echo"] as? JSONObject, let time = record["time"] as? Double,
        time > 5,
        let fit = echo["fit"] as? Double, fit > 0.5
      else { return nil }
      return echo["delay_ms"] as? Int
    }
    #expect(delays.count > 20 && delays.allSatisfy { abs($0 - Self.delay) <= 20 }, "\(delays)")
    #expect(try values("reference", "health", program).allSatisfy { $0 != "untimed" })
  }

  /// Two loudspeakers in opposite phase, of which the mean would be silence.
  @Test(.tags(.slow)) func oppositePhasesDoNotCancel() throws {
    #expect(try notices(run(seconds: 12, isOpposite: true)) == 0)
  }

  /// A microphone under another name.
  @Test(.tags(.slow), arguments: [0, 10]) func aCopyIsNamed(delay: Int) throws {
    let program = try run(seconds: 6, delay: delay, gain: 1)
    #expect(try values("reference", "health", program) == ["copy"])
    #expect(try program.errors.contains("the microphone is a copy of the reference"))
  }

  @Test(.tags(.slow)) func timesThatAreNotKnownAreNamed() throws {
    let program = try run(seconds: 3, settings: "no-delay\n")
    #expect(try values("reference", "health", program) == ["untimed"])
  }
}
