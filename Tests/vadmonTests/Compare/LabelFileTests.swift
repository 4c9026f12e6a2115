import Annotations
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import vadmon

/// Label files as written by people and by other programs.
@Suite struct LabelFileTests {
  private let folder = TemporaryFolder()

  /// Returns the spans of the only recording in the file.
  private func spans(_ text: String, _ name: String = "a.txt") throws -> [[Double]] {
    let recordings = try read(text, name)
    #expect(recordings.count == 1)
    guard case .spans(let spans)? = recordings.values.first else { return [[.nan]] }
    return spans.map { [$0.start, $0.end] }
  }

  private func read(_ text: String, _ name: String) throws -> [String: LabelTrack] {
    let path = FilePath(try folder.write(text, to: name))
    return Dictionary(
      uniqueKeysWithValues: try LabelFile.read(path, audio: nil).map { ($0.name, $0.content.track) }
    )
  }

  private func messages(_ text: String, _ name: String = "a.txt") throws -> [String] {
    do throws(RunError) {
      _ = try LabelFile.read(
        FilePath(try! folder.write(text, to: name)), audio: nil)
      return []
    } catch {
      #expect(error.exitCode == 65)
      return error.messages
    }
  }

  // MARK: Audacity

  @Test(
    arguments: [
      "0.5\t1.25\tspeech\n3\t4.000\tspeech\n",
      "0.5\t1.25\tspeech\r\n3\t4.000\tspeech\r\n",
      "\u{FEFF}0.5\t1.25\tspeech\n3\t4.000\tspeech",
      "\n0.5 1.25\n\n 3   4.0 hello, you\n \t\n",
      "0.500000\t1.250000\t\n3.0e0\t+4\t\n",
      "0.5\t1.25\twith \"quotes\", commas\n\\\t120.5\t800\n3\t4\tspeech\n",
      "0.5\t1.25\tspeech\n0.6\t1.5\tspeaking while muted (channel 2)\n3\t4\tspeech\n",
    ])
  func audacityLabelsAreRead(text: String) throws {
    #expect(try spans(text) == [[0.5, 1.25], [3, 4]])
  }

  @Test func labelsMayOverlapBeOutOfOrderOrMarkAPoint() throws {
    #expect(try spans("3\t4\tb\n0\t3.5\ta\n2\t2\tpoint\n") == [[3, 4], [0, 3.5], [2, 2]])
  }

  @Test(arguments: ["a.txt", "a.rttm", "a.lab"])
  func anEmptyFileIsARecordingWithoutSpeech(name: String) throws {
    for text in ["", "\n", "\r\n  \n", "\u{FEFF}"] {
      #expect(try read(text, name) == ["a": .spans([])])
    }
  }

  @Test(
    arguments: [
      ("abc\n", "line 1: 'abc' is not a label: write its start and end"),
      ("0\t1\tx\n2.5\n", "line 2: '2.5' is not a label"),
      ("0,5\t1\tx\n", "line 1: the start '0,5' is not a number: write seconds, like 3.25"),
      ("nan\t1\tx\n", "the start 'nan' is not a number"),
      ("0\tinf\tx\n", "the end 'inf' is not a number"),
      ("0\t0x10\tx\n", "the end '0x10' is not a number"),
      ("0\t1e999\tx\n", "the end '1e999' is not a number"),
      ("0\t1-2\tx\n", "the end '1-2' is not a number"),
      ("-0.5\t1\tx\n", "the start '-0.5' is negative: write seconds from 0 on"),
      ("2\t1\tx\n", "the end 1.0 is before the start 2.0: swap them"),
      (
        "0\t16000000\tx\n",
        "the end '16000000' is beyond 1000000 s: write seconds, not samples, nor units of 100 ns"
      ),
    ])
  func badLabelsAreReported(row: (text: String, message: String)) throws {
    let messages = try messages(row.text)
    #expect(messages.count == 1)
    #expect(messages.first?.contains(row.message) == true, "\(messages)")
    #expect(messages.first?.hasPrefix(folder / "a.txt, line ") == true, "\(messages)")
  }

