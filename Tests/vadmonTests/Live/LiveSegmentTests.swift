import Foundation
import TestSupport
import Testing
import VirtualDevice
import VirtualDeviceSupport

/// `vadmon live --save-segments`: a file for each utterance, sample for sample. ffmpeg reads them.
@Suite struct LiveSegmentTests {
  private let folder = TemporaryFolder()
  private let out: String

  init() throws {
    out = folder / "out"
  }

  private struct Saved {
    var range: Range<Int>
    var file: String
  }

  private func live(_ arguments: String..., input: Data = Data()) throws -> Program.Result {
    try Program.vadmon(["live", "--save-segments", out, "--json"] + arguments, input: input)
  }

  /// Returns the segments that the records report, in samples.
  private func saved(_ text: String, rate: Int = 16_000) throws -> [Saved] {
    try segments(text).map { record in
      let (start, end) = (
        try #require(record["start_sample"] as? Int), try #require(record["end_sample"] as? Int)
      )
      for (name, sample) in [("start", start), ("end", end)] {
        let time = try #require(record[name] as? Double)
        #expect(abs(time * Double(rate) - Double(sample)) <= 0.0006 * Double(rate))
      }
      return Saved(range: start..<end, file: try #require(record["saved"] as? String))
    }
  }

  private func segments(_ text: String) throws -> [JSONObject] {
    try text.jsonLines.ofType("segment")
  }

  /// Two utterances, with the second of silence between them in which a file is completed.
  private static let talk = TestAudio.utterance() + TestAudio.utterance()

  /// The oracle is the recording itself; `analyze --live` has the same segments. More comes through the pipe at once
  /// than the ring to the disk holds.
  @Test(arguments: ["wav", "flac"]) func aPipeIsSavedSampleForSample(format: String) throws {
    let talk = (0..<6).flatMap { _ in Self.talk }
    let result = try live(
      "-", "--sample-format", "s16le", "--segment-format", format, input: TestAudio.pcm16(talk))
    #expect(result.status == 0, "\(result.errors)")
    let saved = try saved(result.output)
    #expect(saved.count == 12)
    let recording = try folder.write(TestAudio.wav(talk), to: "talk.wav")
    let original = try CutRecording.decode(recording)
    for segment in saved {
      #expect(try CutRecording.decode(segment.file) == Array(original[segment.range]))
    }
    let offline = try Program.analyze(recording, "--live", "--pad", "300ms", "--format", "jsonl")
    let found = try segments(offline.output)
    for name in ["start", "end", "start_sample", "end_sample"] {
      #expect(
        try segments(result.output).map { $0[name] as? Double }
          == found.map { $0[name] as? Double })
    }
    for segment in try segments(result.output) {
      let (time, decided) = (segment["time"] as? Double, segment["decided_at"] as? Double)
      #expect(time == segment["end"] as? Double)
      #expect(try #require(decided) >= #require(time), "it was padded, and saved after that")
    }
  }

