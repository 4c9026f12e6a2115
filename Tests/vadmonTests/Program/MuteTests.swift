import Foundation
import TestSupport
import Testing

/// `--muted` and `--mute-timeline`: was the user speaking while muted?
@Suite struct MuteTests {
  private let folder = TemporaryFolder()
  /// Silence until 2 s, a voice until 5 s, silence until 8 s.
  private let recording: String

  init() throws {
    let samples =
      TestAudio.silence(seconds: 2) + TestAudio.voice(seconds: 3) + TestAudio.silence(seconds: 3)
    recording = try folder.write(TestAudio.wav(samples), to: "a.wav")
  }

  /// Returns the start and end of each muted speech. A long hangover joins pauses inside the voice.
  private func muted(_ arguments: String...) throws -> [(start: Double, end: Double)] {
    let result = try Program.analyze(
      [recording, "--format", "csv", "--hangover", "500ms"] + arguments)
    #expect(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\r\n").filter { $0.hasPrefix("muted_speech,") }.map {
      let fields = $0.split(separator: ",", omittingEmptySubsequences: false)
      return (Double(fields[3]) ?? -1, Double(fields[4]) ?? -1)
    }
  }

  @Test func withoutAMuteThereIsNoMutedSpeech() throws { #expect(try muted().isEmpty) }

  @Test(arguments: [["--muted"], ["--mute-timeline", "0-"], ["--mute-timeline", "1-7.5"]])
  func speechWhileMutedIsReported(arguments: [String]) throws {
    let spans = try muted(arguments[0], arguments.last == "--muted" ? "--quiet" : arguments[1])
    let span = try #require(spans.first)
    #expect(spans.count == 1)
    #expect((2..<3.5).contains(span.start))
    #expect((4..<7.5).contains(span.end))
  }

  @Test func muteThatIsOverBeforeTheSpeechSeesNone() throws {
    #expect(try muted("--mute-timeline", "0-1.9").isEmpty)
  }

  @Test func unmutingEndsIt() throws {
    let spans = try muted("--mute-timeline", "0-4")
    #expect(spans.count == 1)
    #expect(abs(try #require(spans.first).end - 4) <= 0.05)
  }

  @Test func theEndOfASentenceIsNotMutedSpeech() throws {
    #expect(try muted("--mute-timeline", "3.5-", "--mute-carry-over", "10s").isEmpty)
    let spans = try muted("--mute-timeline", "3-", "--mute-carry-over", "300ms")
    #expect(try #require(spans.first).start >= 3.6, "grace and carry-over are over")
  }

  @Test func peopleReadItInALineOfText() throws {
    let text = try Program.analyze(recording, "--muted", "--hangover", "500ms").output
    #expect(text.split(separator: "\n").contains { $0.hasSuffix("  speaking while muted") })
  }

  /// Muted speech becomes known before its segment if an unmute ends it, and after the next segment with a long
  /// release.
  @Test(arguments: [["--muted", "--muted-release", "2s"], ["--mute-timeline", "0-2.6,2.9-6.5"]])
  func rowsAreInTheOrderOfTheirStarts(arguments: [String]) throws {
    let recording = TestAudio.samples + "/muted-talk.flac"
    let text = try Program.analyze([recording] + arguments).output
    let rows = text.split(separator: "\n").filter { $0.contains(" – ") }
    let starts = rows.map { $0.prefix(16) }
    #expect(rows.contains { $0.contains("muted") } && starts.count > 2)
    #expect(starts == starts.sorted(), "the blanks in front sort before digits")
    let turns = try Program.analyze([recording, "--format", "rttm"] + arguments).lines.map {
      $0.split(separator: " ")
    }
    let times = turns.compactMap { Double($0[3]) }
    #expect(times == times.sorted() && times.count == rows.count)
    #expect(turns.contains { $0[7] == "muted_speech" })
  }

  /// The user speaks, mutes, and a television 25 dB below follows.
  @Test func aTelevisionFarBelowTheUserIsNotMutedSpeech() throws {
    let speech = try TelephoneSpeech.samples(rate: 8000)
    let talk = speech + speech + speech
    let path = try folder.write(
      TestAudio.wav(talk + speech.map { $0 * 0.056 }, rate: 8000), to: "television.wav")
    func count(_ arguments: String...) throws -> Int {
      try Program.analyze(
        [path, "--format", "csv", "--mute-timeline", "\(talk.count / 8000)-"] + arguments
      ).output.split(separator: "\r\n").count { $0.hasPrefix("muted_speech,") }
    }
    #expect(try count() == 0)
    #expect(try count("--speaker-margin", "15") == 0)
    #expect(try count("--speaker-margin", "30") > 0)
    #expect(try count("--speaker-margin", "off") > 0)
  }

  @Test(arguments: ["json", "jsonl", "csv", "rttm", "audacity", "srt", "vtt"])
  func everyFormatThatHasRoomForItCarriesIt(format: String) throws {
    let with = try Program.analyze(recording, "--muted", "--format", format).output
    let without = try Program.analyze(recording, "--format", format).output
    let word =
      switch format {
      case "json": "\"muted_speech\": [\n"
      case "audacity", "srt", "vtt": "speaking while muted"
      default: "muted_speech"
      }
    #expect(occurrences(of: word, in: with) > occurrences(of: word, in: without))
  }

  private func occurrences(of word: String, in text: String) -> Int {
    text.components(separatedBy: word).count - 1
  }
}
