import Foundation
import TestSupport
import Testing
import VirtualDeviceSupport
import VoiceMonitor

@testable import vadmon

/// What `vadmon live` says of other inputs while the chosen one is silent.
@Suite struct OtherInputTests {
  private static let speech = TestAudio.samples + "/speech.flac"

  private func records(_ program: RunningProgram, _ type: String) throws -> [JSONObject] {
    try program.records.ofType(type)
  }

  // MARK: When to look

  /// A search by hand, whose clock counts from 0 s.
  private final class Search {
    private static let start = ContinuousClock.now
    private var search = OtherInputSearch()

    var next: Double? { search.next.map { ($0 - Self.start) / .seconds(1) } }
    var found: OtherInput? { search.found }

    private func at(_ seconds: Double) -> Ticker.Instant { Self.start + .seconds(seconds) }
    func note(_ health: SignalHealth, _ seconds: Double) { search.note(health, at: at(seconds)) }
    func begins(_ seconds: Double) -> Bool { search.beginIfDue(at: at(seconds)) }
    func end(_ result: OtherInput?, _ seconds: Double) -> OtherInput? {
      search.end(result, at: at(seconds))
    }
  }

  /// The oracle is the silence of 10, 20 and 40 s, of which the health has waited for 2, 5 or 10 s.
  @Test(arguments: [
    (SignalHealth.starting, SignalHealth.digitalSilence, 2.0), (.good, .digitalSilence, 2),
    (.starting, .deadLine, 10), (.good, .deadLine, 5),
  ])
  func looksComeAfterLongerAndLongerSilence(
    before: SignalHealth, health: SignalHealth, since: Double
  ) {
    let search = Search()
    search.note(before, 0)
    #expect(search.next == nil)
    search.note(health, 100)
    #expect(search.next == 110 - since)
    #expect(!search.begins(109.9 - since))
    #expect(search.begins(110 - since))
    #expect(search.next == nil && !search.begins(200))
    #expect(search.end(nil, 112) == nil)
    #expect(search.next == 132)
    #expect(search.begins(132))
    #expect(search.end(nil, 134) == nil)
    // The sound between a gate's pauses does not shorten the next.
    search.note(.good, 140)
    search.note(.digitalSilence, 200)
    #expect(search.next == 238)
  }

  @Test(arguments: [SignalHealth.starting, .good, .clipping, .noData, .cancelling])
  func nothingElseIsSilence(health: SignalHealth) {
    let search = Search()
    search.note(health, 0)
    #expect(search.next == nil)
    search.note(.digitalSilence, 1)
    search.note(health, 2)
    #expect(search.next == nil && !search.begins(100))
  }

  @Test func aFindIsNewsOnce() {
    let search = Search()
    let (one, other) = (OtherInput(device: "one"), OtherInput(device: "other"))
    search.note(.digitalSilence, 0)
    for (seconds, result, news) in [
      (10.0, one, one), (40, one, nil), (90, nil, nil), (200, one, nil), (400, other, other),
    ] as [(Double, OtherInput?, OtherInput?)] {
      #expect(search.begins(seconds))
      #expect(search.end(result, seconds) == news)
      #expect(search.found == news ?? one)
    }
    search.note(.good, 500)
    #expect(search.found == nil)
  }

  /// The silence ended during the look, and perhaps began again.
  @Test(arguments: [false, true]) func aLookThatTheSilenceDidNotOutlastFindsNothing(again: Bool) {
    let search = Search()
    search.note(.digitalSilence, 0)
    #expect(search.begins(10))
    search.note(.good, 10.2)
    if again { search.note(.digitalSilence, 10.5) }
    #expect(search.end(OtherInput(device: "one"), 11) == nil)
    #expect(search.found == nil && (search.next != nil) == again)
  }

  @Test func namesThatAShellWouldChangeAreQuoted() {
    for (device, title, end) in [
      ("hw:CARD=USB,DEV=0", "", "use --device hw:CARD=USB,DEV=0."),
      ("pulse:DEVICE='a,b'", "Desk", "use --device \"pulse:DEVICE='a,b'\" (Desk)."),
    ] {
      #expect(OtherInput(device: device, title: title).sentence.hasSuffix(end))
    }
  }

  // MARK: Devices of ALSA

  /// What `default` is.
  private struct World {
    let folder = TemporaryFolder()
    let environment: [String: String]
    let silent: TestDevice

    /// Where FOLDER stands for it, a folder has zeros.wav, and hiss.wav, white noise of −60 dBFS.
    init(_ other: String) throws {
      var random = SeededGenerator(seed: 7)
      let noise = (0..<48_000).map { _ in 0.001_73 * Float.random(in: -1...1, using: &random) }
      _ = try folder.write(TestAudio.wav(noise), to: "hiss.wav")
      let zeros = try folder.write(
        TestAudio.wav([Float](repeating: 0, count: 16_000)), to: "zeros.wav")
      silent = try TestDevice("loop \(zeros)\n")
      let device = try folder.write(other.replacing("FOLDER", with: folder / "."), to: "other")
      let configuration = try folder.write(
        """
        \(VirtualDriver.configurationLine)
        pcm.virtual { @args [ FILE ] @args.FILE { type string } type virtual file $FILE }
        pcm.!default { type virtual file "\(device)" }
        """, to: "asound.conf")
      environment = [
        "ALSA_CONFIG_PATH": configuration, "XDG_RUNTIME_DIR": folder / "", "HOME": folder / "",
      ]
    }

