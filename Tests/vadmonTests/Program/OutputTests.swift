import Foundation
import TestSupport
import Testing

/// Where results go, and what happens if they cannot be written.
@Suite struct OutputTests {
  private let folder = TemporaryFolder()
  private let first: String
  private let second: String

  init() throws {
    first = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "in/first.wav")
    second = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "in/second.wav")
  }

  @Test(arguments: ["text", "json", "jsonl", "file-jsonl", "csv", "tsv", "rttm"])
  func aFileHoldsWhatStandardOutputWould(format: String) throws {
    let printed = try Program.analyze(first, second, "--format", format)
    let written = try Program.analyze(
      first, second, "--format", format, "--output", folder / "out")
    #expect(written.status == 0)
    #expect(written.output.isEmpty)
    #expect(try folder.text(of: "out") == printed.output)
    #expect(try folder.names == ["in", "out"], "no temporary file is left")
  }

  @Test(arguments: [
    ("text", "txt"), ("json", "json"), ("jsonl", "jsonl"), ("file-jsonl", "jsonl"),
    ("csv", "csv"), ("tsv", "tsv"), ("rttm", "rttm"), ("audacity", "txt"), ("srt", "srt"),
    ("vtt", "vtt"), ("textgrid", "TextGrid"), ("eaf", "eaf"),
  ])
  func aFolderHoldsOneFileForEachInput(format: String, ending: String) throws {
    let result = try Program.analyze(
      first, second, folder / "in/missing.wav", "--format", format, "--output-dir",
      folder / "out/deep")
    #expect(result.status == 66, "the missing one; the others are done")
    let out = folder / "out/deep"
    let names = try FileManager.default.contentsOfDirectory(atPath: out).sorted()
    #expect(names == ["first.\(ending)", "second.\(ending)"])
    let alone = try Program.analyze(second, "--format", format)
    #expect(try folder.text(of: "out/deep/second.\(ending)") == alone.output)
  }

  /// `compare` finds the labels of both, under the name of one or under the names of each.
  @Test func twoFormatsInOneFolderKeepTheirExtensions() throws {
    let wav = TestAudio.wav(TestAudio.utterance())
    for name in ["x.wav", "x.flac"] { try folder.write(wav, to: "in/" + name) }
    let result = try Program.analyze(
      folder / "in", "--format", "rttm", "--output-dir", folder / "out", "--frames",
      folder / "frames")
    #expect(result.status == 0, "\(result.errors)")
    let stems = ["first", "second", "x.flac", "x.wav"]
    for (name, ending) in [("out", "rttm"), ("frames", "csv")] {
      let names = try folder.names(in: name)
      #expect(names == stems.map { "\($0).\(ending)" })
    }
    let label = "1\t2\tspeech\n"
    for name in ["first", "second", "x"] { try folder.write(label, to: "shared/\(name).txt") }
    for name in stems { try folder.write(label, to: "each/\(name).txt") }
    for labels in ["shared", "each"] {
      for found in ["out", "frames"] {
        let result = try Program.vadmon("compare", folder / labels, folder / found, "--quiet")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.lines.first?.hasPrefix("4 recordings, ") == true, "\(result.output)")
      }
    }
    let again = try Program.analyze(folder / "in", "--frames", folder / "frames")
    #expect(again.status == 64)
    #expect(again.errors.contains("frames/first.csv exists already, and so do 3 more"))
  }

  /// Under a umask that would give a new file 644.
  @Test(arguments: [0o600, 0o664, 0o640, 0o444] as [mode_t])
  func aReplacedFileKeepsItsPermissions(mode: mode_t) throws {
    try folder.write("old", to: "out.csv")
    #expect(chmod(folder / "out.csv", mode) == 0)
    let isWritable = access(folder / "out.csv", W_OK) == 0
    let result = try Program.shell(
      #"umask 022; exec "$vadmon" analyze "$1" --format csv --output out.csv"#, first, in: folder)
    #expect(result.status == (isWritable ? 0 : 74))
    #expect(try folder.text(of: "out.csv").hasPrefix(isWritable ? "type,file," : "old"))
    var status = stat()
    #expect(stat(folder / "out.csv", &status) == 0)
    #expect(status.st_mode & 0o777 == mode)
  }

  @Test func aFileIsReplacedOnlyWhenTheResultsAreComplete() throws {
    try folder.write("old", to: "out.csv")
    let failed = try Program.analyze(
      first, "--format", "srt", second, "--output", folder / "out.csv")
    #expect(failed.status == 64)
    #expect(try folder.text(of: "out.csv") == "old")
    _ = try Program.analyze(first, "--format", "csv", "--output", folder / "out.csv")
    #expect(try folder.text(of: "out.csv").hasPrefix("type,file,"))
  }

  @Test func aRecordingIsNeverReplacedByItsResults() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: first))
    try folder.link("link", to: first)
    try FileManager.default.linkItem(atPath: first, toPath: folder / "hard")
    try FileManager.default.copyItem(atPath: first, toPath: folder / "in/odd.csv")
    for arguments in [
      [first, "--output", first], [second, first, "--output", folder / "link"],
      [first, "--output", folder / "hard"], [first, "--output", folder / "in/../in/./first.wav"],
      [folder / "in/odd.csv", "--format", "csv", "--output-dir", folder / "in"],
    ] {
      let result = try Program.analyze(arguments)
      #expect(result.status == 64)
      #expect(result.errors.contains("the results would replace "))
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: first)) == before)
    #expect(try folder.data(of: "in/odd.csv") == before)
  }

  /// What a loudspeaker played is read as well, named or found in a folder.
  @Test(arguments: [
    ["--reference", "far.wav", "--output", "far.wav"],
    ["--reference", "far.wav", "--report", "far.wav"],
    ["--reference", "far.wav", "--trim", "far.wav"],
    ["--reference", "played", "--output", "played/first.wav"],
    ["--reference", "played", "--trim", "played/first.wav"],
  ]) func aReferenceIsNeverReplaced(words: [String]) throws {
    let sound = try Data(contentsOf: URL(fileURLWithPath: second))
    for name in ["far.wav", "played/first.wav"] { try folder.write(sound, to: name) }
    let arguments = words.map { $0.hasPrefix("-") ? $0 : folder / $0 }
    let result = try Program.analyze([first] + arguments)
    #expect(result.status == 64 && result.errors.contains("replace"), "\(result.errors)")
    for name in ["far.wav", "played/first.wav"] {
      #expect(try folder.data(of: name) == sound)
    }
  }

  /// However the shell opened it: what standard output adds to a recording would be read too.
  @Test(arguments: [
    "--trim - \"$1\" >> \"$1\"", "--format csv \"$1\" 1<> \"$1\"", "\"$1\" >> \"$2\"",
    "- < \"$1\" >> \"$1\"", "live --input \"$1\" >> \"$1\"",
    "live - < \"$1\" >> \"$1\"", "\"$1\" --reference \"$4\" >> \"$4\"",
    "compare \"$1\" \"$3\" >> \"$3\"",
  ]) func standardOutputDoesNotChangeWhatIsRead(arguments: String) throws {
    try FileManager.default.linkItem(atPath: first, toPath: folder / "hard")
    let labels = try folder.write("0\t1\tspeech\n", to: "labels.txt")
    let before = try Data(contentsOf: URL(fileURLWithPath: first))
    let result = try Program.shell(
      "\"$vadmon\" \(arguments)", first, folder / "hard", labels, second)
    #expect(result.status == 64 || arguments.hasPrefix("compare"), "\(result.errors)")
    if !arguments.hasPrefix("compare") {
      #expect(result.errors.contains("which is read: send it elsewhere"), "\(result.errors)")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: first)) == before)
    #expect(try folder.text(of: "labels.txt") == "0\t1\tspeech\n")
  }

  @Test func otherInputFilesAreNotReplaced() throws {
    let list = try folder.write(first + "\n", to: "list")
    let listed = try Program.analyze("--files-from", list, "--output", folder / "./list")
    #expect(listed.status == 64)
    #expect(listed.errors.contains("would replace \(list): choose another name"))
    let raw = try folder.write("\0\0", to: "raw")
    let piped = try Program.shell("\"$vadmon\" analyze - --output \"$1\" < \"$1\"", raw)
    #expect(piped.status == 64)
    #expect(piped.errors.contains("would replace standard input: choose another name"))
    let program = try folder.script("", to: "program")
    let run = try Program.analyze(first, "--exec", program, "--output", folder / "./program")
    #expect(run.status == 64 && run.errors.contains("would replace \(program)"))
    // Devices are written to, not replaced.
    #expect(
      try Program.shell("\"$vadmon\" analyze - --output /dev/null < \"$1\"", raw).status == 0)
  }

  /// The file that standard output is redirected to gets the results where the shell has arrived in it.
  @Test(arguments: ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])
  func standardOutputByNameIsNotReplaced(name: String) throws {
    #expect(symlink("/dev/stdout", folder / "link") == 0)
    let script = #"""
      { echo head; "$vadmon" in/first.wav --format csv --output "$1"; echo tail; } > out
      "$vadmon" in/first.wav --format csv --output "$1" >> out
      """#
    let result = try Program.shell(script, name, in: folder)
    #expect(result.status == 0, "\(result.errors)")
    let alone = try Program.vadmon("in/first.wav", "--format", "csv", in: folder)
    #expect(try folder.text(of: "out") == "head\n\(alone.output)tail\n\(alone.output)")
  }

  @Test func aLinkToANameNotInUseStaysALink() throws {
    #expect(symlink("new.csv", folder / "link") == 0)
    let result = try Program.analyze(first, "--format", "csv", "--output", folder / "link")
    #expect(result.status == 0)
    #expect(try folder.text(of: "new.csv").hasPrefix("type,file,"))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder / "link") == "new.csv")
  }

  @Test func aLinkStaysALink() throws {
    try folder.write("old", to: "real/out.csv")
    try folder.link("link.csv", to: folder / "real/out.csv")
    _ = try Program.analyze(first, "--format", "csv", "--output", folder / "link.csv")
    #expect(try folder.text(of: "real/out.csv").hasPrefix("type,file,"))
    #expect(try folder.names == ["in", "link.csv", "real"])
  }

  @Test func theNewFileHasThePermissionsThatTheUmaskLeaves() throws {
    let result = try Program.shell(
      #"umask 027; "$vadmon" analyze "$1" --output "$2"; stat -c %a "$2""#, first, folder / "out")
    #expect(result.output == "640\n")
  }

  @Test func aRunThatFailsLeavesNoTemporaryFile() throws {
    let result = try Program.analyze(
      "--output", "/dev/full", "--frames", folder / "frames", first, second)
    #expect(result.status == 74)
    let frames = try folder.names(in: "frames")
    #expect(frames.allSatisfy { $0.hasSuffix(".csv") && !$0.hasPrefix(".") })
  }

  @Test func framesOnAFullDiskAreAnErrorOfTheirInput() throws {
    try folder.link("frames/first.csv", to: "/dev/full")
    let result = try Program.analyze(
      first, second, "--frames", folder / "frames", "--format", "csv")
    #expect(result.status == 74)
    #expect(result.errors.contains("cannot write \(folder / "frames/first.csv")"))
    #expect(result.output.contains("first.wav"), "its segments are not lost")
    #expect(result.output.contains("second.wav"))
    #expect(try folder.text(of: "frames/second.csv").split(separator: "\n").count == 351)
  }

  @Test func aFolderThatIsNotThereIsNamed() throws {
    let result = try Program.analyze(first, "--output", folder / "nowhere/out")
    #expect(result.status == 74)
    #expect(result.errors.contains("nowhere/out: its folder does not exist; make it"))
    let blocked = try Program.analyze(first, "--output-dir", first + "/out")
    #expect(blocked.status == 74)
    #expect(
      blocked.errors.contains(
        "a file has its name, or that of a folder above it; name another folder"))
  }

  /// The reader has gone before vadmon writes its first byte.
  @Test(arguments: ["text", "json", "jsonl", "srt"])
  func aClosedPipeIsQuiet(format: String) throws {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let program = try RunningProgram("--rate", "16000", "--format", format, output: pipe)
    // With formats that are written progressively, vadmon may end before it has read all of this.
    try? program.write(TestAudio.utterance())
    try program.closeInput()
    #expect(program.wait() == 141)
    #expect(try program.errors.isEmpty)
  }

  @Test func aPipeThatIsClosedOnTheWayIsQuiet() throws {
    let result = try Program.shell(
      """
      { for i in $(seq 2000); do echo "$1"; done 2> /dev/null | "$vadmon" analyze --files-from - --format jsonl
        echo $? > "$2"; } | head -n 1
      """, first, folder / "status")
    #expect(result.lines.count == 1)
    #expect(result.errors.isEmpty)
    #expect(try folder.text(of: "status") == "141\n")
  }
}
