import AnnotationsTestSupport
import TestSupport
import Testing

@testable import Annotations

/// Files as other programs write them. `LabelFileTests` has Audacity's labels, RTTM and tables.
@Suite struct AnnotationFormatTests {
  private func read(
    _ bytes: some Sequence<UInt8>, _ ending: String = "txt"
  ) -> (tracks: [String: [LabelledSpan]], faults: [String]) {
    let (recordings, faults) = readLabels(bytes, ending: ending)
    return (
      recordings.mapValues { if case .spans(let spans) = $0.track { spans } else { [] } }, faults
    )
  }

  private func expect(
    _ text: String, _ expected: [[Double]], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for bytes in [
      Array(text.utf8), utf16(text, isBigEndian: true), utf16(text, isBigEndian: false),
    ] {
      let (tracks, faults) = read(bytes)
      #expect(faults == [], sourceLocation: sourceLocation)
      #expect(
        tracks.mapValues { $0.map { [$0.start, $0.end] } } == ["a": expected],
        sourceLocation: sourceLocation)
    }
  }

  private func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
    ("\u{FEFF}" + text).utf16.flatMap { unit in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isBigEndian ? bytes : bytes.reversed()
    }
  }

  // MARK: TextGrids

  @Test func longAndShortGridsAreRead() {
    let long = """
      File type = "ooTextFile"
      Object class = "TextGrid"

      xmin = 0
      xmax = 4
      tiers? <exists>
      size = 3
      item []:
          item [1]:
              class = "IntervalTier"
              name = "Grüße ""1"" <exists> 7"
              xmin = 0
              xmax = 4
              intervals: size = 4
              intervals [1]:
                  xmin = 0
                  xmax = 0.5
                  text = ""
              intervals [2]:
                  xmin = 0.5
                  xmax = 1.25 ! a comment "5
                  text = "she said ""5"" twice"
              intervals [3]:
                  xmin = 1.25
                  xmax = 3
                  text = " SIL
      "
              intervals [4]:
                  xmin = 3
                  xmax = 4e0
                  text = "x"
          item [2]:
              class = "TextTier"
              name = "points"
              xmin = 0
              xmax = 4
              points: size = 1
              points [1]:
                  number = 2
                  mark = "click"
          item [3]:
              class = "IntervalTier"
              name = "speaking while muted"
              xmin = 0
              xmax = 4
              intervals: size = 1
              intervals [1]:
                  xmin = 0
                  xmax = 4
                  text = "speaking while muted"
      """
    let short = """
      File type = "ooTextFile short"
      "TextGrid"

      0
      4
      <exists>
      1
      "IntervalTier"
      "a"
      0
      4
      3
      0.5
      1.25
      "x"
      1.25
      3
      "silent"
      3
      4
      "y"
      """
    expect(long, [[0.5, 1.25], [3, 4]])
    expect(long.replacing("\n", with: "\r\n"), [[0.5, 1.25], [3, 4]])
    expect(short, [[0.5, 1.25], [3, 4]])
    expect(short + "\n! 1 \"x\"\nthe end\n", [[0.5, 1.25], [3, 4]])
    expect("File type = \"ooTextFile\"\n\"TextGrid\"\n0\n1\n<absent>\n", [])
  }

  @Test(arguments: [
    ("0 1", "line 2: the flag is missing, <exists>: check that the file is complete"),
    ("0 <exists>", "line 2: the end is missing, a number"),
    ("0 1 <exists> -1", "the number of tiers '-1' is not a whole number"),
    (
      "0 1 <exists> 1\n\"IntervalTier\" \"a\" 0 1 1\n0 1 \"x\"\n1 2 \"y\"",
      "line 5: the text goes on behind the last tier: correct the number of its intervals"
    ),
    ("0 1 <absent>\n1", "line 3: the text goes on behind the last tier"),
    ("0 1 <exists> 1\n\"Tier\" \"a\" 0 1 1", "line 3: the class of tier 'Tier' is unknown"),
    (
      "0 1 <exists> 1\n\"IntervalTier\" \"a\" 0 1 2 0\n1 \"x\"",
      "line 4: the start of an interval is"
    ),
    (
      "0 1 <exists> 1\n\"IntervalTier\" \"a\" 0 1 1 0\n1 \"x",
      "line 4: the closing quote is missing"
    ),
    ("0 1 <exists> 1\n\"IntervalTier\" \"a\" 0 1 1 2\n1\n\"x\"", "line 4: the end 1.0 is before"),
    (
      "0 1 <exists> 1\n\"IntervalTier\" \"a\" 0 1 1 0\n1e9 \"x\"", "line 4: the end '1e9' is beyond"
    ),
  ])
  func brokenGridsAreReported(row: (text: String, message: String)) {
    let faults = read("File type = \"ooTextFile\" \"TextGrid\"\n\(row.text)".utf8).faults
    #expect(faults.count == 1 && faults[0].contains(row.message), "\(faults)")
  }

  @Test(arguments: [
    "ooBinaryFile\u{8}TextGrid\u{0}", "", "File type = \"ooTextFile\"\nObject class = \"Sound\"\n",
    "Praat chronological TextGrid text file\n",
  ])
  func otherFilesOfPraatAreRefused(text: String) {
    #expect(read(text.utf8, "TextGrid").faults.count == 1)
  }

  // MARK: EAF

  private func eaf(_ tiers: String, slots: String? = nil, units: String = "milliseconds") -> String
  {
    """
    \u{FEFF}<?xml version='1.0' encoding="UTF-8"?>
    <!-- <TIER> in a comment -->
    <e:ANNOTATION_DOCUMENT xmlns:e="x" AUTHOR='&quot;A&#x26;B&apos;' DATE="&#50;024">
    <HEADER TIME_UNITS="\(units)"/><TIME_ORDER>
    \(slots ?? "<TIME_SLOT TIME_SLOT_ID='ts1' TIME_VALUE='500'/><TIME_SLOT TIME_SLOT_ID='t&gt;2' TIME_VALUE='1250' ></TIME_SLOT><TIME_SLOT TIME_SLOT_ID='ts3'/>")
    </TIME_ORDER>
    \(tiers)
    </e:ANNOTATION_DOCUMENT >

    """
  }

  private func annotation(_ first: String, _ second: String, _ text: String = "x") -> String {
    "<ANNOTATION><ALIGNABLE_ANNOTATION TIME_SLOT_REF2=\"\(second)\" TIME_SLOT_REF1=\"\(first)\">"
      + "<ANNOTATION_VALUE>\(text)</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>"
  }

  @Test(arguments: [
    "x", "", "<![CDATA[</TIER> & <]]>", "a &lt;b&gt; &amp; &#233;", "<!-- speaking while muted -->",
  ])
  func annotationsAreRead(text: String) {
    let tier = "<TIER TIER_ID='a > \"b\"'>\(annotation("ts1", "t&gt;2", text))"
    expect(eaf(tier + "</TIER>"), [[0.5, 1.25]])
    // References have no times, a subdivision may have none at its end, and muted speech repeats speech.
    let others =
      "<ANNOTATION><REF_ANNOTATION ANNOTATION_REF=\"a1\"><ANNOTATION_VALUE/></REF_ANNOTATION></ANNOTATION>"
      + annotation("ts1", "ts3") + annotation("ts1", "ts1", "speaking while muted (channel 2)")
    expect(eaf(tier + others + "</TIER>"), [[0.5, 1.25]])
  }

  /// ELAN shows annotations between two whose ends have times at equal distances.
  @Test func slotsWithoutTimesLieBetweenTheirNeighbours() {
    let slots = ["1000", nil, nil, "4000", nil].enumerated().map { place, time in
      "<TIME_SLOT TIME_SLOT_ID='s\(place)'\(time.map { " TIME_VALUE='\($0)'" } ?? "")/>"
    }.joined()
    let chain = annotation("s0", "s1") + annotation("s1", "s2", "sil") + annotation("s2", "s3")
    expect(
      eaf("<TIER>\(chain)\(annotation("s3", "s4"))</TIER>", slots: slots), [[1, 2], [3, 4]])
  }

  @Test func brokenXMLIsReported() {
    let whole = eaf("<TIER>\(annotation("ts1", "t&gt;2"))</TIER>")
    for (from, to, message) in [
      ("</TIER>", "", "</e:ANNOTATION_DOCUMENT> closes nothing that is open: write </TIER>"),
      ("</e:ANNOTATION_DOCUMENT >", "", "line 9: <e:ANNOTATION_DOCUMENT> is not closed"),
      ("</e:ANNOTATION_DOCUMENT >", "</e:ANNOTATION_DOCUMENT ><b/>", "a second element follows"),
      ("</e:ANNOTATION_DOCUMENT >", "</e:ANNOTATION_DOCUMENT >x", "text stands outside"),
      ("e:ANNOTATION_DOCUMENT", "html", "this is not an annotation file of ELAN"),
      ("<!-- <TIER> in a comment -->", "<!DOCTYPE x [<!ENTITY e 'x'>]>", "line 2: a document type"),
      ("a comment -->", "", "line 2: the comment does not end"),
      (">x<", ">&nbsp;<", "line 7: an '&' begins no entity of XML"),
      (">x<", ">AT&T<", "line 7: an '&' begins no entity of XML"),
      (">x<", ">&#xD800;<", "line 7: an '&' begins no entity of XML"),
      ("TIME_UNITS=\"milliseconds\"", "TIME_UNITS", "an attribute has no value"),
      ("TIME_UNITS=\"milliseconds\"", "TIME_UNITS=ms", "value is not in quotes"),
      ("TIME_UNITS=\"milliseconds\"", "a='1' a='2'", "<HEADER> has a twice"),
      ("TIME_UNITS=\"milliseconds\"", "a='1'b='2'", "the tag <HEADER> is broken"),
      ("TIME_UNITS=\"milliseconds\"", "TIME_UNITS=\"PAL-frames\"", "times in PAL-frames are not"),
      ("TIME_SLOT_ID='ts3'", "TIME_SLOT_ID='ts1'", "line 5: the time slot ts1 occurs twice"),
      ("TIME_SLOT_ID='ts3'", "", "the TIME_SLOT has no TIME_SLOT_ID"),
      ("TIME_VALUE='500'", "TIME_VALUE='0.5'", "the time '0.5' is not in milliseconds"),
      ("TIME_VALUE='500'", "TIME_VALUE='2000'", "line 7: the end 1.25 is before the start 2.0"),
      ("TIME_VALUE='500'", "TIME_VALUE='9999999999999'", "is beyond 1000000 s"),
      ("REF1=\"ts1\"", "REF1=\"ts9\"", "line 7: there is no time slot ts9 above"),
    ] {
      let faults = read(whole.replacing(from, with: to).utf8).faults
      #expect(faults.count == 1 && faults[0].contains(message), "\(faults) \(message)")
    }
  }

  // MARK: vadmon's JSON

  @Test func jsonNamesTheRecordings() throws {
    let span = try LabelledSpan(start: 0.51, end: 2.34)
    let last = try LabelledSpan(start: 3600, end: 3661.007)
    let records =
      SampleRecords.recording("x/two words.wav") + [
        SampleRecords.input("b.wav"), .file(SampleRecords.file("b.wav", segments: 0)),
        .error(ErrorRecord(file: "c.wav", message: "no such file", exitCode: 66)),
      ]
    let expected = ["two_words": [span, last], "b": [], "c": []]
    let document = SampleRecords.write(records, AnnotationFormat.json.writer())
    let lines = SampleRecords.write(records, AnnotationFormat.jsonl.writer())
    let small = document.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }.joined()
    for text in [document, lines, small, "\u{FEFF}\n" + document.replacing("\n", with: "\r\n")] {
      let (tracks, faults) = read(text.utf8)
      #expect(tracks == expected && faults == [])
    }
    let silent = SampleRecords.write(
      [.file(SampleRecords.file(segments: 0))], AnnotationFormat.fileJSONL.writer())
    #expect(read(silent.utf8).tracks == ["a": []] && read(silent.utf8).faults == [])
  }

  @Test(arguments: [
    ("{\n \"files\": [\n  x]}", ": line 3, column 3: this is not a JSON value"),
    ("{\n \"files\": [", ": line 2, column 12: a JSON value is missing"),
    ("{\n}\nx", ": line 3, column 1: text follows the object"),
    (
      "{\"start\": 0.69}\n{\"start\": 2}\n", ": its lines have no \"type\", so that they are not of"
    ),
    (
      "{\"type\": \"gap\", \"file\": \"b\"}\n{\"start\": 2}\n",
      ", line 2: it has no \"type\", so that it is not of vadmon analyze --format jsonl"
    ),
    ("{\n}", ": this is not the JSON of vadmon analyze: it has no list \"files\""),
    ("{\n\"files\": [{}]}", ": the name \"file\" is missing"),
    ("{\n\"files\": [{\"file\": \"b\", \"duration\": 1}]}", ": b has no list \"segments\""),
    (
      "{\n\"files\": [{\"file\": \"b\", \"duration\": 1, \"segments\": [{\"start\": \"1\"}]}]}",
      ": segment 1 of b: the start '\"1\"' is not a number"
    ),
    (
      "{\n\"files\": [{\"file\": \"x/b\", \"duration\": 1, \"segments\": []}, "
        + "{\"file\": \"y/b\", \"duration\": 1, \"segments\": []}]}",
      ": x/b and y/b are both called b"
    ),
    ("{\"type\": \"onset\", \"time\": 1}\n", ": it has no recording"),
    ("{\"type\": \"segment\", \"file\": \"b\", \"start\": 1}\n", ", line 1: the end '' is not a"),
    (
      "{\"type\": \"file\", \"file\": \"b\", \"segment_count\": 2}\n",
      ", line 1: the file has 2 segments of b, but 0 lines of them: use --format jsonl"
    ),
  ])
  func brokenJSONIsReported(row: (text: String, message: String)) {
    let faults = read(row.text.utf8, "json").faults
    #expect(faults.count == 1 && faults[0].contains(row.message), "\(faults)")
  }

  // MARK: Every format

  @Test func tablesWithTabsAreRecognised() throws {
    let expected = ["b": [try LabelledSpan(start: 0.5, end: 1.25)]]
    for text in [
      "file\tend\tstart\nb.wav\t1.25\t0.5\n",
      "\u{FEFF}start\tend\tfile\r\n0.5\t1.25\t\"b.wav\"\r\n",
    ] {
      #expect(read(text.utf8).tracks == expected)
    }
    expectMessage(
      read("x\ty\n".utf8, "TSV").faults.joined(separator: "\n"), "a, line 1", "x\ty",
      "file,start,end")
  }

  /// A label track whose first text has the words of a header.
  @Test(arguments: ["start end", "end, then start", "start\tin the end"])
  func wordsOfALabelAreNoHeader(text: String) throws {
    let expected = ["a": [try LabelledSpan(start: 0.5, end: 1.25)]]
    let (tracks, faults) = read("0.500\t1.250\t\(text)\n".utf8, "txt")
    #expect(faults == [] && tracks == expected)
  }

  /// What is written is read back: the segments, and nothing of the muted speech that repeats them.
  @Test func everyFormatComesBack() throws {
    let spans = [(0, 1), (510, 2340), (2340, 2341), (3_599_999, 3_661_007)] as [(UInt64, UInt64)]
    var file = SampleRecords.file()
    file.duration = MediaTime(milliseconds: 3_661_007)
    file.segmentCount = spans.count
    var records: [Record] = [.mutedSpeech(SampleRecords.span(300, 2741))]
    records += spans.map { Record.segment(SampleRecords.span($0, $1)) } + [.file(file)]
    for format in AnnotationFormat.all where format.read != nil {
      let (tracks, faults) = read(SampleRecords.write(records, format.writer()).utf8)
      #expect(faults == [], "\(format.name)")
      // RTTM has lengths, whose sum with the start may differ in the last bit.
      let times = try #require(tracks["a"]).map {
        [($0.start * 1000).rounded(), ($0.end * 1000).rounded()]
      }
      #expect(times == spans.map { [Double($0.0), Double($0.1)] }, "\(format.name)")
    }
  }

  /// The beginning of a file, and a file with a byte changed, is read or refused.
  @Test func tornAndChangedFilesAreReadOrRefused() {
    var generator = SeededGenerator(seed: 3)
    for format in AnnotationFormat.all where format.read != nil {
      let text = Array(SampleRecords.write(SampleRecords.recording("a.wav"), format.writer()).utf8)
      for length in stride(from: 0, to: text.count, by: 5) {
        var changed = text
        changed[length] = UInt8(truncatingIfNeeded: generator.next())
        for bytes in [text[..<length], changed[...]] {
          for spans in read(bytes).tracks.values {
            #expect(spans.allSatisfy { 0 <= $0.start && $0.start <= $0.end && $0.end <= 1e6 })
          }
        }
      }
    }
  }
}
