import Foundation
import TestSupport
import Testing
import VoiceActivity

/// The exact format of `--frames DIR`, which scorers read.
@Suite struct FramesTests {
  private let folder = TemporaryFolder()

  private func frames(
    _ name: String, _ samples: [Float], rate: Int, _ arguments: String...
  ) throws -> [[String]] {
    let input = try folder.write(TestAudio.wav(samples, rate: rate), to: "\(name).wav")
    let result = try Program.analyze(
      [input, "--quiet", "--force", "--frames", folder / "frames"] + arguments)
    #expect(result.status == 0, "\(result.errors)")
    let text = try folder.text(of: "frames/\(name).csv")
    #expect(text.hasPrefix("time,probability,speech\n"))
    #expect(text.hasSuffix("\n") && !text.contains("\r"))
    return text.split(separator: "\n").dropFirst().map { $0.split(separator: ",").map(String.init) }
  }

  /// There are floor(duration / 10 ms) rows, whatever the rate; the samples of an incomplete last hop give none.
  @Test(arguments: [8000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 96_000])
  func thereIsARowForEachWholeHop(rate: Int) throws {
    let hop = Double(rate) / 100
    let lengths = [0, 1, hop - 1, hop, hop + 1, 7.5 * hop, 50 * hop, 50 * hop - 1, 123.4 * hop]
    let voice = TestAudio.voice(seconds: 1.25, rate: rate)
    for length in lengths.map({ Int($0) }) {
      let rows = try frames("\(rate)-\(length)", Array(voice.prefix(length)), rate: rate)
      #expect(rows.count == length * 100 / rate, "\(length) samples at \(rate) Hz")
    }
  }

  @Test func timesAreTheStartsOfTheHops() throws {
    let rows = try frames("a", TestAudio.voice(seconds: 12.5), rate: 16_000)
    #expect(rows.prefix(3).map { $0[0] } == ["0.000", "0.010", "0.020"])
    #expect(rows.last?[0] == "12.490")
    for (index, row) in rows.enumerated() {
      #expect(Double(row[0]) == Double(index * 10) / 1000)
    }
  }

  @Test func probabilityAndDecisionAreWhatTheySay() throws {
    let rows = try frames("a", TestAudio.utterance(), rate: 16_000)
    #expect(rows.allSatisfy { $0.count == 3 })
    #expect(rows.allSatisfy { (0...1).contains(Double($0[1]) ?? -1) })
    #expect(Set(rows.map { $0[2] }) == ["0", "1"])
  }

  @Test func onlyTheDecisionIsShaped() throws {
    let plain = try frames("a", TestAudio.utterance(), rate: 16_000)
    let shaped = try frames(
      "a", TestAudio.utterance(), rate: 16_000, "--pad", "1s", "--min-speech", "10s",
      "--min-silence", "2s", "--muted")
    #expect(shaped.map { $0.prefix(2) } == plain.map { $0.prefix(2) })
    #expect(shaped.allSatisfy { $0[2] == "0" })
  }

  /// Frames and segments give the same figures, however the segments are shaped.
  @Test(arguments: [
    [], ["--pad", "35ms"], ["--min-speech", "300ms", "--min-silence", "200ms", "--pad", "125ms"],
    ["--preset", "transcription"],
  ])
  func framesAgreeWithTheSegments(arguments: [String]) throws {
    let result = try Program.analyze(
      [
        TestAudio.samples, "--frames", folder / "frames", "--output-dir", folder / "labels",
        "--format", "audacity",
      ] + arguments)
    #expect(result.status == 0, "\(result.errors)")
    // Segments do not state the length of a recording.
    let lengths = try Program.shell(
      "cd frames && for f in *.csv; do echo ${f%.csv} 1 0 $(tail -n +2 $f | wc -l | sed 's/..$/.&/'); done",
      in: folder)
    let map = try folder.write(lengths.output, to: "all.uem")
    let figures = try ["frames", "labels"].map { found in
      try Program.vadmon(
        "compare", TestAudio.samples, folder / found, "--quiet", "--format", "json", "--uem", map
      ).json.object("pooled")
    }
    for name in ["f1", "precision", "recall", "segments_found", "onset_p90_ms", "offset_p90_ms"] {
      #expect(figures[0][name] as? Double == figures[1][name] as? Double, "\(name)")
    }
    #expect(figures[0]["auc"] is Double && figures[1]["auc"] is NSNull)
  }

  @Test func aLiveHostLearnsOfSpeechLater() throws {
    let input = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "a.wav")
    #expect(try Program.analyze(input, "--live", "--frames", folder.path).status == 0)
    let rows = try folder.text(of: "a.csv").split(separator: "\n").map { $0.split(separator: ",") }
    #expect(rows[0] == ["time", "probability", "speech", "live"])
    let segment = rows.indices.filter { rows[$0][2] == "1" }
    let live = rows.indices.filter { rows[$0][3] == "1" }
    // The onset is dated back, and the end comes after the hangover.
    #expect(live.first! > segment.first! && live.last! > segment.last!)
  }

  @Test(arguments: [true, false])
  func aRecordingIsDecidedWithWhatFollows(isLive: Bool) throws {
    let samples = TestAudio.utterance()
    let input = try folder.write(TestAudio.wav(samples), to: "a.wav")
    let options = ["--frames", folder.path] + (isLive ? ["--live"] : [])
    #expect(try Program.analyze([input] + options).status == 0)
    let rows = try folder.text(of: "a.csv").split(separator: "\n").dropFirst()
    let found = rows.map { Float($0.split(separator: ",")[1])! }
    var detector = try VoiceActivityDetector(
      configuration: .init(sampleRate: 16_000), isSmoothed: !isLive)
    var posteriors: [Float] = []
    detector.process(samples.span, onHop: { posteriors.append($0.posterior) }, onEvent: { _ in })
    detector.flush(onHop: { posteriors.append($0.posterior) }, onEvent: { _ in })
    #expect(found.count == posteriors.count)
    #expect(zip(found, posteriors).allSatisfy { abs($0 - $1) < 2e-3 })
  }

  @Test func eachChannelHasAFileOfItsOwn() throws {
    let pcm = TestAudio.pcm16(TestAudio.utterance(), TestAudio.silence(seconds: 3.5))
    let stereo = try folder.write(TestAudio.wav(pcm, channels: 2), to: "x.y.wav")
    let frames = TemporaryFolder()
    let result = try Program.analyze(stereo, "--channel", "each", "--frames", frames.path)
    #expect(result.status == 0)
    #expect(try frames.names == ["x.y.ch1.csv", "x.y.ch2.csv"])
    #expect(try frames.text(of: "x.y.ch1.csv").contains(",1\n"))
    #expect(try !frames.text(of: "x.y.ch2.csv").contains(",1\n"))
  }

  @Test func standardInputIsCalledStdin() throws {
    let result = try Program.analyze(
      "-", "--frames", folder / "deep/frames", input: TestAudio.pcm16(TestAudio.utterance()))
    #expect(result.status == 0)
    #expect(try folder.names == ["deep"])
    #expect(try folder.text(of: "deep/frames/stdin.csv").split(separator: "\n").count == 351)
  }
}
