import Foundation
import TestSupport
import Testing

/// `--channel mix|each|N` on a recording with a voice on the second channel only.
@Suite struct ChannelTests {
  private let folder: TemporaryFolder
  private let stereo: String

  init() throws {
    folder = try TemporaryFolder()
    let voice = TestAudio.utterance()
    let silence = TestAudio.silence(seconds: 3.5)
    stereo = try folder.write(
      TestAudio.wav(TestAudio.pcm16(silence, voice), channels: 2), to: "stereo.wav")
    try folder.write(TestAudio.wav(voice), to: "voice.wav")
  }

  private func rows(_ channel: String) throws -> [[String]] {
    let result = try Program.analyze(stereo, "--channel", channel, "--format", "csv")
    #expect(result.status == 0)
    return result.output.split(separator: "\r\n").dropFirst().map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test func oneChannelIsHeardAlone() throws {
    let alone = try Program.analyze(folder / "voice.wav", "--format", "csv").output
    let expected = alone.split(separator: "\r\n").dropFirst().map { $0.split(separator: ",").last }
    let rows = try rows("2")
    #expect(!rows.isEmpty)
    #expect(rows.map { $0[2] } == Array(repeating: "2", count: rows.count))
    #expect(rows.map { $0.last.map { $0[...] } } == expected)
    #expect(try self.rows("1").isEmpty)
  }

  @Test func eachChannelHasItsOwnDetector() throws {
    #expect(try rows("each") == rows("2"))
  }

  @Test func theMixIsOneChannelWithoutANumber() throws {
    let rows = try rows("mix")
    #expect(!rows.isEmpty)
    #expect(rows.allSatisfy { $0[2].isEmpty })
  }

  @Test func speechIsCountedInAllAnalysedChannels() throws {
    let both = try folder.write(
      TestAudio.wav(
        TestAudio.pcm16(TestAudio.utterance(), TestAudio.utterance()), channels: 2),
      to: "both.wav")
    let one = try Program.analyze(both, "--channel", "1", "--format", "file-jsonl")
    let each = try Program.analyze(both, "--channel", "each", "--format", "file-jsonl")
    let seconds = try [one, each].map { try #require(speech($0)) }
    #expect(seconds[1] == 2 * seconds[0])
    #expect(each.output.contains("\"analysed_channels\": 2"))
  }

  private func speech(_ result: Program.Result) -> Double? {
    let object = try? JSONSerialization.jsonObject(with: Data(result.output.utf8))
    return (object as? [String: Any])?["speech_seconds"] as? Double
  }
}
