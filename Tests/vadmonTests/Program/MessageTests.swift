import Foundation
import TestSupport
import Testing

/// Errors with files: one sentence that says what to do, and an exit code.
@Suite struct MessageTests {
  private let folder = TemporaryFolder()

  init() throws {
    try folder.write(TestAudio.wav(TestAudio.utterance()), to: "speech.wav")
    try folder.write("0\t1\tspeech\n", to: "labels.txt")
    try folder.write("{\"at\": 0, \"type\": \"tick\"}\n", to: "call.jsonl")
    try folder.write("x", to: "folder/file")
    try folder.write(Data((0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 37) }), to: "noise.s16")
    try folder.write("torn", to: "torn.wav")
    try folder.pipe()
    try folder.link("full.svg", to: "/dev/full")
  }

  /// Runs a line of shell in the folder; `$v` is vadmon.
  private func run(_ line: String) throws -> Program.Result {
    try Program.shell("v=$vadmon; \(line)", in: folder)
  }

  private static let full = "the disk is full; make room, or write it elsewhere"

  @Test(
    arguments: [
      ("analyze speech.wav > /dev/full", 74, "cannot write standard output: \(full)"),
      (
        "analyze speech.wav --format json --output /dev/full", 74, "cannot write /dev/full: \(full)"
      ),
      ("analyze --show-config > /dev/full", 74, "cannot write standard output: \(full)"),
      ("compare labels.txt labels.txt -q > /dev/full", 74, "cannot write standard output: \(full)"),
      (
        "compare labels.txt labels.txt -q --output /dev/full", 74, "cannot write /dev/full: \(full)"
      ),
      ("pause call.jsonl -q > /dev/full", 74, "cannot write standard output: \(full)"),
      ("pause call.jsonl -q --output /dev/full", 74, "cannot write /dev/full: \(full)"),
      ("pause call.jsonl -q --plot full.svg > out", 74, "cannot write full.svg: \(full)"),
      (
        "live --input speech.wav --json -q > /dev/full", 74, "cannot write standard output: \(full)"
      ),
      (
        "live --input speech.wav --record /dev/full", 74, "cannot record to /dev/full: \(full)"
      ),
      ("--help > /dev/full", 74, "cannot write standard output: \(full)"),
      ("--version > /dev/full", 74, "cannot write standard output: \(full)"),
      (
        "analyze speech.wav >&-", 74,
        "cannot write standard output: it is closed; open it, or send it to /dev/null"
      ),
      (
        "analyze speech.wav --output folder", 74,
        "cannot write folder: it is a folder; name a file in it"
      ),
      (
        "compare labels.txt labels.txt -q --output no/out", 74,
        "cannot write no/out: its folder does not exist; make it, or name another one"
      ),
      (
        "pause call.jsonl -q --output labels.txt/out", 74,
        "cannot write labels.txt/out: what should be its folder is a file; name another folder"
      ),
      (
        "analyze speech.wav --frames folder/file", 74,
        "cannot make the folder folder/file: a file has its name, or that of a folder above it; name another folder"
      ),
      (
        "live --input speech.wav --record pipe", 74,
        "cannot record to pipe: it is a pipe that nobody reads; start its reader first"
      ),
      (
        "live --input pipe --duration 50ms", 69,
        "cannot open pipe: nobody writes to the pipe yet; start what does"
      ),
      (
        "live --input speech.wav --record speech.wav", 64,
        "cannot record to speech.wav: it exists already and would be written over; choose another name"
      ),
      ("compare folder/none labels.txt", 66, "check its name"),
      ("pause folder", 74, "cannot read folder: it is a folder; name a file in it"),
      ("analyze none.wav", 66, "cannot open none.wav: No such file or directory; check its name\n"),
      ("analyze folder", 66, "no audio in the folder folder: name another folder or a file"),
      (
        "analyze - < labels.txt --sample-format s16le --rate 8000 --channels 2 --channel 3", 65,
        "cannot read channel 3 of standard input: it has 2 channels; choose one from 1 to 2"
      ),
      (
        "analyze noise.s16", 65,
        "export it again; raw PCM in a file is read by: vadmon - < FILE\n"
      ),
      ("analyze torn.wav", 65, "export it again\n"),
      (
        "analyze --files-from speech.wav", 66,
        "if NUL ends the names, add --null; if it is a recording, name it without --files-from"
      ),
      ("tune speech.wav labels.txt --for f1", 64, "speech.wav is not a folder: name the folder"),
      (
        "analyze speech.wav --fade 10ms", 64,
        "--fade is for --save-segments and --trim: add --save-segments DIR, or --trim FILE"
      ),
      (
        "analyze speech.wav ./speech.wav --output-dir out", 64,
        "would both become out/speech.txt, because they are one file: name it once"
      ),
      (
        "analyze speech.wav --save-segments /proc --output out", 74,
        "cannot write /proc/speech-0001.wav: nothing can be made there; name another folder"
      ),
      (
        "analyze speech.wav --output-dir /proc/x", 74,
        "cannot make the folder /proc/x: nothing can be made there; name another folder"
      ),
      (
        "live --input speech.wav --record /proc/x.wav", 74,
        "cannot record to /proc/x.wav: nothing can be made there; name another folder"
      ),
      (
        "analyze call.jsonl", 65, "libsndfile does not know its format, and ffmpeg says"
      ),
    ] as [(String, Int32, String)])
  func messagesSayWhatToDo(row: (line: String, status: Int32, message: String)) throws {
    let result = try run("\"$v\" \(row.line)")
    #expect(result.status == row.status, "\(result.errors)")
    #expect(result.errors.hasPrefix("vadmon: "), "\(result.errors)")
    #expect(result.errors.contains(row.message), "\(result.errors)")
    #expect(result.messages.count == 1, "\(result.errors)")
  }

  @Test func aHeaderThatIsCutIsRefusedByAll() throws {
    let result = try run("head -c 20 speech.wav | \"$v\" analyze -")
    #expect(result.status == 65)
    #expect(
      result.errors.hasSuffix(
        "check that it is a recording, and export it again\n"))
  }
}
