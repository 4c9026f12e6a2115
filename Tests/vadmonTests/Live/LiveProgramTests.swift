import Foundation
import RealTime
import TestSupport
import Testing
import VirtualDevice
import VirtualDeviceSupport

/// `vadmon live` as other programs use it.
@Suite struct LiveProgramTests {
  private let folder = TemporaryFolder()

  private func live(
    _ arguments: String..., input: Data = Data(), environment: [String: String] = [:]
  ) throws -> Program.Result {
    try Program.vadmon(["live"] + arguments, input: input, environment: environment)
  }

  private func times(_ type: String, _ records: [JSONObject]) -> [Int] {
    records.ofType(type).map {
      Int((($0["time"] as! NSNumber).doubleValue * 1000).rounded())
    }
  }

  private func utterances() throws -> String {
    try folder.write(TestAudio.wav(TestAudio.utterance() + TestAudio.utterance()), to: "talk.wav")
  }

  /// The summary is written, as after Ctrl-C.
  @Test(arguments: [SIGTERM, SIGHUP]) func aSignalIsAnOrderlyEnd(signal: Int32) throws {
    let program = try RunningProgram(
      command: ["live", "--json", "--input", TestAudio.samples + "/speech.flac"])
    try program.waitUntil { try program.output.contains(#""type": "onset""#) }
    program.send(signal)
    #expect(program.wait() == -signal)
    let records = try program.records
    #expect(records.last?.type == "file")
    #expect(times("offset", records).count == times("onset", records).count)
  }

  @Test func nohupKeepsListening() throws {
    let program = try RunningProgram(
      command: ["live", "-", "--json"], signals: "--ignore-signal=HUP")
    try program.waitUntilInterruptible()
    program.send(SIGHUP)
    try program.write(TestAudio.utterance())
    try program.closeInput()
    #expect(program.wait() == 0)
    #expect(try program.output.contains(#""type": "onset""#))
  }

  @Test func problemsOfTheSoundAreReported() throws {
    let notNumbers = [Float](repeating: .nan, count: 1600).withUnsafeBytes { Data($0) } + Data([0])
    let result = try live("-", "--sample-format", "f32le", input: notNumbers)
    #expect(result.status == 0)
    #expect(result.errors.contains("1600 samples are not numbers"))
    #expect(result.errors.contains("incomplete frame"))
  }

  // MARK: The user's own level

  /// The last record has what was learned, and another run with it knows a television 25 dB below from the start.
  @Test func theLearnedLevelServesTheNextRun() throws {
    let talk = try live("-", "--json", input: TestAudio.pcm16(TestAudio.voice(seconds: 9)))
    let last = try #require(try talk.records.last)
    #expect(try #require(last["speaker_learned_ms"] as? Int) >= 3000)
    let level = try #require(last["speaker_level_dbfs"] as? Double)
    #expect((-40 ... -5).contains(level))
    let television = TestAudio.pcm16(
      TestAudio.silence(seconds: 1) + TestAudio.voice(seconds: 4).map { $0 * 0.056 })
    let unaware = try live("-", "--json", "--muted", input: television)
    #expect(unaware.output.contains(#""speaking": true"#))
    let unawareLast = try #require(try unaware.records.last)
    #expect(unawareLast["speaker_level_dbfs"] is NSNull)
    #expect(unawareLast["speaker_learned_ms"] as? Int == 0)
    let aware = try live(
      "-", "--json", "--muted", "--speaker-level", "\(level)", input: television)
    #expect(aware.output.contains(#""type": "onset""#))
    #expect(!aware.output.contains(#""speaking": true"#))
    #expect(try aware.records.last?["speaker_level_dbfs"] as? Double == level)
  }

  // MARK: Records

  /// `analyze --live` finds the same in a file; only the order of arrival differs.
  @Test(.tags(.slow)) func eventsAreThoseOfAnalyze() throws {
    let file = try utterances()
    let live = try live("--input", file, "--json")
    #expect(live.status == 0)
    let records = try live.records
    let offline = try Program.analyze(file, "--live", "--format", "jsonl").records
    let segments = offline.ofType("segment")
    func milliseconds(_ name: String) -> [Int] {
      segments.map { Int((($0[name] as! NSNumber).doubleValue * 1000).rounded()) }
    }
    #expect(segments.count == 2)
    #expect(times("onset", records) == milliseconds("start"))
    #expect(times("offset", records) == milliseconds("end"))
    let (last, lastOffline) = (try #require(records.last), try #require(offline.last))
    for name in ["type", "file", "duration", "speech_seconds", "segment_count", "sample_rate"] {
      #expect(last[name] as? NSObject == lastOffline[name] as? NSObject, "\(name)")
    }
  }

  @Test func theFirstRecordSaysWhatDecidesAndWhatIsHeard() throws {
    let file = try utterances()
    let live = try live(
      "--input", file, "--json", "--muted", "--preset", "notice", "--duration", "100ms")
    let first = try #require(try live.records.first)
    #expect(first["type"] as? String == "config")
    #expect(first["schema_version"] as? Int == 2)
    #expect(first["lookahead_ms"] as? Int == 30)
    let config = try first.object("config")
    #expect(config["preset"] as? String == "notice")
    #expect(config["onset_threshold"] as? Double == 0.9)
    #expect(config["muted"] as? Bool == true)
    let input = try first.object("input")
    #expect(input["kind"] as? String == "file")
    #expect(input["name"] as? String == file)
    #expect(input["sample_rate"] as? Int == 16_000)
    #expect(input["channels"] as? Int == 1)
  }

  /// The time is in RFC 3339, between the clock's readings before and after.
  @Test func theFirstRecordSaysWhenListeningBegan() throws {
    let before = Date()
    let live = try live("--input", try utterances(), "--json", "--duration", "100ms")
    let time = try startedAt(try live.records)
    #expect(time > before - 0.001 && time < Date())
  }

  /// A sound server delivers its first sound late. `started_at` and the record that corrects it give the time of that
  /// sound.
  @Test(.tags(.slow)) func aLateBeginningIsARecord() throws {
    let device = try TestDevice("at 0 idle 32000\n")
    let live = try live(
      "--device", device.name, "--rate", "16000", "--json", "--duration", "6s", "--buffer", "4s",
      environment: try VirtualDriver.environment)
    let end = Date()
    let records = try live.records
    let clocks = records.ofType("clock")
    let clock = try #require(clocks.first)
    #expect(clocks.count == 1 && clock["time"] as? Double == 0)
    #expect((clock["message"] as? String)?.contains("after listening began") == true)
    let said =
      try startedAt(records) + (try #require(clock["wall_clock"] as? Double))
    // Frame 32,000 of the device, whose time base is another clock.
    let sinceStart = Double(monotonicTime() - device.state.start_ns) / 1e9
    let made = Date() - sinceStart + 2
    #expect(said > made - 0.1, "no frame comes before it was made")
    let duration = try #require(records.last?["duration"] as? Double)
    #expect(said + duration < end + 0.1, "nor is a frame heard later than at the end")
  }

  private func startedAt(_ records: [JSONObject]) throws -> Date {
    let text = try #require(records.first?["started_at"] as? String)
    #expect(text.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/#) != nil)
    let format = ISO8601DateFormatter()
    format.formatOptions.insert(.withFractionalSeconds)
    return try #require(format.date(from: text))
  }

  @Test func signalsMuteAndUnmute() throws {
    let file = try folder.write(TestAudio.wav(TestAudio.silence(seconds: 600)), to: "long.wav")
    let program = try RunningProgram(command: ["live", "--json", "-q", "--input", file])
    try program.waitUntil { try program.output.contains(#""type": "config""#) }
    program.send(SIGUSR1)
    try program.waitUntil { try program.output.contains(#""muted": true}"#) }
    // The program is already muted.
    program.send(SIGUSR1)
    program.send(SIGUSR2)
    try program.waitUntil { try program.output.contains(#""muted": false}"#) }
    program.interrupt()
    #expect(program.wait() == -SIGINT)
    let mutes = try program.records.ofType("mute")
    #expect(mutes.map { $0["muted"] as? Bool } == [true, false])
  }

  @Test(.tags(.slow)) func speechWhileMutedIsReported() throws {
    let live = try live("--input", try utterances(), "--json", "--muted")
    let spoken = try live.records.ofType("muted_speech")
    #expect(spoken.map { $0["speaking"] as? Bool } == [true, false, true, false])
  }

  @Test func levelsComeAsOftenAsAsked() throws {
    let live = try live(
      "--input", try utterances(), "--json", "--levels", "10", "--duration", "2s")
    let levels = try live.records.ofType("level")
    // On a busy machine there are fewer, or the two seconds last a little longer.
    #expect((1...25).contains(levels.count))
    let times = times("level", levels)
    #expect(times == times.sorted() && Set(times).count == times.count)
    for level in levels {
      let posterior = try #require(level["probability"] as? Double)
      #expect((0...1).contains(posterior))
      #expect((-127...12).contains(try #require(level["level_dbfs"] as? Double)))
      #expect(
        ["silence", "pending_onset", "speech", "hangover"].contains(level["state"] as? String))
    }
  }

  @Test(.tags(.slow)) func peopleGetLinesOfText() throws {
    let live = try live("--input", try utterances())
    #expect(live.status == 0)
    let onsets = live.lines.filter { $0.wholeMatch(of: #/\d+:\d\d\.\d\d\d  onset/#) != nil }
    #expect(onsets.count == 2)
    #expect(!live.output.contains("\u{1B}"))
    #expect(live.errors.hasSuffix(" of speech in 2 segments\n"))
    #expect(try self.live("--input", try utterances(), "--quiet").errors.isEmpty)
  }

  @Test func rawPCMFromStandardInput() throws {
    let pcm = TestAudio.pcm16(TestAudio.utterance(rate: 8000))
    let live = try live("-", "--rate", "8000", "--json", input: pcm)
    let records = try live.records
    #expect(times("onset", records).count == 1)
    #expect(records.last?["duration"] as? Double == 3.5)
    #expect(records.last?["file"] as? String == "-")
  }

  /// Directly from the encoder if the format allows, from a copy, and by ffmpeg.
  @Test(
    arguments: [
      ("WAV (Microsoft)", "cat a.wav"), ("WAV (Microsoft)", "ffmpeg -v error -i a.wav -f wav -"),
      ("RF64", "ffmpeg -v error -i a.wav -f wav -rf64 always -"),
      ("W64", "sox a.wav -t w64 -"), ("FLAC", "flac -s -c a.wav"), ("OGG", "oggenc -Q -o - a.wav"),
      ("WMA", "ffmpeg -v error -i a.wav -f asf -"),
    ])
  func recordingsOnStandardInput(format: String, command: String) throws {
    try folder.write(TestAudio.wav(TestAudio.utterance()), to: "a.wav")
    let result = try Program.shell(
      #"\#(command) < /dev/null | "$vadmon" live - --json"#, in: folder)
    #expect(result.status == 0, "\(result.errors)")
    let records = try result.records
    #expect(times("onset", records).count == 1)
    let input = try #require(records.first?["input"] as? JSONObject)
    #expect(input["kind"] as? String == "stdin")
    #expect(input["sample_rate"] as? Int == 16_000)
    let name = try #require(input["format"] as? String)
    #expect(name.hasPrefix(format), "\(name)")
  }

  @Test func aSampleFormatMakesEverythingRaw() throws {
    let wav = TestAudio.wav(TestAudio.utterance())
    let live = try live("-", "--sample-format", "s16le", "--json", input: wav)
    let input = try #require(try live.records.first?["input"] as? JSONObject)
    #expect(input["format"] as? String == "raw PCM, s16le")
  }

  @Test(arguments: [[], ["--sample-format", "s16le"]]) func emptyStandardInputIsReported(
    flags: [String]
  )
    throws
  {
    let result = try Program.vadmon(["live", "-", "--quiet"] + flags)
    #expect(result.status == 65)
    expectMessage(result.errors, "standard input", "empty")
  }

  @Test func aRateThatHasNoEffectIsAWarning() throws {
    let wav = TestAudio.wav(TestAudio.utterance())
    let piped = try live("-", "--rate", "8000", "--json", input: wav)
    #expect(piped.status == 0)
    #expect(
      piped.errors.contains("warning: --rate 8000 is for raw PCM and has no effect: this is WAV"))
    let file = try folder.write(wav, to: "a.wav")
    let named = try live(
      "--input", file, "--rate", "8000", "--channels", "2", "--duration", "100ms")
    #expect(named.status == 0)
    #expect(
      named.errors.contains(
        "warning: --rate 8000 and --channels 2 are for raw PCM and have no effect"))
    #expect(try live("-", "--rate", "8000", "-q", input: wav).errors.isEmpty)
  }

  // MARK: Ends

  @Test func anInterruptEndsItInOrder() throws {
    let file = try folder.write(TestAudio.wav(TestAudio.voice(seconds: 60)), to: "long.wav")
    let program = try RunningProgram(command: ["live", "--input", file, "--json"])
    try program.waitUntil { try program.output.contains("\"onset\"") }
    program.interrupt()
    #expect(program.wait() == -SIGINT)
    let types = try program.records.map(\.type)
    #expect(types.filter { $0 != "health" } == ["config", "onset", "offset", "file"])
    #expect(try program.errors.contains(" of speech in 1 segment"))
  }

  @Test func aReaderThatGoesAwayEndsItQuietly() throws {
    let file = try folder.write(TestAudio.wav(TestAudio.silence(seconds: 60)), to: "long.wav")
    let pipe = Pipe()
    let program = try RunningProgram(command: ["live", "--input", file, "--json"], output: pipe)
    try program.waitUntilInterruptible()
    // vadmon must notice this without writing anything.
    try pipe.fileHandleForReading.close()
    try pipe.fileHandleForWriting.close()
    #expect(program.wait() == 141)
    #expect(try program.errors.isEmpty)
  }

  @Test func anUnusableInputIsOneSentenceAndOneRecord() throws {
    let missing = try live("--input", folder / "no.wav", "--json")
    #expect(missing.status == 66)
    #expect(missing.errors.hasPrefix("vadmon: cannot open "))
    let error = try #require(try missing.records.first)
    #expect(error["type"] as? String == "error" && error["exit_code"] as? Int == 66)
    let text = try folder.write("not a sound", to: "text.wav")
    #expect(try live("--input", text).status == 65)
    let device = try live("--device", "nonesuch", environment: try VirtualDriver.environment)
    #expect(device.status == 69)
    #expect(
      device.errors == """
        vadmon: cannot capture from nonesuch: there is no such device; choose one that vadmon devices lists, \
        or play a recording: --input FILE

        """)
    #expect(device.output.isEmpty)
  }

  // MARK: Devices

  private func device(_ description: String, _ arguments: String...) throws -> [JSONObject] {
    let device = try TestDevice(description)
    let live = try Program.vadmon(
      ["live", "--device", device.name, "--json"] + arguments,
      environment: try VirtualDriver.environment)
    #expect(live.status == 0)
    #expect(!live.errors.contains("warning"), "\(live.errors)")
    return try live.records
  }

  @Test func theDeviceIsReportedWithItsSettings() throws {
    let device = try TestDevice("rate 44100\nchannels 2\nformat S32_LE\n")
    let program = try RunningProgram(
      command: ["live", "--device", device.name, "--json", "--buffer", "4s"],
      environment: try VirtualDriver.environment)
    try program.waitUntil { try program.output.contains("config") }
    program.interrupt()
    #expect(program.wait() == -SIGINT)
    let input = try #require(try program.records.first?["input"] as? JSONObject)
    #expect(input["kind"] as? String == "device")
    #expect(input["sample_rate"] as? Int == 44_100)
    #expect(input["channels"] as? Int == 2)
    #expect(input["format"] as? String == "S32_LE")
    #expect(input["period_ms"] as? Int == 10)
  }

  /// 300 ms are lost while the device is away, and nothing else.
  @Test func aDeviceThatGoesAndReturnsIsReported() throws {
    let speech = TestAudio.samples + "/speech.flac"
    let records = try device(
      "rate 16000\nsound \(speech)\nat 16000 gone 16000\n", "--duration", "4s", "--buffer", "4s",
      "--rate", "16000")
    let changes = records.ofType("device")
    #expect(changes.map { $0["state"] as? String } == ["waiting_for_device", "capturing"])
    expectMessage(changes[0]["message"] as? String ?? "", "device", "gone")
    expectMessage(changes[1]["message"] as? String ?? "", "device", "back")
    let gaps = records.ofType("gap")
    #expect(gaps.count == 1)
    #expect(gaps[0]["time"] as? Double == 1)
    let lost = try #require(gaps[0]["length"] as? Double)
    #expect(lost >= 1, "the device was away for a second; it was found back a little later")
    #expect(records.last?["lost_seconds"] as? Double == lost)
    #expect(records.last?["gap_count"] as? Int == 1)
  }
}
