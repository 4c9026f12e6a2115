import AnnotationsTestSupport
import Glibc
import Testing

@testable import Annotations

@Suite struct CutFormatTests {
  private static func segment(
    _ start: UInt64, _ end: UInt64, file: String = "a.wav", channel: Int? = nil
  ) -> Record {
    .segment(SampleRecords.span(file: file, channel: channel, start, end))
  }

  private static func clips(_ segments: [Record]) -> String {
    SampleRecords.write(
      [SampleRecords.input("a.wav")] + segments + [.file(SampleRecords.file())],
      AnnotationFormat.clips.writer())
  }

  @Test func clipsAreStartsAndEndsInSeconds() {
    #expect(
      Self.clips([Self.segment(510, 2340), Self.segment(3_600_000, 3_661_007)])
        == "0.510,2.340,3600.000,3661.007\n")
  }

  /// Whisper reads all of a recording for which it has no clips.
  @Test func withoutSpeechAnEmptyClipIsNamed() {
    #expect(Self.clips([]) == "0.000,0.000\n")
  }

  @Test func channelsThatOverlapAreOneStretch() {
    let segments = [
      Self.segment(1000, 2000, channel: 1), Self.segment(4000, 5000, channel: 1),
      Self.segment(500, 1500, channel: 2), Self.segment(2000, 2500, channel: 2),
      Self.segment(4200, 4300, channel: 2), Self.segment(7000, 7000, channel: 2),
      Self.segment(6000, 6500, channel: 2),
    ]
    #expect(Self.clips(segments) == "0.500,2.000,2.000,2.500,4.000,5.000,6.000,6.500\n")
    #expect(Self.clips(segments.reversed()) == Self.clips(segments))
    let script = SampleRecords.write(
      segments + [.file(SampleRecords.file("a.wav"))], AnnotationFormat.ffconcat.writer())
    #expect(
      script.matches(of: /point (.*)/).map { $0.output.1 } == [
        "0.500", "2.500", "4.000", "5.000", "6.000", "6.500",
      ])
  }

  @Test func mutedSpeechAndGapsAreNoClips() {
    let text = SampleRecords.write(
      SampleRecords.recording("a.wav"), AnnotationFormat.clips.writer())
    #expect(text == "0.510,2.340,3600.000,3661.007\n")
  }

  @Test func aScriptHasTheSpeechOfAllRecordingsInTheirOrder() throws {
    let records = ["b.wav", "/calls/a.wav", "silent.wav"].flatMap { name in
      [SampleRecords.input(name)]
        + (name == "silent.wav"
          ? [] : [Self.segment(250, 1000, file: name), Self.segment(2000, 3007, file: name)])
        + [.file(SampleRecords.file(name))]
    }
    let folder = try #require(getcwd(nil, 0))
    defer { free(folder) }
    let current = String(cString: folder)
    #expect(
      SampleRecords.write(records, AnnotationFormat.ffconcat.writer()) == """
        ffconcat version 1.0
        file '\(current)/b.wav'
        inpoint 0.250
        outpoint 1.000
        file '\(current)/b.wav'
        inpoint 2.000
        outpoint 3.007
        file '/calls/a.wav'
        inpoint 0.250
        outpoint 1.000
        file '/calls/a.wav'
        inpoint 2.000
        outpoint 3.007

        """)
  }

  /// Microseconds, as FFmpeg reports the beginning of a container.
  @Test func aScriptHasTheTimesOfTheContainer() {
    var file = SampleRecords.file("/a.ts")
    file.containerStart = 1.423222
    let text = SampleRecords.write(
      [Self.segment(250, 3007, file: "/a.ts"), .file(file)], AnnotationFormat.ffconcat.writer())
    #expect(text.hasSuffix("inpoint 1.673222\noutpoint 4.430222\n"))
  }

  /// By FFmpeg's rules (ffmpeg-utils, "Quoting and escaping"): everything between quotes is literal, and a backslash
  /// outside of them escapes the next character.
  private static func unquoted(_ text: some StringProtocol) -> String {
    var (result, isQuoted, isEscaped) = ("", false, false)
    for character in text.unicodeScalars {
      if isEscaped || (isQuoted && character != "'") {
        result.unicodeScalars.append(character)
        isEscaped = false
      } else if character == "'" {
        isQuoted.toggle()
      } else if character == "\\" {
        isEscaped = true
      } else {
        result.unicodeScalars.append(character)
      }
    }
    return result
  }

  @Test(arguments: SampleRecords.names)
  func namesAreQuoted(name: String) throws {
    let text = SampleRecords.write(
      [Self.segment(0, 10, file: "/\(name)"), .file(SampleRecords.file("/\(name)"))],
      AnnotationFormat.ffconcat.writer())
    let body = try #require(text.split(separator: "file ", maxSplits: 1).last)
    let quoted = body.dropLast("\ninpoint 0.000\noutpoint 0.010\n".count)
    #expect(Self.unquoted(quoted) == "/\(name)")
  }
}
