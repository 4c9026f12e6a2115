import AnnotationsTestSupport
import Testing

@testable import Annotations

/// Lines end with LF, CR LF or CR in every text format.
@Suite struct LineEndTests {
  /// Returns the lines with these ends, one after the other.
  private func text(_ lines: [Substring], _ ends: [String], isClosed: Bool) -> String {
    lines.enumerated().map { index, line in
      line + (index < lines.count - 1 || isClosed ? ends[index % ends.count] : "")
    }.joined()
  }

  @Test(arguments: [["\n"], ["\r\n"], ["\r"], ["\n", "\r\n", "\r"]])
  func everyFormatIsReadWithEveryLineEnd(ends: [String]) throws {
    for format in AnnotationFormat.all where format.read != nil {
      let name = format.name
      let written = SampleRecords.write(SampleRecords.recording("a.wav"), format.writer())
      let lines = written.replacing("\r\n", with: "\n")
        .split(separator: "\n", omittingEmptySubsequences: false)
      let expected = readLabels(written.utf8)
      #expect(expected.faults == [] && expected.recordings.count == 1, "\(name)")
      for mark in ["", "\u{FEFF}"] {
        let read = readLabels((mark + text(lines, ends, isClosed: false)).utf8)
        #expect(read.recordings == expected.recordings && read.faults == [], "\(name)")
      }
    }
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func framesAndEvaluationMapsAreReadWithEveryLineEnd(end: String) {
    let frames = ["time,probability,speech", "0,0.5,1", "0.01,0.25,0", ""].joined(separator: end)
    let track = FrameTrack(times: [0, 0.01], scores: [0.5, 0.25], decisions: [true, false])
    #expect(readLabels(frames.utf8).recordings["a"]?.track == .frames(track))
    var faults = LineFaults()
    let map = EvaluationMap(Array("a 1 0 2\(end)\(end)b 1 0 3".utf8), faults: &faults)
    #expect(map.ends == ["a": 2, "b": 3] && faults.isEmpty)
  }

  /// Line numbers are those of an editor.
  @Test(arguments: ["\n", "\r\n", "\r"])
  func faultsNameTheLineWithEveryLineEnd(end: String) {
    for (text, ending, line) in [
      ("1\t2\tx\n\nbad\n", "txt", 3), ("start,end\n1,2\n1\n", "csv", 3),
      ("start,end,file\n1,2,\"a\nb\"\n\n1\n", "csv", 5),
      ("<ANNOTATION_DOCUMENT>\n<a\nb='\n'/>\n<TIME_SLOT/>", "eaf", 5),
      ("File type = \"ooTextFile\"\n\"TextGrid\" 0 1\n! 1 2\n\"x\n\"", "TextGrid", 4),
      ("SPEAKER a 1 1 1 <NA> <NA> x <NA>\n\nSPEAKER\n", "rttm", 3),
      ("{\"files\":\n\n[x]}", "json", 3),
    ] {
      let faults = readLabels(text.replacing("\n", with: end).utf8, ending: ending).faults
      #expect(faults.count == 1 && faults[0].contains("line \(line)"), "\(faults)")
    }
  }
}