    func listen(_ options: String...) throws -> RunningProgram {
      try RunningProgram(
        command: ["live", "--device", silent.name, "--rate", "16000"] + options,
        environment: environment)
    }
  }

  /// Returns the state of the other device, once it was looked at.
  private func wait(_ world: World, _ program: RunningProgram) throws {
    let state = URL(filePath: world.folder / "other.state")
    try program.waitUntil {
      let bytes = (try? Data(contentsOf: state)) ?? Data()
      return bytes.contains { $0 != 0 }
    }
  }

  @Test(.tags(.slow)) func anInputWithSoundIsNamedOnce() throws {
    let world = try World("rate 48000\nloop \(Self.speech)\n")
    let program = try world.listen("--json")
    try program.waitUntil { try !records(program, "other_input").isEmpty }
    let record = try #require(try records(program, "other_input").first)
    #expect(record["device"] as? String == "default" && record["title"] as? String == "")
    expectMessage(record["message"] as? String ?? "", "silent", "--device default")
    #expect(try #require(record["time"] as? Double) >= 9.5)
    program.interrupt()
    #expect(program.wait() == -SIGINT)
    #expect(try records(program, "other_input").count == 1)
  }

  /// Silence, the hiss of an open plug, a program that uses it, no device at all, and one that goes meanwhile: none has
  /// sound, and nothing is said of it. All are tried at once, because each takes 16 s.
  @Test(.tags(.slow)) func anInputWithoutSoundIsNotNamed() throws {
    let runs = try [
      "loop FOLDER/zeros.wav", "loop FOLDER/hiss.wav", "refuse EBUSY", "refuse ENODEV",
      "loop \(Self.speech)\nat 4800 gone 1600000",
    ].map { other in
      let world = try World("\(other)\n")
      return (other, world, try world.listen("--json", "--duration", "16s"))
    }
    for (other, world, program) in runs {
      try wait(world, program)
      #expect(program.wait() == 0, "\(other)")
      #expect(try records(program, "other_input").isEmpty, "\(other)")
      let health = try records(program, "health").last?["health"] as? String
      #expect(health == "digital_silence", "\(other)")
      #expect(try program.errors.split(separator: "\n").count == 1, "\(other)")
    }
  }

  @Test(.tags(.slow)) func quietLeavesOtherInputsAlone() throws {
    let world = try World("rate 48000\nloop \(Self.speech)\n")
    let program = try world.listen("--json", "--quiet", "--duration", "15s")
    #expect(program.wait() == 0)
    #expect(try records(program, "other_input").isEmpty)
    #expect(!FileManager.default.fileExists(atPath: world.folder / "other.state"))
  }

  // MARK: Sound servers

  /// The chosen source is silent. The other one hears the room, though the server does not list it as a monitor. The
  /// server delivers its first sound half a second after it was opened.
  @Test(.tags(.slow)) func aSourceOfTheServerIsNamed() throws {
    let server = try PulseServer(hasRoom: true, hearsLoudspeaker: false)
    let folder = TemporaryFolder()
    let voice = try TelephoneSpeech.samples(rate: 48_000)
    try folder.write(
      TestAudio.wav((0..<30).flatMap { _ in voice }, rate: 48_000), to: "talk.wav")
    try server.pactl(
      "load-module module-remap-source source_name=desk master=\(server.roomSource)")
    try server.pactl(
      "load-module module-remap-source source_name=quiet master=\(PulseServer.sink).monitor")
    let program = try RunningProgram(
      command: [
        "live", "--json", "--device", "pulse:\(server.address),quiet", "--duration", "60s",
      ],
      environment: try VirtualDriver.environment.merging(server.environment) { $1 })
    try server.play(folder / "talk.wav", intoRoom: true, waits: false)
    try program.waitUntil { try !records(program, "other_input").isEmpty }
    #expect(
      try records(program, "other_input").first?["device"] as? String == "pulse:DEVICE=desk")
    program.interrupt()
    #expect(program.wait() == -SIGINT)
  }

  /// The loudspeaker's monitor has sound, and so has a headset, which must not be woken.
  @Test(.tags(.slow)) func monitorsAndHeadsetsAreNoOtherInputs() throws {
    let server = try PulseServer(hasRoom: true, hearsLoudspeaker: false)
    try server.pactl(
      "load-module module-remap-source source_name=bluez_input.1 master=loudspeaker.monitor")
    let program = try RunningProgram(
      command: ["live", "--json", "--device", server.roomMicrophone, "--duration", "15s"],
      environment: try VirtualDriver.environment.merging(server.environment) { $1 })
    let voice = try TelephoneSpeech.samples(rate: 48_000).map { Int16($0 * 32_000) }
    try server.loop(voice)
    #expect(program.wait() == 0)
    #expect(try records(program, "other_input").isEmpty)
    #expect(try records(program, "health").last?["health"] as? String == "digital_silence")
  }
}
