import Testing

@testable import Annotations

/// SubRip and WebVTT, as their own parsers find the cues.
@Suite struct CueReaderTests {
  private let expected = [[0.5, 1.25], [3603, 3604]]

  @Test(arguments: [
    "1\n00:00:00,500 --> 00:00:01,250\nspeech\n\n2\n01:00:03,000 --> 01:00:04,000\nhello\nyou\n",
    "00:00:00,500 --> 00:00:01,250 X1:1 X2:9\r\n-- > 5\r\n\r\n\r\n7\r\n1:00:03.000 --> 1:00:04.000",
    "\n1\n00:00:00,500\t-->\t00:00:01,250\n\n2\n00:00:00,100 --> 00:00:09,000\n"
      + "speaking while muted (channel 2)\n\n3\n01:00:03,000 --> 01:00:04,000\n",
    // No empty line, with and without a number, and a text that is a number.
    "1\n00:00:00,500 --> 00:00:01,250\none\n2\n01:00:03,000 --> 01:00:04,000\ntwo\n",
    "00:00:00,500 --> 00:00:01,250\none\n01:00:03,000 --> 01:00:04,000\ntwo",
    "1\n00:00:00,500 --> 00:00:01,250\n1984\n2\n01:00:03,000 --> 01:00:04,000\n7\n",
    "1\n00:00:00,500 --> 00:00:01,250\n2\n01:00:03,000 --> 01:00:04,000\n",
    // Every line is followed by an empty one.
    "1\n\n00:00:00,500 --> 00:00:01,250\n\none\n\n2\n\n01:00:03,000 --> 01:00:04,000\n\ntwo\n\n",
    // An empty line in a text, arrows and times in a text, and a number that is none.
    "1\n00:00:00,500 --> 00:00:01,250\none\n\nmore of it\nA --> B\n12:30 - 1:15\n\n"
      + "2.\n01:00:03,000 --> 01:00:04,000\n",
    // No blanks, no fraction, no hours, a BOM.
    "\u{FEFF}1\n00:00:00,500-->00:00:01,250\n\n2\n1:00:03 --> 1:0:4\n\n",
    "00:00,500 --> 00:01,250\none\n1:00:03.000  -->  1:00:04,000",
  ])
  func subRipIsRead(text: String) { expectTwo(text, "srt") }

  @Test(arguments: [
    "\n\n00:00.500 --> 00:01.250 align:start\n<v Anna>speech\n\nid --\n"
      + "01:00:03.000 --> 01:00:04.000\nhello\n",
    // Directly behind the header, with and without a name.
    "\n00:00.500 --> 00:01.250\none\n01:00:03.000 --> 01:00:04.000\ntwo\n",
    " - a title\nKind: captions\nfirst\n00:00.500 --> 00:01.250\none\n\n"
      + "second\n01:00:03.000-->01:00:04.000 position:10%,line-left\n",
    "\tx\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n00:00.500 --> 00:01.250\n\n"
      + "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\n01:00:03.000 --> 01:00:04.000\n",
    // Comments, styles and regions are no cues, and cues directly behind them are cues.
    "\n\nNOTE\n00:05.000\n\nSTYLE\n::cue {}\n\nREGION\nid:x\n\nNOTE 00:07.000 --> 00:08.000\nis gone\n\n"
      + "NOTE\ncut 00:07.000 --> 00:08.000 off\n\n00:00.500 --> 00:01.250\n\n01:00:03.000 --> 01:00:04.000",
    "\nSTYLE\n::cue {}\n00:00.500 --> 00:01.250\nNOTE this is said\n\nNOTE x\n01:00:03.000 --> 01:00:04.000\n",
    // A name of several lines ends where the cue begins.
    "\n\n1\n2\n3\n00:00.500 --> 00:01.250\n\n01:00:03.000 --> 01:00:04.000\n",
  ])
  func webVTTIsRead(rest: String) { expectTwo("WEBVTT" + rest, "vtt") }

  /// A mark may be written as text, with tags around it, or as it looks, like a tag.
  @Test(arguments: [
    ("sil", true), ("<sil>", true), ("&lt;sil&gt;", true), ("<v Bob>sil</v>", true),
    ("<i>silence</i>", true), ("<v A>speaking while muted</v>", true), ("&amp;lt;sil&gt;", false),
    ("<v sil>yes</v>", false), ("a < b > c", false), ("<i></i>", false), ("1 > 0 <", false),
  ])
  func marksAreFoundWithinTags(text: String, isSilence: Bool) {
    let cue = "00:00:00.500 --> 00:00:01.250\n\(text)\n"
    for (head, ending) in [("WEBVTT\n\n", "vtt"), ("1\n", "srt")] {
      #expect(times(head + cue, ending: ending) == (isSilence ? [] : [[0.5, 1.25]]), "\(text)")
    }
  }

