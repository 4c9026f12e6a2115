import Foundation
import TestSupport
import Testing

/// `--invert`: the silence in place of the speech.
@Suite struct InvertTests {
  private let folder = TemporaryFolder()
  private let recording = TestAudio.samples + "/stereo-48k.flac"

  /// What is saved with and without it is the recording, sample for sample.
  @Test(arguments: [[], ["--pad", "300ms"], ["--min-silence", "0"], ["--min-speech", "1h"]])
  func speechAndSilenceTogetherAreTheRecording(options: [String]) throws {
    let original = try CutRecording.decode(recording)
    var parts: [(start: Int, samples: [UInt32])] = []
    for (name, flags) in [("speech", []), ("silence", ["--invert"])] {
      let run = try Program.analyze(
        [recording, "--save-segments", folder / name, "--fade", "0", "--format", "json"] + options
          + flags)
      #expect(run.status == 0, "\(run.errors)")
      let file = try #require(run.json.objects("files").first)
      for segment in try file.objects("segments") {
        let path = try #require(segment["saved"] as? String)
        let start = try #require(segment["start_sample"] as? Int)
        parts.append((start, try CutRecording.decode(path)))
      }
    }
    #expect(parts.count > 2 || options.contains("1h"))
    #expect(parts.sorted { $0.start < $1.start }.flatMap(\.samples) == original)
  }

  @Test func trimThenKeepsTheSilence() throws {
    for (name, flags) in [("speech", [String]()), ("silence", ["--invert"])] {
      let run = try Program.analyze(
        [recording, "--trim", folder / "\(name).wav", "--fade", "0"] + flags)
      #expect(run.status == 0, "\(run.errors)")
    }
    let lengths = try ["speech", "silence"].map {
      try CutRecording.decode(folder / "\($0).wav").count
    }
    #expect(lengths.reduce(0, +) == (try CutRecording.decode(recording).count))
  }

  @Test func totalsAreOfSpeech() throws {
    func totals(_ flags: String...) throws -> JSONObject {
      try Program.analyze([recording, "--format", "file-jsonl"] + flags).json
    }
    let (speech, silence) = (try totals(), try totals("--invert"))
    for name in ["duration", "speech_seconds", "muted_speech_seconds"] {
      #expect(speech[name] as? Double == silence[name] as? Double, "\(name)")
    }
    let counts = [speech, silence].compactMap { $0["segment_count"] as? Int }
    #expect(counts == [2, 3])
    let text = try Program.analyze(recording, "--invert").output
    #expect(text.contains(", 3 silences\n"), "\(text)")
    let total = try Program.analyze(recording, recording, "--invert").output
    #expect(total.hasSuffix(", 6 silences of 2 recordings\n"), "\(total)")
  }

  /// Nobody speaks: that is one silence, and still exit code 1.
  @Test func theExitCodeIsOfSpeech() throws {
    let silence = try folder.write(TestAudio.wav(TestAudio.silence(seconds: 1)), to: "s.wav")
    let run = try Program.analyze(silence, "--invert", "--exit-code", "--template", "{start} {end}")
    #expect(run.status == 1 && run.output == "0.000 1.000\n", "\(run.errors)")
    let text = try Program.analyze(silence, "--invert").output
    #expect(text.contains("no speech in 0:01.000"), "\(text)")
    #expect(try Program.analyze(recording, "--invert", "--exit-code").status == 0)
  }

  /// Frames and pictures have columns and lanes of speech.
  @Test func framesAndPicturesShowSpeech() throws {
    for (name, flags) in [("a", [String]()), ("b", ["--invert"])] {
      let run = try Program.analyze(
        [recording, "--frames", folder / name, "--plot", folder / "\(name).svg"] + flags)
      #expect(run.status == 0, "\(run.errors)")
    }
    for file in ["/stereo-48k.csv", ".svg"] {
      let (speech, inverted) = (try folder.text(of: "a\(file)"), try folder.text(of: "b\(file)"))
      #expect(!speech.isEmpty && speech == inverted, "\(file)")
    }
  }
}
