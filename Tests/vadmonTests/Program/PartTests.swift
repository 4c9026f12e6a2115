import Foundation
import TestSupport
import Testing

/// `--from` and `--to`, compared with recordings that the tests have cut themselves.
@Suite struct PartTests {
  private let folder = TemporaryFolder()
  /// At 8 kHz, a voice in the first channel and a later one in the second.
  private let channels: [[Float]]
  private let rate = 8000
  private let from = 2.25
  private let to = 6.5

  init() throws {
    let talk = TestAudio.utterance(rate: 8000) + TestAudio.utterance(rate: 8000)
    let pause = TestAudio.silence(seconds: 0.7, rate: 8000)
    channels = [talk + pause, pause + talk]
    try folder.write(wav(channels), to: "whole.wav")
    let range = Int(from * 8000)..<Int(to * 8000)
    try folder.write(wav(channels.map { Array($0[range]) }), to: "part.wav")
  }

  private func wav(_ channels: [[Float]]) -> Data {
    TestAudio.wav(TestAudio.pcm16(channels[0], channels[1]), rate: rate, channels: 2)
  }

  private var bounds: [String] { ["--from", "0:02.25", "--to", "6500ms"] }

  private func analyze(_ arguments: [String], input: Data = Data()) throws -> Program.Result {
    let result = try Program.analyze(["--quiet"] + arguments, input: input)
    #expect(result.status == 0, "\(result.errors)")
    return result
  }