  @Test func everyBadLineIsNamedButNotAThousand() throws {
    #expect(
      try messages("0\t1\tx\nx\n2\t3\tx\ny\n").map { String($0.split(separator: ":")[0]) }
        == [folder / "a.txt, line 2", folder / "a.txt, line 4"])
    let many = try messages(String(repeating: "x\n", count: 1000))
    #expect(many.count == 11)
    #expect(many.last == folder / "a.txt has 990 more bad lines")
  }

  // MARK: RTTM

  @Test func rttmSpeakersAreOneSpeech() throws {
    let text = """
      ;; a comment
      SPKR-INFO meeting 1 <NA> <NA> <NA> unknown anna <NA> <NA>
      SPEAKER meeting 1 1.50 2.00 <NA> <NA> anna <NA> <NA>
      SPEAKER meeting 2 3.25\t0.5 <NA> <NA> bob <NA>
      SPEAKER meeting 1 9 1 <NA> <NA> muted_speech <NA> <NA>
      NOSCORE meeting 1 20 30 <NA> <NA> <NA> <NA>

      """
    #expect(try spans(text, "a.rttm") == [[1.5, 3.5], [3.25, 3.75]])
    #expect(
      try spans(text.replacing("\n", with: "\r\n"), "any.name") == [[1.5, 3.5], [3.25, 3.75]])
    #expect(try Array(read(text, "a.rttm").keys) == ["meeting"])
  }

  @Test func rttmMayHaveSeveralRecordings() throws {
    let text = """
      SPEAKER b.2 1 1 2 <NA> <NA> x <NA> <NA>
      SPEAKER a 1 0 1 <NA> <NA> x <NA> <NA>
      SPEAKER b.2 1 5 1 <NA> <NA> x <NA> <NA>
      """
    let recordings = try read(text, "all.rttm")
    #expect(
      recordings == [
        "a": .spans([try LabelledSpan(start: 0, end: 1)]),
        "b.2": .spans([
          try LabelledSpan(start: 1, end: 3), try LabelledSpan(start: 5, end: 6),
        ]),
      ])
  }

  @Test(
    arguments: [
      ("SPEAKER a 1 0\n", "the SPEAKER line has 4 fields instead of 9 or 10: write SPEAKER FILE 1"),
      (
        "SPEAKER a 1 <NA> 1 <NA> <NA> x <NA> <NA>\n",
        "line 1: the start '<NA>' is not a number"
      ),
      ("SPEAKER a 1 0 -1 <NA> <NA> x <NA> <NA>\n", "the length '-1' is negative"),
      (
        ";; labels\n0.5 1.0 x\n",
        "line 2: '0.5' is not a type of RTTM line: begin the line with SPEAKER"
      ),
    ])
  func badRTTMIsReported(row: (text: String, message: String)) throws {
    let messages = try messages(row.text, "a.rttm")
    #expect(messages.count == 1 && messages[0].contains(row.message), "\(messages)")
  }

  // MARK: CSV

  @Test(
    arguments: [
      "start,end\n0.5,1.25\n3,4\n",
      "\u{FEFF}start, end\r\n0.5,1.25\r\n3,4\r\n\r\n",
      "end,note,start,note\n1.25,,0.5,\n4,,3,\n",
      "end,label,start\n1.25,\"two\nlines, \"\"quoted\"\"\",0.5\n\"4\",,3",
      "type,start,end\nsegment,0.5,1.25\nmuted_speech,0.6,2\nsegment,3,4\ngap,5,6\n",
    ])
  func tablesOfSegmentsAreRead(text: String) throws {
    #expect(try spans(text, "a.csv") == [[0.5, 1.25], [3, 4]])
    #expect(try spans(text, "noending") == [[0.5, 1.25], [3, 4]])
  }

  @Test func aFileColumnNamesTheRecordings() throws {
    let text = "file,start,end\n\"x/b, c.wav\",0,1\ny/a.flac,2,3\n\"x/b, c.wav\",4,5\n"
    let recordings = try read(text, "all.csv")
    // Spaces become `_`, as in RTTM.
    #expect(Set(recordings.keys) == ["a", "b,_c"])
    #expect(recordings["a"] == .spans([try LabelledSpan(start: 2, end: 3)]))
  }

  @Test func aHeaderAloneIsARecordingWithoutSpeech() throws {
    #expect(try spans("start,end\n", "a.csv") == [])
    #expect(try spans("type,file,channel,start,end,decided_at\r\n", "a.csv") == [])
  }

  @Test(
    arguments: [
      ("", "line 1: the header is missing: write start,end, or"),
      ("start;end;label\n0;1;x\n", "line 1: the header separates its columns with semicolons"),
      ("file|end|start\na|1|0\n", "with bars: write commas or tabs"),
      ("begin,end\n0,1\n", "line 1: the header begin,end has no start and end"),
      ("start,start,end\n0,1,2\n", "line 1: the header has start twice: keep one of them"),
      ("start,label,end,label\n0,x,1,y\n", "line 1: the header has label twice"),
      ("start,end\n0,1\n2\n", "line 3: the line has 1 field and the header 2: complete or delete"),
      ("start,end\n0,1,2\n", "line 2: the line has 3 fields and the header 2"),
      ("start,end\n0,x\n", "line 2: the end 'x' is not a number"),
      ("start,end\n0,-1\n", "line 2: the end '-1' is negative"),
      ("start,end,n\n0,1,\"a\nb\"\n0,1,\"c\n", "line 4: the closing quote is missing"),
      ("start,end\n\"0\"1,2\n", "line 2: text follows a closing quote"),
      ("start,end\n0\"1,2\n", "line 2: the field '0\"1' contains a quote: put"),
      ("n,start,end\na\"b,0,1\n,2,3\n", "line 2: the field 'a\"b' contains a quote: put"),
      ("type,start,end\nspeech,0,1\n", "the type 'speech' is unknown: write segment"),
    ])
  func badTablesAreReported(row: (text: String, message: String)) throws {
    let messages = try messages(row.text, "a.csv")
    #expect(messages.count == 1 && messages[0].contains(row.message), "\(messages)")
  }

  // MARK: frames

  @Test func frameTablesAreRead() throws {
    let text = "time,probability,speech\r\n0.000,0.25,0\r\n0.032,1e-05,1\r\n\r\n0.064,-3.5,1.0\r\n"
    var expected = FrameTrack()
    expected.times = [0, 0.032, 0.064]
    expected.scores = [0.25, 0.00001, -3.5]
    expected.decisions = [false, true, true]
    #expect(try read(text, "a.csv") == ["a": .frames(expected)])
    #expect(try read("\u{FEFF}" + text, "a") == ["a": .frames(expected)])
  }

  @Test func aFrameTableWithoutFramesIsLegal() throws {
    #expect(try read("time,probability,speech\n", "a.csv") == ["a": .frames(FrameTrack())])
  }

  @Test(
    arguments: [
      ("0,0.5", "line 2: '0,0.5' has 2 fields instead of 3: complete or delete"),
      ("0,0.5,1,1", "has 4 fields instead of 3"),
      ("x,0.5,1", "the time 'x' is not a number"),
      ("-1,0.5,1", "the time '-1' is negative"),
      ("0,nan,1", "line 2: the probability 'nan' is not a finite number"),
      ("0,inf,1", "the probability 'inf' is not a finite number"),
      ("0,,1", "the probability '' is not a finite number"),
      ("0,0.5,2", "the speech '2' is neither 0 nor 1"),
      ("0,0.5,", "the speech '' is neither 0 nor 1"),
      ("0.5,0.5,1\n0.4,0.5,1", "line 3: the time '0.4' is earlier than the one above it"),
    ])
  func badFramesAreReported(row: (text: String, message: String)) throws {
    let messages = try messages("time,probability,speech\n\(row.text)\n", "a.csv")
    #expect(messages.count == 1 && messages[0].contains(row.message), "\(messages)")
  }

  /// If the table has a segment column, it determines the decisions.
  @Test func aSegmentColumnIsTheDecision() throws {
    let head = "time, probability, speech, segment\n"
    var expected = FrameTrack()
    (expected.times, expected.scores) = ([0, 0.01, 0.02], [0.9, 0.2, 0.8])
    expected.decisions = [false, true, true]
    #expect(
      try read(head + "0,0.9,1,0\n0.01,0.2,0,1\n0.02,0.8,1,1\n", "a.csv")
        == ["a": .frames(expected)])
    for (row, message) in [
      ("0,0.5,1", "has 3 fields instead of 4"), ("0,0.5,1,1,1", "has 5 fields instead of 4"),
      ("0,0.5,1,2", "the second decision '2' is neither 0 nor 1"),
      ("0,0.5,x,1", "the speech 'x' is neither 0 nor 1"),
    ] {
      let messages = try messages(head + row + "\n", "a.csv")
      #expect(messages.count == 1 && messages[0].contains(message), "\(messages)")
    }
  }

  /// NUL bytes, invalid UTF-8 and the end of the data must not crash the program.
  @Test func anyBytesAreReadOrRefused() throws {
    var generator = SeededGenerator(seed: 7)
    let alphabet = Array("0123456789.,-e\t \r\n\"\\;ab\u{0}".utf8) + [0xFF, 0xEF, 0xBB, 0xBF]
    for index in 0..<500 {
      let heads = ["", "SPEAKER a 1 ", "start,end\n", "time,probability,speech\n", "0\t1\t"]
      let bytes = (0..<(index % 40)).map { _ in
        alphabet[Int(generator.next() % UInt64(alphabet.count))]
      }
      let path = try folder.write(Data(heads[index % heads.count].utf8) + bytes, to: "a.csv")
      do throws(RunError) {
        let recordings = try LabelFile.read(FilePath(path), audio: nil)
        #expect(!recordings.isEmpty)
      } catch {
        #expect(error.exitCode == 65 && !error.messages.isEmpty)
      }
    }
  }
}