  /// The files are named after the recording, and begin 300 ms before the speech unless told otherwise.
  @Test(.tags(.slow)) func aFileIsPlayedAndCutWithPreRoll() throws {
    let file = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "my talk.wav")
    let result = try live("--input", file)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("vadmon: saving segments to \(out)\n"))
    let segment = try #require(try saved(result.output).first)
    #expect(segment.file == out + "/my talk-0001.wav")
    let onset = try #require(result.output.firstMatch(of: #/"onset", "time": ([0-9.]+)/#)?.output.1)
    #expect(segment.range.lowerBound == Int(Double(onset)! * 16_000) - 4800)
    #expect(
      try CutRecording.decode(segment.file)
        == Array(try CutRecording.decode(file)[segment.range]))
  }

  @Test func theStartOfTheSessionNamesTheFiles() throws {
    let result = try live("-", input: TestAudio.pcm16(TestAudio.utterance()))
    let start = try #require(
      result.output.firstMatch(of: #/"started_at": "([^"]+)\.\d{3}Z"/#)?.output.1)
    #expect(
      try saved(result.output).map(\.file) == ["\(out)/\(start.replacing(":", with: ""))Z-0001.wav"]
    )
  }

  /// The events of `live` are not joined, as the files are over short pauses.
  @Test func theFilesAreCounted() throws {
    let result = try Program.vadmon(
      "live", "-", "--json", "--save-segments", out, "--min-silence", "10s",
      input: TestAudio.pcm16(Self.talk))
    #expect(result.status == 0)
    let onsets = result.lines.count { $0.hasPrefix("{\"type\": \"onset\"") }
    #expect(try onsets > 1 && folder.names(in: "out").count == 1)
    #expect(result.output.contains("\"segment_count\": \(onsets), "))
    #expect(result.output.contains("\"saved_count\": 1"))
    #expect(result.errors.contains("of speech in \(onsets) segments, saved to 1 file\n"))
  }

  /// The mean of two 16-bit samples is no 16-bit sample.
  @Test func theMeanOfSeveralChannelsIsKeptAsFloats() throws {
    let (left, right) = (TestAudio.utterance(), TestAudio.utterance().map { $0 / 4 })
    let mixed = try live(
      "-", "--channels", "2", "--sample-format", "s16le", input: TestAudio.pcm16(left, right))
    let segment = try #require(try saved(mixed.output).first)
    let expected = segment.range.map { index in
      func integer(_ sample: Float) -> Float { (sample * 32768).rounded() / 32768 }
      return ((integer(left[index]) + integer(right[index])) / 2).bitPattern
    }
    #expect(try CutRecording.decode(segment.file, as: "f32le") == expected)
    let one = try live(
      "-", "--channels", "2", "--channel", "2", "--sample-format", "s16le", "--segment-name",
      "{stem}-{channel}-{start_ms}", input: TestAudio.pcm16(right, left))
    let other = try #require(try saved(one.output).first)
    #expect(other.file.hasSuffix("-2-\(other.range.lowerBound / 16).wav"))
    #expect(try CutRecording.probe(other.file, "bits_per_sample") == 16)
  }

  @Test func longSpeechIsSplitWithoutASeam() throws {
    let sound = TestAudio.silence(seconds: 1) + TestAudio.voice(seconds: 7)
    let result = try live(
      "-", "--split", "2s", "--pad", "100ms", input: TestAudio.pcm16(sound))
    let saved = try saved(result.output)
    #expect(saved.count >= 4)
    #expect(zip(saved, saved.dropFirst()).allSatisfy { $0.range.upperBound == $1.range.lowerBound })
    let original = try CutRecording.decode(try folder.write(TestAudio.wav(sound), to: "x.wav"))
    #expect(
      try saved.flatMap { try CutRecording.decode($0.file) }
        == Array(original[saved.first!.range.lowerBound..<saved.last!.range.upperBound]))
  }

  /// The device loses 50 ms in the middle of a phrase.
  @Test(.tags(.slow)) func lostSoundIsSilentInTheFile() throws {
    let recording = TestAudio.samples + "/speech.flac"
    let device = try TestDevice("sound \(recording)\nat 24000 overrun 800\n")
    let target = folder / "record.wav"
    let result = try Program.vadmon(
      "live", "--device", device.name, "--rate", "16000", "--buffer", "4s", "--duration", "4s",
      "--record", target, "--save-segments", out, "--json",
      environment: try VirtualDriver.environment)
    #expect(result.status == 0, "\(result.errors)")
    let recorded = try CutRecording.decode(target, as: "f32le")
    #expect(recorded[24_000..<24_800].allSatisfy { $0 == 0 })
    let saved = try saved(result.output)
    #expect(saved.contains { $0.range.contains(24_000) })
    for segment in saved {
      // Times in JSON are whole milliseconds; the end of the stream need not be.
      let sound = try CutRecording.decode(segment.file, as: "f32le")
      #expect(abs(sound.count - segment.range.count) < 16)
      let start = segment.range.lowerBound
      #expect(sound == Array(recorded[start..<start + sound.count]))
    }
  }

  @Test func aProgramIsRunForEachFile() throws {
    let list = folder / "list"
    let result = try live(
      "-", "--on-event-kinds", "segment", "--on-event", "sh", "--on-event-argument=-c",
      "--on-event-argument=test -s \"$VADMON_VALUE\" && echo \"$VADMON_EVENT $VADMON_VALUE\" >> '\(list)'",
      input: TestAudio.pcm16(Self.talk))
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      try folder.text(of: "list") == saved(result.output).map { "segment \($0.file)\n" }.joined())
  }

  // MARK: Failures

  /// A limit on the size of files stands in for a full disk: both are errors of write(2).
  @Test func aFullDiskEndsTheSavingAndNothingElse() throws {
    let pcm = folder / "pcm"
    try folder.write(
      TestAudio.pcm16(TestAudio.silence(seconds: 1) + TestAudio.voice(seconds: 4) + Self.talk),
      to: "pcm")
    // 512 bytes each: 51,200 bytes are 1.6 s.
    let result = try Program.shell(
      "ulimit -f 100; \"$vadmon\" live - --json --save-segments \"$2\" < \"$1\"", pcm, out)
    #expect(result.status == 74)
    let told = result.messages.filter { $0.contains("warning") }
    #expect(told.count == 1)
    #expect(
      told.first?.hasPrefix(
        "vadmon: warning: the saving of segments to \(out) has ended: cannot write \(out)/")
        == true)
    #expect(result.output.contains("\"type\": \"recording\""))
    #expect(result.output.matches(of: #/"onset"/#).count == 3, "it goes on listening")
    #expect(try folder.names(in: "out").isEmpty)
  }

  @Test func nothingIsReplaced() throws {
    try folder.write("mine", to: "out/talk-0.wav")
    let file = try folder.write(TestAudio.wav(Self.talk), to: "talk.wav")
    let result = try live("--input", file, "--segment-name", "{stem}-{start_ms}")
    #expect(result.status == 64)
    #expect(
      result.errors == """
        vadmon: \(out)/talk-0.wav exists already: choose another folder, or a --segment-name with {index}

        """)
    #expect(try folder.text(of: "out/talk-0.wav") == "mine")
  }

  /// Live sound cannot be saved again, so that numbers go on behind those that are in use.
  @Test func nothingIsReplacedLater() throws {
    try folder.write("mine", to: "out/0002.wav")
    let result = try live("-", "--segment-name", "{index}", input: TestAudio.pcm16(Self.talk))
    #expect(result.status == 0)
    #expect(try folder.text(of: "out/0002.wav") == "mine")
    let files = try saved(result.output).map(\.file)
    #expect(files.count > 1 && files.prefix(2) == ["\(out)/0003.wav", "\(out)/0004.wav"])
    #expect(try folder.names(in: "out").count == files.count + 1)
  }

  @Test func whereNothingCanBeSavedNothingIsListenedTo() throws {
    try folder.write("", to: "out")
    let result = try live("-", input: TestAudio.pcm16(Self.talk))
    #expect(result.status == 74)
    #expect(result.errors.hasPrefix("vadmon: cannot make the folder \(out): "))
    #expect(result.messages.count == 1)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func aSignalSavesWhatWasSaid(signal: Int32) throws {
    let program = try RunningProgram(command: ["live", "-", "--json", "--save-segments", out])
    try program.write(TestAudio.silence(seconds: 1) + TestAudio.voice(seconds: 2))
    try program.waitUntil { try program.output.contains(#""type": "onset""#) }
    program.send(signal)
    #expect(program.wait() == -signal)
    let saved = try saved(try program.output)
    #expect(saved.count == 1)
    #expect(try folder.names(in: "out").count == 1)
    let length = try CutRecording.decode(try #require(saved.first).file).count
    #expect(length == saved[0].range.count)
  }

  /// The reader of the events goes away, as in `vadmon live --json | head -2`, while somebody speaks.
  @Test func aReaderThatGoesAwayLosesNothingThatWasSaid() throws {
    let pipe = Pipe()
    let target = folder / "record.wav"
    let program = try RunningProgram(
      command: ["live", "-", "--json", "--save-segments", out, "--record", target], output: pipe)
    try pipe.fileHandleForWriting.close()
    try program.write(TestAudio.silence(seconds: 1) + TestAudio.voice(seconds: 2))
    var text = ""
    while !text.contains(#""type": "onset""#) {
      let data = pipe.fileHandleForReading.availableData
      try #require(!data.isEmpty, "vadmon has ended before the speech")
      text += String(decoding: data, as: UTF8.self)
    }
    try program.waitUntil { program.hasReadAllInput }
    try pipe.fileHandleForReading.close()
    #expect(program.wait() == 141)
    let names = try folder.names(in: "out")
    #expect(names.count == 1 && names.allSatisfy { $0.hasSuffix("-0001.wav") })
    let recorded = try CutRecording.decode(target, as: "f32le").count
    let saved = try CutRecording.decode("\(out)/\(names[0])", as: "f32le").count
    #expect(recorded > 40_000 && saved > recorded - 16_000 && saved <= recorded)
  }

  /// The terminal is closed while somebody speaks; the shell in it has no time to send SIGHUP, or sends it, too.
  @Test(arguments: [false, true]) func aClosedTerminalLosesNothingThatWasSaid(hasShell: Bool) throws
  {
    let sound = try folder.write(
      TestAudio.wav(TestAudio.silence(seconds: 0.5) + TestAudio.voice(seconds: 60)), to: "x.wav")
    let target = folder / "record.wav"
    let result = try Program.python(
      Self.closingTheTerminal, hasShell ? "shell" : "", Program.path, "live", "--line", "--input",
      sound, "--save-segments", out, "--record", target, environment: ["TERM": "xterm"])
    #expect(result.output == "\(-SIGHUP)\n", "\(result.errors)")
    #expect(try folder.names(in: "out") == ["x-0001.wav"])
    let recorded = try CutRecording.decode(target, as: "f32le").count
    let saved = try CutRecording.decode("\(out)/x-0001.wav", as: "f32le").count
    #expect(recorded > 8000 && saved > recorded - 8000 && saved <= recorded)
  }

  /// Runs a command on a terminal, which closes when the command has shown speech, and prints the command's end.
  private static let closingTheTerminal = """
    import os, pty, signal, sys
    report, reported = os.pipe()
    keeper, terminal = pty.fork()
    if keeper == 0:
        # In the place of a shell: it leads the session, and waits for a job in the foreground.
        job = os.fork()
        if job == 0:
            os.setpgid(0, 0)
            for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM): signal.signal(number, signal.SIG_DFL)
            signal.signal(signal.SIGTTOU, signal.SIG_IGN)
            os.tcsetpgrp(0, os.getpid())
            signal.signal(signal.SIGTTOU, signal.SIG_DFL)
            os.execv(sys.argv[2], sys.argv[2:])
        signal.signal(signal.SIGHUP, (lambda *_: os.kill(job, signal.SIGHUP)) if sys.argv[1] else signal.SIG_IGN)
        status = os.waitpid(job, 0)[1]
        os.write(reported, str(os.waitstatus_to_exitcode(status)).encode())
        os._exit(0)
    os.close(reported)
    seen = b""
    while b"onset" not in seen:
        seen += os.read(terminal, 65536)
    os.close(terminal)
    print(os.read(report, 10).decode())
    """

  // MARK: Several at once

  /// As many processes as begin within a second have the same stem. Each takes the next free number.
  @Test func severalRunsShareAFolder() throws {
    let programs = try (0..<6).map { _ in
      try RunningProgram(command: [
        "live", "-", "--json", "--save-segments", out, "--segment-name", "take-{index}",
      ])
    }
    for program in programs { try program.write(Self.talk) }
    for program in programs { try program.closeInput() }
    var files: [String] = []
    for program in programs {
      #expect(program.wait() == 0)
      files += try saved(program.output).map(\.file)
    }
    #expect(files.count == 12)
    let expected = (1...12).map { "\(out)/take-\($0 < 10 ? "000" : "00")\($0).wav" }
    #expect(files.sorted() == expected)
    let present = try folder.names(in: "out")
    #expect(present.map { "\(out)/\($0)" } == expected)
    let again = try live("-", "--segment-name", "take-{index}", input: TestAudio.pcm16(Self.talk))
    #expect(
      try saved(again.output).map(\.file)
        == ["\(out)/take-0013.wav", "\(out)/take-0014.wav"])
  }

  // MARK: Memory

  /// Half an hour of silence takes no more memory than a minute does. Kept as floats it would take 115 MB.
  /// AddressSanitizer would keep freed memory.
  @Test(.tags(.slow)) func silenceTakesNoMemory() throws {
    func memory(minutes: Int) throws -> Int {
      let result = try Program.shell(
        """
        export ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=1
        { head -c $(($1 * 1920000)) /dev/zero; cat "$2"; } | python3 -c '
        import resource, subprocess, sys
        subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
        print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
        ' "$vadmon" live -q - --sample-format s16le --save-segments "$3-$1"
        """, String(minutes), try folder.write(TestAudio.pcm16(TestAudio.utterance()), to: "pcm"),
        out)
      #expect(result.status == 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: "\(out)-\(minutes)").count == 1)
      return try #require(Int(result.output.trimmingCharacters(in: .whitespacesAndNewlines)))
    }
    let (short, long) = (try memory(minutes: 1), try memory(minutes: 30))
    #expect(long < short + 30_000, "in KiB: \(short), \(long)")
  }
}