  /// Returns all spans, with their times in ms and in samples.
  private func spans(_ arguments: [String], input: Data = Data()) throws -> [[String]] {
    let template = "{kind} {channel} {start_ms} {end_ms} {start_sample} {end_sample} {decided_at}"
    return try analyze(arguments + ["--template", template], input: input).lines.map {
      $0.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// What lies before a part was not looked at, which figures do not show.
  @Test func compareSaysThatResultsAreOfAPart() throws {
    let labels = try folder.write("1\t2\tspeech\n", to: "labels.txt")
    for (start, saysSo) in [("2.25", true), ("0", false)] {
      _ = try analyze([
        folder / "whole.wav", "--from", start, "--frames", folder / "frames", "--format", "json",
        "--output", folder / "part.json", "--force",
      ])
      for found in ["part.json", "frames/whole.csv"] {
        let result = try Program.vadmon("compare", labels, folder / found)
        #expect(result.status == 0)
        #expect(result.errors.contains("only the part from 2.250 s on was analysed") == saysSo)
      }
    }
  }

  private func moved(_ spans: [[String]]) -> [[String]] {
    spans.map { span in
      span.prefix(2)
        + [
          "\(Int(span[2])! + Int(from * 1000))", "\(Int(span[3])! + Int(from * 1000))",
          "\(Int(span[4])! + 18_000)",
          "\(Int(span[5])! + 18_000)",
          String(format: "%.3f", Double(span[6])! + from),
        ]
    }
  }

  /// Read from a file that can be sought in, from one that has to be decoded, from a pipe and as raw PCM.
  @Test(arguments: [
    [], ["--channel", "each"], ["--channel", "any", "--pad", "400ms"], ["--invert"], ["--live"],
    ["--reference-channel", "2"],
  ])
  func aPartIsAnalysedAsIfNothingWereAroundIt(options: [String]) throws {
    let expected = moved(try spans([folder / "part.wav"] + options))
    #expect(!expected.isEmpty)
    try Program.run(["flac", "-s", folder / "whole.wav", "-o", folder / "w.flac"])
    for recording in ["whole.wav", "w.flac"] {
      #expect(try spans([folder / recording] + bounds + options) == expected, "\(recording)")
    }
    guard !options.contains("--reference-channel") else { return }
    let whole = wav(channels)
    #expect(try spans(["-"] + bounds + options, input: whole) == expected)
    let raw = ["-", "--sample-format", "s16", "--rate", "8000", "--channels", "2"]
    #expect(try spans(raw + bounds + options, input: whole.dropFirst(44)) == expected)
  }

  @Test func theMuteHasTheTimesOfTheRecording() throws {
    let part = try spans([folder / "part.wav", "--mute-timeline", "0-1.25,2-"])
    let whole = try spans([folder / "whole.wav", "--mute-timeline", "1-3.5,4.25-"] + bounds)
    #expect(whole == moved(part) && part.contains { $0[0] == "muted_speech" })
  }

  @Test func framesAndSavedSoundAreThoseOfThePart() throws {
    for (name, flags) in [("whole", bounds), ("part", [])] {
      _ = try analyze(
        [
          folder / "\(name).wav", "--frames", folder / "frames", "--save-segments", folder / name,
          "--segment-name", "{index}", "--trim", folder / "\(name)-trimmed.wav",
        ] + flags)
    }
    let tables = try ["whole", "part"].map {
      try folder.text(of: "frames/\($0).csv").split(separator: "\n").dropFirst()
        .map { $0.split(separator: ",") }
    }
    #expect(tables[0].count == 425 && tables[0].map { $0[1...] } == tables[1].map { $0[1...] })
    #expect(tables[0].first?.first == "2.250" && tables[0].last?.first == "6.490")
    let names = try folder.names(in: "whole")
    #expect(!names.isEmpty)
    for name in names.map({ "/\($0)" }) + ["-trimmed.wav"] {
      let (whole, part) = (folder / "whole\(name)", folder / "part\(name)")
      #expect(FileManager.default.contentsEqual(atPath: whole, andPath: part), "\(name)")
    }
    let map = try folder.text(of: "whole-trimmed.wav.csv").split(separator: "\n")[1]
    let first = try #require(spans([folder / "whole.wav"] + bounds).first)
    #expect(map.split(separator: ",")[4] == first[4])
  }

  @Test func formatsWithALengthEndWithThePart() throws {
    let grid = try analyze([folder / "whole.wav", "--format", "textgrid"] + bounds).output
    #expect(grid.contains("xmax = 6.500\n"))
    let json = try analyze([folder / "whole.wav", "--format", "file-jsonl"] + bounds).output
    #expect(json.contains("\"duration\": 4.250,"))
    let text = try analyze([folder / "whole.wav"] + bounds).output
    #expect(text.contains(" of 0:04.250 ("))
    _ = try analyze(
      [folder / "whole.wav", "--format", "json", "--output", folder / "a.json"] + bounds)
    _ = try analyze(
      [folder / "whole.wav", "--format", "textgrid", "--output", folder / "a.TextGrid"] + bounds)
    let compared = try Program.vadmon(
      "compare", folder / "a.json", folder / "a.TextGrid", "--min", "f1=1")
    #expect(compared.status == 0, "\(compared.errors)\(compared.output)")
    expectMessage(compared.errors, "a.json", "2.250 s on", "without speech")
  }

  @Test func theEndOfTheRecordingMayComeFirst() throws {
    let plain = try spans([folder / "whole.wav"])
    #expect(try spans([folder / "whole.wav", "--from", "0", "--to", "1h"]) == plain)
    // The analysis has steps of 10 ms.
    let exact = try spans([folder / "whole.wav", "--from", "2.25"])
    #expect(try spans([folder / "whole.wav", "--from", "2259ms"]) == exact)
  }

  @Test(arguments: ["whole.wav", "whole.flac"]) func aStartBehindTheEndIsAnError(name: String)
    throws
  {
    try Program.run(["flac", "-s", folder / "whole.wav", "-o", folder / "whole.flac"])
    for from in ["7.7", "1h"] {
      let result = try Program.analyze(folder / name, "--from", from)
      #expect(result.status == 65)
      expectMessage(result.errors, folder / name, "--from", "earlier")
    }
    let some = try Program.analyze(folder / "part.wav", folder / name, "--from", "6s")
    #expect(some.status == 65 && some.output.contains("speech 0:0"))
    #expect(!some.output.contains("no speech"))
    let page = folder / "page.html"
    _ = try analyze([folder / name, "--report", page])
    let good = try Data(contentsOf: URL(fileURLWithPath: page))
    #expect(try Program.analyze(folder / name, "--from", "1h", "--report", page).status == 65)
    #expect(try Data(contentsOf: URL(fileURLWithPath: page)) == good)
  }

  /// Returns what a report holds of its only recording.
  private func reported(_ arguments: [String]) throws -> JSONObject {
    _ = try analyze(arguments + ["--report", folder / "page.html", "--force"])
    return try folder.pageData("recording-1")
  }

  @Test func picturesShowThePartAlone() throws {
    let whole = try reported([folder / "whole.wav"] + bounds)
    let part = try reported([folder / "part.wav"])
    for name in ["peaks", "hops", "spectrogram"] {
      #expect(whole[name] as? NSObject == part[name] as? NSObject, "\(name)")
    }
    #expect(whole["samples"] as? [Int] == [18_000, 52_000])
    let later = try #require(part["segments"] as? [[Int]]).map { $0.map { $0 + 2250 } }
    #expect(whole["segments"] as? [[Int]] == later)
    let drawn = try [[folder / "whole.wav"] + bounds, [folder / "part.wav"]].map { arguments in
      try analyze(arguments + ["--waveform", "always"]).lines.filter {
        $0.contains { "▁▂▃▄▅▆▇█━".contains($0) }
      }
    }
    #expect(drawn[0] == drawn[1] && !drawn[0].isEmpty)
  }

  @Test func settingsHoldTheBounds() throws {
    let shown = try analyze(["--show-config", "--format", "json"] + bounds).output
    #expect(shown.contains("\"from_ms\": 2250, \"to_ms\": 6500"))
    try folder.write(shown, to: "bounds.json")
    let options = ["--config", folder / "bounds.json"]
    #expect(
      try spans([folder / "whole.wav"] + options) == spans([folder / "whole.wav"] + bounds))
  }
}
