import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import vadmon

/// Files of `--report`: when there is one, what is in it, and what it replaces. Tests/ReportPage opens them in a
/// browser.
@Suite struct ReportTests {
  private let folder = TemporaryFolder()
  private let speech: String

  init() throws {
    speech = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "in/speech.wav")
  }

  private func data(_ id: String) throws -> JSONObject { try folder.pageData(id) }

  private func report(_ arguments: [String], input: Data = Data()) throws -> Program.Result {
    try Program.analyze(["--report", folder / "page.html"] + arguments, input: input)
  }

  @Test func theResultsAreAsWithoutAReport() throws {
    let without = try Program.analyze(speech, "--format", "json")
    let with = try report([speech, "--format", "json"])
    #expect(with.status == 0 && with.output == without.output, "\(with.errors)")
    #expect(try data("recording-1")["samples"] as? [Int] == [0, 56_000])
  }

  @Test func theShortestRecordingsHaveAPage() throws {
    for (name, samples) in [
      ("none", []), ("one", [0.5]), ("silent", TestAudio.silence(seconds: 1)),
    ] {
      let path = try folder.write(TestAudio.wav(samples), to: "\(name).wav")
      let result = try report([path, "--force"])
      #expect(result.status == 0, "\(name): \(result.errors)")
      let recording = try data("recording-1")
      #expect(recording["samples"] as? [Int] == [0, samples.count])
      #expect((recording["segments"] as? [Any])?.isEmpty == true)
    }
  }

  @Test func aTornRecordingIsShownAsFarAsItGoes() throws {
    let whole = TestAudio.wav(TestAudio.utterance() + TestAudio.utterance())
    let torn = try folder.write(whole.prefix(whole.count / 2), to: "torn.wav")
    let broken = try folder.write("fLaC and no more", to: "broken.flac")
    let result = try report([torn, broken, speech])
    #expect(result.status == 65)
    #expect(((try data("recording-1")["warnings"] as? [String]) ?? []).count == 1)
    #expect(try data("recording-1")["failure"] is NSNull, "its beginning was analysed")
    expectMessage(try #require(try data("recording-2")["failure"] as? String), "broken.flac")
    #expect(try data("recording-2")["warnings"] as? [String] == [])
    #expect(try data("recording-2")["hops"] == nil)
    let rows = try data("report").objects("recordings")
    #expect(rows.map { $0["failed"] as? Bool } == [false, true, false])
    #expect(rows[1]["note"] as? String == "not analysed")
    #expect((try data("recording-3")["segments"] as? [Any])?.count == 1)
    #expect((try data("report")["recordings"] as? [Any])?.count == 3)
  }

  @Test func eachChannelHasItsOwnPicture() throws {
    let path = TestAudio.samples + "/stereo-48k.flac"
    #expect(try report([path, "--channel", "each"]).status == 0)
    #expect(try data("recording-1")["channel"] as? Int == 1)
    #expect(try data("recording-2")["channel"] as? Int == 2)
    let fixed = try data("report")["fixed"] as? [String]
    #expect(fixed == ["--channel", "each"])
  }

  @Test func inputsKeepTheirOrder() throws {
    let names = (0..<12).map { "\($0).wav" }
    for (index, name) in names.enumerated() {
      try folder.write(
        TestAudio.wav(TestAudio.silence(seconds: index.isMultiple(of: 2) ? 2 : 0.01)),
        to: "many/\(name)")
    }
    #expect(try report(names.map { folder / "many/\($0)" } + ["-j", "4"]).status == 0)
    for (index, name) in names.enumerated() {
      #expect(try data("recording-\(index + 1)")["file"] as? String == folder / "many/\(name)")
    }
  }

  @Test func aRunWithoutInputKeepsTheReportOfTheRunBefore() throws {
    try folder.write("earlier", to: "page.html")
    #expect(try report([folder / "nowhere.wav"]).status == 66)
    #expect(try folder.text(of: "page.html") == "earlier")
    #expect(try report([folder / "nowhere.wav", speech]).status == 66)
    #expect(try folder.text(of: "page.html") != "earlier")
    #expect(try folder.names == ["in", "page.html"])
  }

  @Test func aReportReplacesNoRecordingAndNoResult() throws {
    let recording = try Program.analyze(speech, "--report", speech)
    #expect(recording.status == 64)
    #expect(recording.errors.contains("would replace \(speech)"))
    let result = try Program.analyze(speech, "--report", folder / "x", "--output", folder / "./x")
    #expect(result.status == 64)
    #expect(result.errors.contains("--report names the same file as other results"))
    #expect(try folder.names == ["in"])
  }

  @Test func nonsenseIsRefused() throws {
    let stream = try Program.analyze(speech, "--report", "-")
    #expect(stream.status == 64 && stream.errors.contains("--report needs a file of its own"))
    let sound = try Program.analyze(speech, "--embed-audio")
    #expect(sound.status == 64 && sound.errors.contains("add --report FILE.html"))
    let nowhere = try Program.analyze(speech, "--report", folder / "no/page.html")
    #expect(nowhere.status == 74 && nowhere.output.isEmpty)
    #expect(nowhere.errors.contains("its folder does not exist"))
    let full = try Program.analyze(speech, "--report", "/dev/full")
    #expect(full.status == 74 && full.errors.contains("the disk is full"))
  }

  @Test func theSoundIsOpusOfTheSameLength() throws {
    #expect(try report([speech, "--embed-audio"]).status == 0)
    let audio = try #require(Data(base64Encoded: try data("recording-1")["audio"] as? String ?? ""))
    #expect(audio.prefix(4) == Data("OggS".utf8) && audio.range(of: Data("OpusHead".utf8)) != nil)
    let path = try folder.write(audio, to: "sound.opus")
    let decoded = try Program.analyze(path, "--format", "json")
    #expect(decoded.output.contains("\"duration\": 3.5"), "\(decoded.output) \(decoded.errors)")
  }

  @Test func withoutFFmpegThereIsOneSentence() throws {
    let result = try Program.analyze(
      speech, "--report", folder / "page.html", "--embed-audio", "--output", folder / "text",
      environment: ["PATH": folder.path])
    #expect(result.status == 69)
    expectMessage(result.errors, "--embed-audio", "ffmpeg", "PATH", "install")
    #expect(try folder.names == ["in"])
  }

  @Test func anAddressLeadsFromThePageToTheRecording() {
    func address(_ file: String, _ page: String) -> String? {
      PageAddress.of(FilePath(file), from: FilePath(page))
    }
    #expect(address("/a/b/c.wav", "/a/b/page.html") == "./c.wav")
    #expect(address("/a/x/c.wav", "/a/b/d/page.html") == "./../../x/c.wav")
    #expect(address("/a/b/../c #1%?.wav", "/page.html") == "./a/c%20%231%25%3F.wav")
    #expect(address("/it's:\"ü.wav", "/page.html") == "./it%27s%3A%22%C3%BC.wav")
    #expect(address("-", "/page.html") == nil)
  }
}
