import Foundation
import TestSupport
import Testing

/// Input that `vadmon compare` cannot use: the exit code, and a sentence that names it.
@Suite struct CompareBadInputTests {
  private let folder = TemporaryFolder()
  private let good: String

  init() throws {
    good = try folder.write("0\t1\tspeech\n", to: "good.txt")
  }

  private func compare(_ arguments: String...) throws -> Program.Result {
    try Program.vadmon(["compare"] + arguments)
  }

  @Test(
    arguments: [
      ([], ["compare", "REFERENCE"]),
      (["a"], ["compare", "DETECTED"]),
      (["a", "b", "c"], ["compare", "'c'"]),
      (["a", "-"], ["standard input"]),
      (
        ["a", "b", "--min", "f1"],
        ["--min", "'f1'", "f1=0.9"]
      ),
      (["a", "b", "c", "d"], ["compare", "'c'", "'d'"]),
      (["a", "b", "--min", "f1=abc"], ["--min", "abc", "f1=0.9"]),
      (["a", "b", "--min", "foo=.9"], ["--min", "foo", "auc", "ap", "eer"]),
      (["a", "b", "--max", "eer=nan"], ["--max", "eer=nan"]),
      (["a", "b", "--resamples", "-1"], ["--resamples", "-1"]),
      (["a", "b", "--resamples", "99"], ["--resamples 99", "100", "10000"]),
      (["a", "b", "--seed", "x"], ["--seed", "x", "0", "18446744073709551615"]),
      (
        ["a", "b", "--resamples", "10001"],
        ["--resamples", "10001", "0", "10000"]
      ),
      (["a", "b", "--shift", "fast"], ["--shift", "fast", "250ms"]),
      (["a", "b", "--format", "csv"], ["--format", "csv"]),
      (["a", "https://host/b.txt"], ["https://host/b.txt"]),
      (["a", "b", "--output", ""], ["--output"]),
    ] as [([String], [String])])
  func wrongUsageIsReported(row: (arguments: [String], names: [String])) throws {
    let result = try Program.vadmon(["compare"] + row.arguments)
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    expectMessage(result.errors, names: row.names)
  }

  @Test func allMissingInputsAreReported() throws {
    let result = try compare(folder / "x.txt", folder / "y.txt", "--against", folder / "z")
    #expect(result.status == 66)
    let lines = result.messages
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.contains("No such file or directory; check its name") })
  }

  @Test func aFolderIsNoEvaluationMap() throws {
    let result = try compare(good, good, "--uem", folder.path)
    #expect(result.status == 74)
    #expect(result.errors.contains("it is a folder; name a file in it"))
  }

  @Test func badLinesOfAllFilesAreReported() throws {
    try folder.write("0\t1\tx\nnoise\n", to: "ref/a.txt")
    try folder.write("0\t1\tx\n2\t1\tx\n", to: "ref/b.txt")
    let result = try compare(folder / "ref", good)
    #expect(result.status == 65)
    #expect(result.output.isEmpty)
    let lines = result.messages
    #expect(lines.count == 2)
    #expect(lines[0].contains("ref/a.txt, line 2: ") && lines[1].contains("ref/b.txt, line 2: "))
  }

  @Test func anAudioFileIsNotLabels() throws {
    let wav = try folder.write(TestAudio.wav(TestAudio.silence(seconds: 0.1)), to: "a.wav")
    let result = try compare(wav, good)
    #expect(result.status == 65)
    #expect(
      result.errors == """
        vadmon: \(wav) is a recording and has no labels: name what vadmon analyze makes of it, like --frames

        """)
  }

  @Test func theResultsDoNotReplaceLabels() throws {
    try FileManager.default.linkItem(atPath: good, toPath: folder / "hard")
    for output in [good, folder / "./good.txt", folder / "hard"] {
      let result = try compare(good, good, "--output", output)
      #expect(result.status == 64)
      #expect(result.errors.contains("would replace \(good): choose another name"))
    }
    #expect(try folder.text(of: "good.txt") == "0\t1\tspeech\n")
  }

  @Test func aClosedPipeIsQuiet() throws {
    // Descriptor 3 is the only reader, and is closed before anything is written.
    let result = try Program.shell(
      """
      mkfifo "$2" && exec 3<>"$2" 4>"$2" 3<&- && "$vadmon" compare "$1" "$1" --quiet >&4
      echo $?
      """, good, folder / "pipe")
    #expect(result.output == "141\n")
    #expect(result.errors.isEmpty)
  }

  @Test func resultsGoToAFile() throws {
    let result = try compare(
      good, good, "--quiet", "--format", "json", "--output", folder / "out.json")
    #expect(result.status == 0 && result.output.isEmpty && result.errors.isEmpty)
    #expect(try folder.text(of: "out.json").hasPrefix("{\n  \"schema_version\": 1,\n"))
    #expect(try folder.names == ["good.txt", "out.json"])
  }

  @Test func emptyLabelsAndEmptyTablesAreCompared() throws {
    let empty = try folder.write("", to: "empty.txt")
    let table = try folder.write("time,probability,speech\n", to: "table.csv")
    for detected in [empty, table] {
      let result = try compare(empty, detected, "--quiet")
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.lines[0].hasPrefix("1 recording, 0:00.000, speech 0:00.000;"))
    }
  }

  /// What `vadmon analyze` leaves of sound that is none counts as missing; of a result that is cut off, nothing counts.
  @Test func aResultWithoutAnEndIsNotCompared() throws {
    let bad = try folder.write("no sound\n", to: "random.wav")
    for format in ["jsonl", "json"] {
      let found = folder / "found.\(format)"
      let analysis = try Program.shell(
        "\"$vadmon\" \"$1\" --format \"$2\" > \"$3\"", bad, format, found)
      #expect(analysis.status == 65)
      let result = try compare(good, found)
      #expect(result.status == 66 && result.output.isEmpty)
      expectMessage(result.errors, "random", found, "analyse it again", "--missing-is-silence")
    }
    let whole = folder / "whole.jsonl"
    let analysis = try Program.analyze(
      TestAudio.samples + "/speech.flac", "--format", "jsonl", "--output", whole, "--quiet")
    #expect(analysis.status == 0)
    let lines = try folder.text(of: "whole.jsonl").split(separator: "\n")
    for count in 1..<lines.count {
      let text = lines.prefix(count).joined(separator: "\n") + "\n"
      let cut = try folder.write(text, to: "cut.jsonl")
      let result = try compare(good, cut)
      #expect(result.status == 65 && result.output.isEmpty, "\(count) lines")
      expectMessage(result.errors, cut, "check that the file is complete")
    }
    #expect(try compare(good, whole, "--quiet").status == 0)
  }

  /// A name must not reach the terminal as a command.
  @Test func namesAreShownWithoutControlCharacters() throws {
    let name = "es\u{1B}[31mc.txt"
    try folder.write("0\t1\tx\n", to: "ref/" + name)
    let result = try compare(folder / "ref", folder / "ref", "--quiet")
    #expect(result.status == 0)
    #expect(!result.output.contains("\u{1B}"))
  }
}