  /// By the beginning or by the extension, and with every kind of line end.
  private func expectTwo(
    _ text: String, _ ending: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for end in ["\n", "\r\n", "\r"] {
      let text = text.replacing("\r\n", with: "\n").replacing("\n", with: end)
      #expect(times(text, ending: ending) == expected, "\(text)", sourceLocation: sourceLocation)
      #expect(times(text) == expected, "\(text)", sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: [
    ("1\n00:00:01,000 --> 00:00:00,500\nx\n", ", line 2: the end 0.5 is before the start 1.0"),
    ("1\n00:00:01,000 --> x\n", ", line 2: the end 'x' is not a time: write it as 00:00:01.500"),
    ("1\n00:00:01,000 -->\n", ", line 2: the times are not START --> END"),
    ("1\nx 00:00:01,000 --> 00:00:02,000\n", ", line 2: the times are not START --> END"),
    ("1\n00:00:01,5 --> 00:00:02,000\n", ", line 2: the start '00:00:01,5' is not a time"),
    ("1\n00:00:01,000 --> 00:00:02,0000\n", "the end '00:00:02,0000' is not a time"),
    ("1\n0:01 --> 0:02\n", ", line 2: the start '0:01' is not a time"),
    ("1\n00:61:01,500 --> 02:00:02,000\n", "the start '00:61:01,500' is not a time"),
    ("1\n00:00:01,500 --> 9999:00:02,000\n", "is beyond 1000000 s"),
    ("1\n00:00:01,500 --> 99999999999999999999:00:02,000\n", "is not a time"),
    (
      "1\n00:00:01,000 --> 00:00:02,000\nx\n\n2\ntorn\n",
      ", line 5: '2' is not a cue: write its times"
    ),
    (
      "1\n00:00:01,000 --> 00:00:02,000\nx\n2\n00:00:03,000 -> 00:00:04,000\n",
      ", line 5: the times"
    ),
    ("1\n00:00:01,000 --> 00:00:02,000\nx\n\n2\n-:- --> -:-\n", ", line 6: the start '-:-' is not"),
    ("WEBVTT\n\n60:03.000 --> 60:04.000\n", ", line 3: the start '60:03.000' is not a time"),
    (
      "WEBVTT\n00:01.000 --> 00:02.000\none\n00:03.000 --> 0:0x\n",
      ", line 4: the end '0:0x' is not"
    ),
    (
      "WEBVTT\n\nNOTE\n00:01.000 --> 00:02.000\none\n00:03.000 --> x\n",
      ", line 6: the end 'x' is not a time"
    ),
    ("WEBVTT\n\nno cue\n\nat all", ", line 3: 'no cue' is not a cue"),
    (
      "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:0\n\nWEBVTT\nX-TIMESTAMP-MAP=MPEGTS:9,LOCAL:0\n",
      ", line 5: this X-TIMESTAMP-MAP differs"
    ),
  ])
  func brokenCuesAreReported(row: (text: String, message: String)) {
    for end in ["\n", "\r"] {
      let faults = readLabels(row.text.replacing("\n", with: end).utf8, ending: "srt").faults
      #expect(faults.count == 1 && faults[0].contains(row.message), "\(faults)")
    }
  }

  @Test func aBrokenCueDoesNotHideTheOthers() {
    let text = "1\n00:00:00,500 --> x\none\n2\n00:00:02,000 --> 00:00:03,000\ntwo\n3\ny --> 00:05\n"
    let (recordings, faults) = readLabels(text.utf8)
    #expect(faults.count == 2 && faults[1].hasPrefix("a, line 8"), "\(faults)")
    #expect(recordings["a"]?.track.agrees(with: .spans([LabelledSpan(2, 3)])) == true)
  }

  @Test func textIsNoSubtitleForItsArrowsAndAFileOfSubtitlesNeedsCues() {
    #expect(times("0.5\t1.25\t0:01 --> 0:02\n3603\t3604\tA --> B\n") == expected)
    for ending in ["srt", "vtt"] {
      #expect(readLabels("hello\n".utf8, ending: ending).faults.count == 1)
    }
    #expect(times("", ending: "srt") == [])
    #expect(readLabels("".utf8, ending: "vtt").faults.count == 1)
    #expect(times("WEBVTT", ending: "vtt") == [])
  }

  /// The standard demands the header, whatever follows; SubRip has none, and WebVTT by another name is WebVTT.
  @Test(arguments: ["00:01.000 --> 00:02.000\nx\n", "1\n00:00:01,000 --> 00:00:02,000\nx\n"])
  func aWebVTTHasItsHeader(cues: String) {
    for ending in ["vtt", "VTT"] {
      let faults = readLabels(cues.utf8, ending: ending).faults
      #expect(faults.count == 1 && faults[0].contains("the line WEBVTT is missing"), "\(faults)")
      #expect(times("WEBVTT\n\n" + cues, ending: ending) == [[1, 2]])
    }
    for ending in ["srt", "txt"] {
      #expect(times(cues, ending: ending) == [[1, 2]])
      #expect(times("WEBVTT\n\n" + cues, ending: ending) == [[1, 2]])
    }
  }

  /// RFC 8216, 3.5: the map is to the clock of a stream, whose beginning stands in the stream.
  @Test(arguments: [
    ("MPEGTS:900000,LOCAL:00:00:00.000", 1), ("LOCAL:00:00:00.000,MPEGTS:0", 0),
  ])
  func aMapToAStreamIsRemarkedOn(row: (map: String, remarks: Int)) {
    let text = "WEBVTT\nX-TIMESTAMP-MAP=\(row.map)\n\n00:01.000 --> 00:02.000\n"
    let recording = readLabels(text.utf8).recordings["a"]
    #expect(recording?.remarks.count == row.remarks)
    #expect(recording?.track == .spans([LabelledSpan(1, 2)]))
  }
}

extension LabelledSpan {
  fileprivate init(_ start: Double, _ end: Double) { try! self.init(start: start, end: end) }
}
