import Foundation
import TestSupport
import Testing

/// Files of `--plot`.
@Suite struct PlotTests {
  private let folder = TemporaryFolder()
  private let speech: String

  init() throws {
    speech = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "in/speech.wav")
  }

  @Test func theNameDecidesTheFormat() throws {
    #expect(try Program.analyze(speech, "--plot", folder / "a.svg").status == 0)
    #expect(try folder.text(of: "a.svg").hasPrefix("<svg "))
    let png = try Program.analyze(speech, "--plot", folder / "a.PNG")
    #expect(png.status == 0, "\(png.errors)")
    let bytes = try folder.data(of: "a.PNG")
    #expect(bytes.prefix(8) == Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    let other = try Program.analyze(speech, "--plot", folder / "a.jpg")
    #expect(other.status == 64 && other.errors.contains("end the name with .svg or .png"))
  }

  @Test func withoutAConverterThereIsOneSentenceAndNoFile() throws {
    let result = try Program.analyze(
      speech, "--plot", folder / "a.png", "--output", folder / "text",
      environment: ["PATH": folder.path])
    #expect(result.status == 69)
    expectMessage(result.errors, "PNG", "rsvg-convert", "PATH", "librsvg2-bin")
    #expect(try folder.names == ["in"])
  }

  @Test func aConverterThatFailsIsNamed() throws {
    try folder.script("exit 3", to: "bin/rsvg-convert")
    let result = try Program.analyze(
      speech, "--plot", folder / "a.png", "--output", folder / "text",
      environment: ["PATH": folder / "bin"])
    #expect(result.status == 69)
    expectMessage(result.errors, "rsvg-convert failed with exit code 3", "end the name with .svg")
    #expect(!folder.has("a.png"))
  }

  @Test func aPlotIsOfOneRecording() throws {
    let several = try Program.analyze(speech, speech, "--plot", folder / "a.svg")
    #expect(several.status == 64 && several.errors.contains("choose one, or use --report"))
    let channels = try Program.analyze(speech, "--channel", "each", "--plot", folder / "a.svg")
    #expect(channels.status == 64 && channels.errors.contains("--channel is each: choose another"))
    #expect(try folder.names == ["in"])
  }

  @Test func aPlotReplacesNothingElse() throws {
    let report = try Program.analyze(
      speech, "--plot", folder / "a.svg", "--report", folder / "a.svg")
    #expect(report.status == 64 && report.errors.contains("--plot names the same file"))
    try folder.write("earlier", to: "a.svg")
    #expect(try Program.analyze(folder / "nowhere.wav", "--plot", folder / "a.svg").status == 66)
    #expect(try folder.text(of: "a.svg") == "earlier")
  }
}

/// `--waveform`, in the text for people.
@Suite struct WaveformTests {
  private let recording = TestAudio.samples + "/speech.flac"

  @Test func aPipeGetsALineUnlessAWaveformIsAskedFor() throws {
    let plain = try Program.analyze(recording)
    let never = try Program.analyze(recording, "--waveform", "never")
    #expect(never.output == plain.output)
    #expect(!plain.output.contains("━"))
    let drawn = try Program.analyze(
      recording, "--waveform", "always", environment: ["LC_ALL": "C.UTF-8"])
    #expect(drawn.lines.contains { $0.contains("━") && $0.count <= 78 })
    // All other lines are the same.
    let others = plain.lines.filter { !$0.contains("█") }
    #expect(drawn.lines.filter(others.contains) == others)
  }

  @Test func aLocaleWithoutUnicodeGetsASCII() throws {
    let folder = TemporaryFolder()
    let named = folder / "1–2 ×….flac"
    try FileManager.default.copyItem(atPath: recording, toPath: named)
    let drawn = try Program.analyze(named, "--waveform", "always", environment: ["LC_ALL": "C"])
    #expect(drawn.lines[0].hasPrefix(named), "a name stays as it is")
    let picture = drawn.lines.filter { !$0.contains(" s") && !$0.contains("Hz") }
    #expect(picture.contains { $0.contains("====") } && picture.contains { $0.contains("###") })
    for line in drawn.lines.dropFirst() { #expect(line.allSatisfy { $0.isASCII }, "\(line)") }
  }

  /// As in a container: what shows its output takes UTF-8.
  @Test func withoutALocaleResultsHaveUnicode() throws {
    let unset = ["LC_ALL": "", "LC_CTYPE": "", "LANG": ""]
    #expect(
      try Program.analyze(recording, environment: unset).output
        == Program.analyze(recording, environment: ["LC_ALL": "C.UTF-8"]).output)
  }

  @Test func onlyTextHasAWaveform() throws {
    let plain = try Program.analyze(recording, "--format", "jsonl")
    let drawn = try Program.analyze(recording, "--format", "jsonl", "--waveform", "always")
    #expect(drawn.output == plain.output)
  }
}
