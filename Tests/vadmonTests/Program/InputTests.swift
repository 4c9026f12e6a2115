import Foundation
import TestSupport
import Testing

/// Which inputs are analysed, and in which order.
@Suite struct InputTests {
  private let folder = TemporaryFolder()

  @discardableResult
  private func record(_ name: String, seconds: Double = 0.5) throws -> String {
    try folder.write(TestAudio.wav(TestAudio.voice(seconds: seconds)), to: name)
  }

  /// Returns the `file` of every `file` record, relative to the test's folder.
  private func files(_ result: Program.Result) throws -> [String] {
    try result.records.map {
      ($0["file"] as? String ?? "?").replacing(folder.path + "/", with: "")
    }
  }

  @Test func foldersAreSearchedByContentInTheOrderOfNames() throws {
    for name in ["b/2.wav", "b/10.wav", "a.wav", "c/deep/er/z.recording"] { try record(name) }
    try folder.write("0.0\t1.0\tspeech\n", to: "a.txt")
    try folder.write("no audio at all", to: "b/notes")
    try record(".hidden.wav")
    try record(".hidden/x.wav")
    let result = try Program.analyze(folder.path, "--format", "file-jsonl")
    #expect(result.status == 0)
    #expect(result.errors.isEmpty, "labels and the like are passed over in silence")
    // Its mark begins like a frame of MP3, about which libsndfile would print what it thinks.
    let utf16: [UInt8] = [0xFF, 0xFE] + "0.71\t1.42\tspeech\n".utf8.flatMap { [$0, 0] }
    try folder.write(Data(utf16), to: "a.txt")
    #expect(try Program.analyze(folder.path, "--quiet").errors.isEmpty)
    #expect(try files(result) == ["a.wav", "b/10.wav", "b/2.wav", "c/deep/er/z.recording"])
  }

  @Test func linksLeadToFilesButNotInCircles() throws {
    let target = try record("real/a.wav")
    try folder.link("real/link.wav", to: target)
    try folder.link("real/loop", to: folder.path)
    let result = try Program.analyze(folder.path, "--format", "file-jsonl")
    #expect(try files(result) == ["real/a.wav", "real/link.wav"])
  }

  /// Two links lead to one folder, one leads above itself, and one to a folder that is also found without a link.
  @Test func linksLeadToFoldersAndEachIsReadOnce() throws {
    for name in ["in/m.wav", "in/z/b.wav", "far/c.wav", "far/deep/d.wav"] { try record(name) }
    for (link, target) in [
      ("in/0", "far"), ("in/1", "far"), ("in/a", "in/z"), ("in/z/up", "in"), ("far/deep/in", "in"),
      ("far/deeper", "far/deep"),
    ] {
      try folder.link(link, to: folder / target)
    }
    let result = try Program.analyze(folder / "in", "--format", "file-jsonl")
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    #expect(try files(result) == ["in/m.wav", "in/z/b.wav", "in/0/c.wav", "in/0/deep/d.wav"])
    let verbose = try Program.analyze(folder / "in", "--verbose")
    #expect(verbose.errors.contains("5 links to folders already read"), "\(verbose.errors)")
  }

  @Test func namesComeFromAListAndFromStandardInput() throws {
    let names = try ["1.wav", "two words.wav", "3\"quoted\".wav"].map { try record($0) }
    let list = names[0] + "\r\n" + names[1] + "\n" + names[2]
    let fromInput = try Program.analyze(
      "--files-from", "-", "--format", "file-jsonl", input: Data(list.utf8))
    #expect(fromInput.status == 0)
    #expect(try files(fromInput) == ["1.wav", "two words.wav", "3\"quoted\".wav"])
    let fromFile = try Program.analyze(
      "--files-from", folder.write(list, to: "list"), "--format", "file-jsonl")
    #expect(fromFile.output == fromInput.output)
  }

  /// Long and short recordings alternate, so that later ones are ready first.
  @Test func resultsComeInTheOrderOfInputsHoweverManyJobs() throws {
    for index in 0..<24 {
      try record("\(index).wav", seconds: index.isMultiple(of: 2) ? 8 : 0.2)
    }
    let inputs = (0..<24).map { folder / "\($0).wav" }
    let outputs = try ["1", "2", "7"].map { jobs in
      try Program.analyze(["--format", "jsonl", "--jobs", jobs] + inputs).output
    }
    #expect(outputs[0].split(separator: "\n").filter { $0.contains("\"file\", ") }.count == 24)
    #expect(outputs[1] == outputs[0])
    #expect(outputs[2] == outputs[0])
  }

  /// The same samples as a file and as raw PCM in each format that can hold them.
  @Test(arguments: ["s16le", "f32le"])
  func rawPCMGivesWhatTheFileGives(format: String) throws {
    let samples = TestAudio.utterance(rate: 8000)
    let pcm = TestAudio.pcm16(samples)
    let wav = try folder.write(TestAudio.wav(pcm, rate: 8000), to: "a.wav")
    // The samples as floats after rounding to 16 bits.
    let rounded = samples.map { ($0 * 32768).rounded() / 32768 }
    let input = format == "s16le" ? pcm : TestAudio.float32(rounded)
    let fromFile = try Program.analyze(wav, "--format", "audacity")
    let fromPipe = try Program.analyze(
      "-", "--rate", "8000", "--sample-format", format, "--format", "audacity", input: input)
    #expect(fromPipe.status == 0)
    #expect(fromPipe.output == fromFile.output)
  }

  @Test func aTornFrameAtTheEndOfAPipeIsAWarning() throws {
    let result = try Program.analyze(
      "-", "--rate", "16000", "--format", "file-jsonl",
      input: TestAudio.pcm16(TestAudio.utterance()) + Data([1]))
    #expect(result.status == 0)
    #expect(result.output.contains("incomplete frame"))
    #expect(result.errors.hasPrefix("vadmon: warning: standard input: "))
  }

  @Test func namesThatAreNoUTF8AreFoundAndPrintedAsValidJSON() throws {
    try record("plain.wav")
    let result = try Program.shell(
      """
      name=$(printf 'not\\377utf8.wav') && cp plain.wav "$name" &&
      "$vadmon" analyze "$name" --format file-jsonl && "$vadmon" analyze . --format file-jsonl
      """, in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(String(validating: result.bytes, as: UTF8.self) != nil)
    #expect(try files(result) == ["not\u{FFFD}utf8.wav", "./not\u{FFFD}utf8.wav", "./plain.wav"])
  }

  @Test func fileNamesThatLookLikeFlagsComeBehindTwoDashes() throws {
    try record("--muted.wav")
    let result = try Program.vadmon(
      "analyze", "--format", "file-jsonl", "--", "--muted.wav", in: folder)
    #expect(result.status == 0)
    #expect(result.output.contains("\"file\": \"--muted.wav\""))
  }
}
