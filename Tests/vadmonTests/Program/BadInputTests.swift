import Foundation
import TestSupport
import Testing

/// Input that vadmon cannot use: the exit code, and one sentence that names the input. MessageTests has more.
@Suite struct BadInputTests {
  private let folder = TemporaryFolder()
  private let good: String

  init() throws {
    good = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "good.wav")
  }

  @Test(arguments: ["", "notes.txt"])
  func aFolderWithoutAudioIsReported(content: String) throws {
    let empty = TemporaryFolder()
    if !content.isEmpty { try empty.write("no audio", to: content) }
    let result = try Program.analyze(empty.path)
    #expect(result.status == 66)
    #expect(result.errors.contains("no audio in the folder \(empty.path)"))
  }

  @Test func oneBadFileAmongManyIsReportedAndTheOthersAreDone() throws {
    let text = try folder.write("text", to: "text.wav")
    let result = try Program.analyze(
      good, text, folder / "missing.wav", good, "--format", "jsonl", "--jobs", "2")
    #expect(result.status == 65, "the first bad one decides")
    let kinds = result.lines.compactMap { $0.firstMatch(of: #/"type": "(\w+)"/#)?.1 }
    #expect(kinds.filter { $0 == "file" }.count == 2)
    #expect(kinds.filter { $0 == "error" }.count == 2)
    #expect(kinds.first == "config" && kinds.last == "file")
    #expect(result.messages.count == 2)
  }

  @Test func aTornFileIsAnalysedWithAWarning() throws {
    let whole = TestAudio.wav(TestAudio.utterance())
    let torn = try folder.write(whole.prefix(whole.count - 16_000), to: "torn.wav")
    let result = try Program.analyze(torn, "--format", "file-jsonl")
    #expect(result.status == 0)
    #expect(result.output.contains("\"duration\": 3.000"))
    #expect(result.output.contains("cut off"))
    #expect(result.errors.hasPrefix("vadmon: warning: \(torn): "))
    let quiet = try Program.analyze(torn, "--quiet", "--format", "file-jsonl")
    #expect(quiet.errors.isEmpty)
    #expect(quiet.output == result.output)
  }

  @Test func aMissingChannelIsReported() throws {
    let pcm = TestAudio.pcm16(TestAudio.utterance(), TestAudio.silence(seconds: 3.5))
    let stereo = try folder.write(TestAudio.wav(pcm, channels: 2), to: "stereo.wav")
    let result = try Program.analyze(stereo, "--channel", "9")
    #expect(result.status == 65)
    #expect(result.errors.contains("cannot read channel 9 of \(stereo)"))
    #expect(result.errors.contains("from 1 to 2"))
  }

  @Test func anUnsupportedRateIsReported() throws {
    let low = TestAudio.wav(TestAudio.pcm16(TestAudio.silence(seconds: 1)), rate: 4000)
    let result = try Program.analyze(try folder.write(low, to: "low.wav"))
    #expect(result.status == 65)
    #expect(result.errors.contains("4000 Hz"))
  }

  @Test func samplesThatAreNoNumbersAreSilence() throws {
    var samples = TestAudio.silence(seconds: 2)
    for index in stride(from: 0, to: samples.count, by: 3) { samples[index] = .nan }
    for index in stride(from: 1, to: samples.count, by: 3) { samples[index] = .infinity }
    let wav = TestAudio.wav(TestAudio.float32(samples), bits: 32, isFloat: true)
    let result = try Program.analyze(
      try folder.write(wav, to: "nan.wav"), "--format", "csv", "--frames", folder / "frames")
    #expect(result.status == 0)
    #expect(result.lines.count == 1, "no segment")
    let count = samples.count - samples.count / 3
    #expect(result.errors.contains("nan.wav: \(count) samples are not numbers"))
    let rows = try folder.text(of: "frames/nan.csv").split(separator: "\n").dropFirst()
    #expect(rows.count == 200)
    #expect(rows.allSatisfy { (0...1).contains(Double($0.split(separator: ",")[1]) ?? -1) })
  }

  /// The next file that vadmon opens must not become its standard input, and vadmon must not wait for itself.
  @Test func aClosedStandardInputIsAnError() throws {
    let result = try Program.shell("exec \"$vadmon\" analyze - <&-")
    #expect(result.status == 74)
    #expect(result.errors.contains("standard input"))
  }

  @Test(arguments: [["a.csv"], ["a.ch2.csv", "--channel", "each"]])
  func frameTablesDoNotReplaceARecording(_ arguments: [String]) throws {
    let wav = TestAudio.wav(TestAudio.pcm16(TestAudio.silence(seconds: 1)))
    let recording = try folder.write(wav, to: arguments[0])
    let other = try folder.write(wav, to: "a.wav")
    let inputs = arguments[0] == "a.csv" ? [recording] : [recording, other]
    let result = try Program.analyze(["--frames", folder.path] + inputs + arguments.dropFirst())
    #expect(result.status == 64)
    #expect(result.errors.contains("would replace \(recording): choose another name"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: recording)) == wav)
  }

  @Test func aRecordingWithoutSamplesIsReportedAndHasEmptyResults() throws {
    let result = try Program.analyze(
      try folder.write(TestAudio.wav(Data()), to: "none.wav"), "--format", "file-jsonl",
      "--frames", folder / "frames")
    #expect(result.status == 0)
    #expect(result.output.contains("\"duration\": 0.000"))
    #expect(result.errors.contains("none.wav: it contains a header and no audio"))
    #expect(try folder.text(of: "frames/none.csv") == "time,probability,speech\n")
  }

  @Test func aListThatIsMissingOrEmptyIsReported() throws {
    let missing = try Program.analyze("--files-from", folder / "list")
    #expect(missing.status == 66)
    #expect(missing.errors.contains("cannot read \(folder / "list"): No such file or directory"))
    let empty = try folder.write("", to: "list")
    let refused = try Program.analyze(good, "--files-from", empty)
    #expect(refused.status == 66)
    #expect(refused.errors.contains("list names no file"))
    let accepted = try Program.analyze("--files-from", empty, "--accept-bad")
    #expect(accepted.status == 0)
    #expect(accepted.output.isEmpty && accepted.errors.isEmpty)
  }
}
