import Foundation
import TestSupport
import Testing

/// The file of `vadmon compare --report`: what is in it, and what it replaces. Tests/ReportPage opens it in a browser.
@Suite struct CompareReportTests {
  private let folder = TemporaryFolder()
  private let page: String

  init() throws {
    page = folder / "page.html"
    // a: 10 ms of 30 are missed, and 10 ms too many found. b: all is found.
    try folder.write("0.00\t0.02\tspeech\n0.03\t0.04\tspeech\n", to: "labels/a.txt")
    try folder.write("0.00\t0.02\tspeech\n", to: "labels/b.txt")
    let rows = "0.000,0.9,1\n0.010,0.6,1\n0.020,0.7,1\n0.030,0.2,0\n"
    try folder.write("time,probability,speech\n" + rows, to: "frames/a.csv")
    try folder.write(
      "time,probability,speech\n0.000,1,1\n0.010,1,1\n0.020,0,0\n", to: "frames/b.csv")
  }

  private func compare(
    _ arguments: String..., detected: String = "frames"
  ) throws -> Program.Result {
    try Program.vadmon(
      ["compare", folder / "labels", folder / detected, "--report", page] + arguments)
  }

  private func data(_ id: String) throws -> JSONObject { try folder.pageData(id) }

  @Test func theMostErrorsComeFirst() throws {
    let result = try compare()
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    #expect(result.output.contains("AUC"))
    let a = try data("recording-1")
    #expect(a["file"] as? String == "a")
    #expect(a["labels"] as? [[Int]] == [[0, 20], [30, 40]])
    #expect(a["segments"] as? [[Int]] == [[0, 30]])
    #expect(a["missed"] as? [[Int]] == [[30, 40]])
    #expect(a["falseAlarms"] as? [[Int]] == [[20, 30]])
    #expect(a["against"] is NSNull && a["source"] is NSNull)
    let b = try data("recording-2")
    #expect(b["missed"] as? [[Int]] == [] && b["falseAlarms"] as? [[Int]] == [])
    // 2 / 3 of the labels of a are found, and 2 / 3 of what is found is labelled.
    let rows = try data("report").objects("recordings")
    #expect(
      rows.map { $0["note"] as? String } == [
        "F1 0.6667, missed 0:00.010, false alarms 0:00.010", "F1 1.0000",
      ])
  }

  /// 60000 is the scale; scores that are no probabilities fill it with their range.
  @Test(arguments: [
    (scores: ["0.9", "0.6", "0.7", "0.2"], heights: [54000, 36000, 42000, 12000], range: nil),
    (["-1", "3", "1", "0"], [0, 60000, 30000, 15000], [-1, 3]),
    (["7", "7", "7", "7"], [0, 0, 0, 0], [7, 7]),
    (["-1e308", "1e308", "0", "1.7e308"], [0, 44444, 22222, 60000], [-1e308, 1.7e308]),
  ])
  func scoresAreHeights(scores: [String], heights: [UInt16], range: [Double]?) throws {
    let rows = scores.enumerated().map { "0.0\($0)0,\($1),0\n" }.joined()
    try folder.write("time,probability,speech\n" + rows, to: "frames/a.csv")
    #expect(try compare().status == 0)
    let hops = try #require(data("recording-1")["hops"] as? [String: String])
    let bytes = try #require(hops["posterior"].flatMap { Data(base64Encoded: $0) })
    let found = stride(from: 0, to: bytes.count, by: 2).map {
      UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
    }
    #expect(found == heights)
    #expect(try data("recording-1")["scores"] as? [Double] == range)
  }

  @Test func segmentsHaveNoScoresAndTheOtherDetectorIsShown() throws {
    try folder.write("0.01\t0.02\tspeech\n", to: "found/a.txt")
    try folder.write("", to: "found/b.txt")
    let result = try compare("--against", folder / "labels", "--quiet", detected: "found")
    #expect(result.status == 0, "\(result.errors)")
    let a = try data("recording-1")
    #expect(a["hops"] == nil)
    #expect(a["against"] as? [[Int]] == [[0, 20], [30, 40]])
    #expect(a["missed"] as? [[Int]] == [[0, 10], [30, 40]])
  }

  @Test func theSoundIsShownAndHeard() throws {
    let sound = TestAudio.wav(TestAudio.utterance())
    for name in ["a #1/a.wav", "b.wav", "more.wav"] {
      try folder.write(sound, to: "sound/\(name)")
    }
    #expect(try compare("--recordings", folder / "sound").status == 0)
    let a = try data("recording-1")
    #expect(a["rate"] as? Int == 8000 || a["rate"] as? Int == 16_000)
    #expect(a["peaks"] != nil && a["spectrogram"] != nil && a["audio"] is NSNull)
    #expect(a["source"] as? String == "./sound/a%20%231/a.wav")
    #expect(try (data("report")["recordings"] as? [Any])?.count == 2, "not what is not compared")
    #expect(try compare("--recordings", folder / "sound", "--embed-audio").status == 0)
    let audio = try #require(data("recording-2")["audio"] as? String)
    #expect(Data(base64Encoded: audio)?.prefix(4) == Data("OggS".utf8))
  }

  /// As `vadmon analyze` names frames: with the extensions of recordings that have the same name in one folder.
  @Test func formatsOfOneNameAreTwoRecordings() throws {
    let short = TestAudio.wav(TestAudio.silence(seconds: 1))
    try folder.write(short, to: "sound/a.wav")
    try folder.write(TestAudio.wav(TestAudio.silence(seconds: 2)), to: "sound/a.wave")
    try folder.write(short, to: "sound/b.wav")
    for ending in ["wav", "wave"] {
      try folder.write("time,probability,speech\n0.000,1,1\n", to: "two/a.\(ending).csv")
    }
    try folder.write("time,probability,speech\n0.000,1,1\n", to: "two/b.csv")
    let result = try compare("--recordings", folder / "sound", detected: "two")
    #expect(result.status == 0, "\(result.errors)")
    let lengths = try (1...3).map { number in
      let recording = try data("recording-\(number)")
      return [recording["file"] as? String ?? "", "\(recording["source"] ?? "")"]
    }
    #expect(lengths.contains(["a.wave", "./sound/a.wave"]))
    #expect(lengths.contains(["a.wav", "./sound/a.wav"]))
  }

  @Test func soundThatCannotBeReadIsAnErrorBesideThePage() throws {
    try folder.write("fLaC and no more", to: "sound/a.flac")
    try folder.write(TestAudio.wav(TestAudio.silence(seconds: 1)), to: "sound/b.wav")
    let result = try compare("--recordings", folder / "sound")
    #expect(result.status == 65 && result.output.contains("AUC"))
    #expect(result.messages.count == 1, "\(result.errors)")
    let warnings = try data("recording-1")["warnings"] as? [String] ?? []
    #expect(warnings.count == 1 && result.errors == "vadmon: \(warnings[0])\n")
    #expect(try data("recording-2")["peaks"] != nil)
  }

  @Test func soundThatIsMissingIsReportedFirst() throws {
    try folder.write(TestAudio.wav(TestAudio.silence(seconds: 1)), to: "sound/b.wav")
    let result = try compare("--recordings", folder / "sound")
    #expect(result.status == 66 && result.output.isEmpty)
    expectMessage(result.errors, "a", folder / "sound", "--recordings")
    #expect(try !folder.names.contains("page.html"))
  }

  @Test func filesOfOneRecordingGoTogetherWhateverTheyAreCalled() throws {
    let sound = try folder.write(TestAudio.wav(TestAudio.silence(seconds: 1)), to: "x.wav")
    let result = try Program.vadmon(
      "compare", folder / "labels/b.txt", folder / "frames/a.csv", "--report", page, "--recordings",
      sound)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try data("recording-1")["source"] as? String == "./x.wav")
  }

  @Test func optionsAreChecked() throws {
    let sound = try folder.write(TestAudio.wav(TestAudio.silence(seconds: 1)), to: "x.wav")
    for (arguments, message) in [
      (["--recordings", sound], "--recordings is for the page of a report: add --report"),
      (["--report", page, "--embed-audio"], "add --recordings, which says where it is"),
      (["--report", "-"], "--report needs a file of its own"),
      (
        ["--report", "x.html", "--output", "./x.html"],
        "--output and --report name the same file: choose another name for one"
      ),
      (["--report", sound, "--recordings", sound], "the results would replace"),
      (["--report", folder / "labels/a.txt"], "the results would replace"),
      (["--report", page, "--recordings", "-"], "standard input cannot be compared"),
    ] {
      let result = try Program.vadmon(
        ["compare", folder / "labels", folder / "frames"] + arguments)
      #expect(result.status == 64 && result.output.isEmpty, "\(arguments): \(result.status)")
      #expect(result.errors.contains(message), "\(result.errors)")
    }
    #expect(try folder.text(of: "labels/a.txt").hasPrefix("0.00"))
  }
}
