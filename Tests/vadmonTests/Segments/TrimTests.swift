import Foundation
import TestSupport
import Testing

/// A recording without its silence, and the map back to its times.
@Suite struct TrimTests {
  private let folder = TemporaryFolder()
  private let recording = TestAudio.samples + "/stereo-48k.flac"

  private func map(_ name: String) throws -> [[String: Double]] {
    let rows = try folder.text(of: name).split(separator: "\n").map { $0.split(separator: ",") }
    return rows.dropFirst().map { row in
      Dictionary(uniqueKeysWithValues: zip(rows[0].map(String.init), row.map { Double($0)! }))
    }
  }

  @Test(arguments: ["wav", "flac"])
  func everyPartIsWhereTheMapSays(format: String) throws {
    let result = try Program.analyze(
      recording, "--trim", folder / "t.\(format)", "--fade", "0", "--pad", "50ms")
    #expect(result.status == 0, "\(result.errors)")
    let original = try CutRecording.decode(recording)
    let trimmed = try CutRecording.decode(folder / "t.\(format)")
    let rows = try map("t.\(format).csv")
    #expect(rows.count == 2)
    var position = 0
    for row in rows {
      let numbers = ["start", "end", "trimmed_start", "trimmed_end"].map {
        Int(row[$0 + "_sample"]!)
      }
      #expect(numbers[2] == position)
      #expect(numbers[3] - numbers[2] == numbers[1] - numbers[0])
      #expect(
        trimmed[2 * numbers[2]..<2 * numbers[3]] == original[2 * numbers[0]..<2 * numbers[1]])
      for name in ["start", "end", "trimmed_start", "trimmed_end"] {
        #expect(abs(row[name]! * 48_000 - row[name + "_sample"]!) <= 24)
      }
      position = numbers[3]
    }
    #expect(trimmed.count == 2 * position)
  }

  @Test func byDefaultThePartsAreFaded() throws {
    _ = try Program.analyze(recording, "--trim", folder / "t.wav")
    let trimmed = try CutRecording.decode(folder / "t.wav").map { Int32(bitPattern: $0) >> 16 }
    for row in try map("t.wav.csv") {
      #expect(abs(trimmed[2 * Int(row["trimmed_start_sample"]!)]) <= 1)
      #expect(abs(trimmed[2 * Int(row["trimmed_end_sample"]!) - 1]) <= 1)
    }
  }

  @Test(arguments: ["wav", "flac"])
  func aRecordingWithoutSpeechReplacesNothing(format: String) throws {
    let silence = try folder.write(TestAudio.wav(TestAudio.silence(seconds: 1)), to: "s.wav")
    let result = try Program.analyze(silence, "--trim", folder / "t.\(format)")
    #expect(result.status == 0)
    expectMessage(result.errors, "warning", silence, "no speech", "--trim")
    #expect(try folder.names == ["s.wav"])
  }

  /// A file beside its map is from an earlier run. Its speech is no longer in the recording.
  @Test func withoutSpeechTheOldRecordingIsRemovedIfItHasAMap() throws {
    let silence = try folder.write(TestAudio.wav(TestAudio.silence(seconds: 1)), to: "s.wav")
    _ = try Program.analyze(recording, "--trim", folder / "t.wav")
    #expect(try folder.names == ["s.wav", "t.wav", "t.wav.csv"])
    let result = try Program.analyze(silence, "--trim", folder / "t.wav")
    #expect(result.status == 0)
    #expect(
      result.errors == """
        vadmon: warning: \(silence): it has no speech, so that --trim has written nothing; \(folder / "t.wav") and its \
        map, from an earlier run, are removed

        """)
    #expect(try folder.names == ["s.wav"])
    try folder.write("mine", to: "t.wav")
    let kept = try Program.analyze(silence, "--trim", folder / "t.wav")
    #expect(kept.errors.hasSuffix("written nothing; \(folder / "t.wav") is not from this run\n"))
    #expect(try folder.text(of: "t.wav") == "mine")
  }

  @Test func withoutSpeechASoundThatIsNotThatOfTheMapIsKept() throws {
    let silence = try folder.write(TestAudio.wav(TestAudio.silence(seconds: 1)), to: "s.wav")
    _ = try Program.analyze(recording, "--trim", folder / "t.wav")
    let mine = TestAudio.wav(TestAudio.utterance() + TestAudio.silence(seconds: 1))
    try folder.write(mine, to: "t.wav")
    let kept = try Program.analyze(silence, "--trim", folder / "t.wav")
    #expect(kept.errors.hasSuffix("written nothing; \(folder / "t.wav") is not from this run\n"))
    #expect(try folder.names == ["s.wav", "t.wav", "t.wav.csv"])
  }

  @Test func theMapReplacesOnlyAMap() throws {
    try folder.write("mine", to: "t.wav.csv")
    let refused = try Program.analyze(recording, "--trim", folder / "t.wav")
    #expect(refused.status == 64 && refused.errors.contains("t.wav.csv exists already"))
    #expect(try folder.text(of: "t.wav.csv") == "mine")
    #expect(try Program.analyze(recording, "--trim", folder / "t.wav", "--force").status == 0)
    let rows = try map("t.wav.csv").count
    #expect(rows > 0)
    #expect(try Program.analyze(recording, "--trim", folder / "t.wav").status == 0)
    #expect(try map("t.wav.csv").count == rows)
  }

  /// The map is a table of segments, which compare reads.
  @Test func theMapIsATableOfSegments() throws {
    _ = try Program.analyze(recording, "--trim", folder / "t.wav")
    _ = try Program.analyze(recording, "--format", "csv", "--output", folder / "segments.csv")
    let compared = try Program.vadmon(
      "compare", folder / "segments.csv", folder / "t.wav.csv", "--min", "f1=1")
    #expect(compared.status == 0, "\(compared.errors)\(compared.output)")
  }

  @Test func theRecordingItselfIsNotReplaced() throws {
    let copy = folder / "copy.flac"
    try FileManager.default.copyItem(atPath: recording, toPath: copy)
    let result = try Program.analyze(copy, "--trim", copy)
    #expect(result.status == 64)
    #expect(try CutRecording.decode(copy) == CutRecording.decode(recording))
  }

  @Test func severalRecordingsAreRefused() throws {
    for inputs in [[recording, TestAudio.samples + "/speech.flac"], [TestAudio.samples]] {
      let result = try Program.analyze(inputs + ["--trim", folder / "t.wav"])
      #expect(result.status == 64)
      #expect(result.errors.contains("--trim writes one recording"))
    }
  }

  /// What was found before the tear is saved.
  @Test func aTornRecordingIsSavedUpToTheTear() throws {
    var data = TestAudio.wav(TestAudio.utterance() + TestAudio.utterance())
    data.removeLast(40_000)
    let torn = try folder.write(data, to: "torn.wav")
    let result = try Program.analyze(torn, "--trim", folder / "t.wav", "--fade", "0")
    #expect(result.status == 0)
    let rows = try map("t.wav.csv")
    #expect(!rows.isEmpty)
    #expect(
      try CutRecording.decode(folder / "t.wav").count == Int(rows.last!["trimmed_end_sample"]!))
  }

  // MARK: To standard output

  /// ffmpeg reads the pipe, and the file of a run that writes one.
  @Test func aPipeGetsTheSameSound() throws {
    _ = try Program.analyze(recording, "--trim", folder / "t.wav", "--fade", "0")
    let expected = try CutRecording.decode(folder / "t.wav", as: "f32le")
    for line in [
      "$vadmon \"$1\" --trim - --fade 0 | cat > \"$2\"",
      "$vadmon \"$1\" --trim - --fade 0 > \"$2\"",
    ] {
      let run = try Program.shell(line, recording, folder / "pipe.wav")
      #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
      let decoded = try CutRecording.decode(folder / "pipe.wav", as: "f32le")
      #expect(!expected.isEmpty && decoded == expected, "\(line)")
    }
    #expect(try folder.names == ["pipe.wav", "t.wav", "t.wav.csv"])
  }

  /// sox tells the format from what it reads first.
  @Test func soxReadsAPipe() throws {
    _ = try Program.analyze(recording, "--trim", folder / "t.wav", "--fade", "0")
    let run = try Program.shell(
      "$vadmon \"$1\" --trim - --fade 0 | sox - -b 16 --no-dither \"$2\"", recording,
      folder / "sox.wav")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try CutRecording.decode(folder / "sox.wav") == CutRecording.decode(folder / "t.wav"))
  }

  /// Nothing that stands in a file before the sound is replaced.
  @Test(arguments: [
    "(echo before; $vadmon \"$1\" --trim -) > \"$2\"",
    "echo before > \"$2\"; $vadmon \"$1\" --trim - >> \"$2\"",
  ])
  func whatStandsBeforeTheSoundRemains(line: String) throws {
    let file = folder / "both"
    #expect(try Program.shell(line, recording, file).status == 0)
    let both = try Data(contentsOf: URL(fileURLWithPath: file))
    let piped = try Program.shell("$vadmon \"$1\" --trim - | cat", recording)
    #expect(both == Data("before\n".utf8) + piped.bytes && !piped.bytes.isEmpty)
  }

  @Test func besideItResultsGoToAFile() throws {
    let run = try Program.analyze(
      recording, "--trim", "-", "--format", "csv", "--output", folder / "a.csv")
    #expect(run.status == 0 && run.bytes.starts(with: Data("RIFF".utf8)), "\(run.errors)")
    #expect(
      try folder.text(of: "a.csv") == Program.analyze(recording, "--format", "csv").output)
  }

  /// A chroot has no /proc, through which /dev/stdout leads.
  @Test(.enabled(if: UsageTests.canHideProc)) func aStreamNeedsNoProc() throws {
    let run = try Program.run([
      "/usr/bin/unshare", "-m", "/bin/sh", "-c",
      "mount -t tmpfs none /proc && exec \"$0\" analyze \"$1\" --trim -", Program.path, recording,
    ])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try run.bytes == Program.analyze(recording, "--trim", "-").bytes)
    #expect(run.bytes.count > 100_000)
  }

  @Test func aPipeWithoutSpeechIsARecordingWithoutSound() throws {
    let silence = try folder.write(TestAudio.wav(TestAudio.silence(seconds: 1)), to: "s.wav")
    let run = try Program.shell("$vadmon \"$1\" --trim - | cat > \"$2\"", silence, folder / "t.wav")
    #expect(run.status == 0)
    expectMessage(run.errors, "warning", silence, "no speech", "--trim")
    #expect(try CutRecording.probe(folder / "t.wav", "channels") == 1)
    #expect(try CutRecording.decode(folder / "t.wav").isEmpty)
  }

  /// As for results whose reader goes away.
  @Test func aReaderThatLeavesEndsTheRun() throws {
    let run = try Program.shell(
      "{ $vadmon \"$1\" --trim -; echo $? >&2; } | head -c 100 > /dev/null", recording)
    #expect(run.errors == "141\n")
  }
}
