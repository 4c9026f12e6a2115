import Annotations
import Foundation
import TestSupport
import Testing

/// `--channel mix|each|any|N` on a recording with a voice on the second channel only.
@Suite struct ChannelTests {
  private let folder = TemporaryFolder()
  private let stereo: String

  init() throws {
    let voice = TestAudio.utterance()
    let silence = TestAudio.silence(seconds: 3.5)
    stereo = try folder.write(
      TestAudio.wav(TestAudio.pcm16(silence, voice), channels: 2), to: "stereo.wav")
    try folder.write(TestAudio.wav(voice), to: "voice.wav")
  }

  private func rows(_ channel: String) throws -> [[String]] {
    let result = try Program.analyze(stereo, "--channel", channel, "--format", "csv")
    #expect(result.status == 0)
    return result.rows
  }

  @Test func oneChannelIsHeardAlone() throws {
    let expected = try Program.analyze(folder / "voice.wav", "--format", "csv").rows.map(\.last)
    let rows = try rows("2")
    #expect(!rows.isEmpty)
    #expect(rows.map { $0[2] } == Array(repeating: "2", count: rows.count))
    #expect(rows.map(\.last) == expected)
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
    let seconds = try [one, each].map { try #require($0.json["speech_seconds"] as? Double) }
    #expect(seconds[1] == 2 * seconds[0])
    #expect(each.output.contains("\"analysed_channels\": 2"))
  }

  /// The share is of all analysed channels, and so is the length before it.
  @Test func theTextStatesItsShareOfAllChannels() throws {
    let each = try Program.analyze(folder / "voice.wav", stereo, "--channel", "each").output
    let line = try #require(
      each.firstMatch(of: #/speech 0:([\d.]+) of 2 × 0:03.500 \(([\d.]+) %\) in/#))
    let share = try 100 * #require(Double(line.1)) / 7
    #expect(abs(share - (try #require(Double(line.2)))) <= 0.051, "\(line.0)")
    #expect(each.contains("of 0:10.500 in all channels ("))
  }

  @Test func severalInputsEndWithATotal() throws {
    let one = try Program.analyze(folder / "voice.wav").output
    let last = try Program.analyze(
      folder / "voice.wav", folder / "voice.wav", folder / "none.wav"
    ).lines.last
    let summary = try #require(
      one.firstMatch(of: #/speech 0:([\d.]+) of .*( \(.*\)) in (\d+) seg/#))
    let speech = try #require(MediaTime(parsingSeconds: summary.1))
    #expect(
      last
        == "total: speech \((speech + speech).clock) of 0:07.000\(summary.2) in \(2 * Int(summary.3)!) segments of 2 recordings, 1 error"
    )
    #expect(!one.contains("total:"))
    let none = try Program.analyze(folder / "a.wav", folder / "b.wav").output
    #expect(none == "total: no recordings, 2 errors\n")
    let csv = try Program.analyze(folder / "voice.wav", folder / "voice.wav", "--format", "csv")
    #expect(!csv.output.contains("total:") && csv.errors.isEmpty)
  }

  /// Two talkers who overlap, against the OR of what each channel has by itself, in steps of 1 ms.
  @Test func speechIsWhereAnyChannelHasIt() throws {
    let (first, second) = (TestAudio.utterance(), TestAudio.utterance())
    let left = first + TestAudio.silence(seconds: 4) + second + TestAudio.silence(seconds: 1)
    let right =
      TestAudio.silence(seconds: 0.7) + first + second
      + TestAudio.silence(seconds: 4.3)
    let talk = try folder.write(
      TestAudio.wav(TestAudio.pcm16(left, right), channels: 2), to: "talk.wav")
    for shape in [["--merge", "0ms"], ["--merge", "200ms"]] {
      let each = try spans(talk, ["--channel", "each", "--merge", "0ms"])
      let any = try spans(talk, ["--channel", "any"] + shape)
      #expect(any.map(\.range) == joined(each.map(\.range), shape[1] == "0ms" ? 0 : 200))
      for span in any {
        let having = each.filter { $0.range.overlaps(span.range) }.map(\.channel)
        #expect(span.channel == Set(having).sorted().joined(separator: "+"))
      }
    }
  }

  private func joined(_ ranges: [Range<Int>], _ silence: Int) -> [Range<Int>] {
    var isSpeech = Array(repeating: false, count: 20_000)
    for range in ranges { for index in range { isSpeech[index] = true } }
    var found: [Range<Int>] = []
    for index in isSpeech.indices where isSpeech[index] {
      if let last = found.last, index == last.upperBound || index - last.upperBound < silence {
        found[found.count - 1] = last.lowerBound..<index + 1
      } else {
        found.append(index..<index + 1)
      }
    }
    return found
  }

  private func spans(
    _ path: String, _ options: [String]
  ) throws -> [(range: Range<Int>, channel: String)] {
    try Program.analyze([path, "--format", "csv"] + options).rows.map { fields in
      let times = fields[3...4].map { Int((Double($0)! * 1000).rounded()) }
      return (times[0]..<times[1], fields[2])
    }
  }

  /// The mix has nothing, and says so once; every other choice finds the voice without a word.
  @Test(arguments: [false, true]) func channelsThatCancelAreReported(areSaved: Bool) throws {
    let voice = TestAudio.utterance()
    let inverted = try folder.write(
      TestAudio.wav(TestAudio.pcm16(voice, voice.map { -$0 }), channels: 2), to: "inverted.wav")
    for channel in ["mix", "each", "any", "1", "2"] {
      let saving = areSaved ? ["--save-segments", folder / "s-\(channel)"] : []
      let result = try Program.analyze([inverted, "--channel", channel, "--exit-code"] + saving)
      let isMix = channel == "mix"
      #expect(result.status == (isMix ? 1 : 0))
      #expect(result.errors.contains("--channel") == isMix)
      #expect(result.messages.count == (isMix ? 1 : 0))
    }
  }
}
