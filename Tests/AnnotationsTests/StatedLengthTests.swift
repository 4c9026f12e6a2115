import AnnotationsTestSupport
import Testing

@testable import Annotations

/// What files state about their recording beside its labels.
@Suite struct StatedLengthTests {
  @Test func textGridsAndJSONStateTheLength() {
    var file = SampleRecords.file("a.wav")
    file.duration = MediaTime(milliseconds: 61_250)
    let segment = Record.segment(SampleRecords.span(500, 1250))
    file.segmentCount = 1
    let formats: [(any RecordFormat, Double?)] = [
      (AnnotationFormat.json.writer(), 61.25), (AnnotationFormat.jsonl.writer(), 61.25),
      (AnnotationFormat.textGrid.writer(), 61.25), (AnnotationFormat.eaf.writer(), nil),
      (AnnotationFormat.rttm.writer(), nil), (AnnotationFormat.csv.writer(), nil),
      (AnnotationFormat.srt.writer(), nil),
    ]
    for (format, length) in formats {
      let text = SampleRecords.write([segment, .file(file)], format)
      #expect(readLabels(text.utf8).recordings["a"]?.length == length, "\(format)")
    }
    let empty = "File type = \"ooTextFile\"\n\"TextGrid\"\n0\n7.5\n<absent>\n"
    #expect(readLabels(empty.utf8).recordings["a"] == LabelledRecording(.spans([]), length: 7.5))
  }

  // MARK: ELAN

  private func eaf(_ media: String...) -> String {
    """
    <ANNOTATION_DOCUMENT><HEADER TIME_UNITS="milliseconds">
    \(media.map { "<MEDIA_DESCRIPTOR \($0)/>" }.joined())
    <LINKED_FILE_DESCRIPTOR LINK_URL="a.xml" TIME_ORIGIN="9000"/></HEADER>
    <TIME_ORDER><TIME_SLOT TIME_SLOT_ID="1" TIME_VALUE="1000"/><TIME_SLOT TIME_SLOT_ID="2" TIME_VALUE="2500"/></TIME_ORDER>
    <TIER><ALIGNABLE_ANNOTATION TIME_SLOT_REF1="1" TIME_SLOT_REF2="2"/></TIER></ANNOTATION_DOCUMENT>
    """
  }

  /// ELAN skips TIME_ORIGIN of a medium, so that the annotation of ELAN's second 1 is later in the medium.
  @Test(arguments: [
    ("", [1, 2.5]), ("TIME_ORIGIN='0'", [1, 2.5]), ("TIME_ORIGIN='1000'", [2, 3.5]),
    ("TIME_ORIGIN='-500'", [0.5, 2]), ("TIME_ORIGIN='-1500'", [0, 1]),
  ])
  func timesAreThoseOfTheRecording(row: (attributes: String, times: [Double])) {
    #expect(times(eaf(row.attributes)) == [row.times])
  }

  @Test func annotationsBeforeTheRecordingAreLeftOut() {
    #expect(times(eaf("TIME_ORIGIN='-2501'")) == [])
  }

  @Test func theMediumIsTheOneOfTheNameOrTheSound() throws {
    let video = "MEDIA_URL='file:///x/v.mp4' MIME_TYPE='video/mp4' TIME_ORIGIN='3000'"
    let sound = "MEDIA_URL='file:///x/s.wav' MIME_TYPE='audio/x-wav'"
    let named =
      "MEDIA_URL='x' RELATIVE_MEDIA_URL='./%61.mp4' MIME_TYPE='video/mp4' TIME_ORIGIN='200'"
    let same = "MEDIA_URL='file:///x/w.mp4' TIME_ORIGIN='3000'"
    for (media, expected, remarks) in [
      ([video], [4.0, 5.5], 0), ([video, same], [4, 5.5], 0), ([video, sound], [1, 2.5], 1),
      ([sound, video], [1, 2.5], 1), ([video, sound, named], [1.2, 2.7], 1),
      ([], [1, 2.5], 0),
    ] {
      let text =
        switch media.count {
        case 0: eaf()
        case 1: eaf(media[0])
        case 2: eaf(media[0], media[1])
        default: eaf(media[0], media[1], media[2])
        }
      #expect(times(text) == [expected], "\(media)")
      #expect(readLabels(text.utf8).recordings["a"]?.remarks.count == remarks, "\(media)")
    }
  }

  @Test(arguments: ["x", "1.5", "99999999999", "-1000000001", "-9223372036854775808", ""])
  func aWrongTimeOriginIsReported(origin: String) {
    let faults = readLabels(eaf("TIME_ORIGIN='\(origin)'").utf8).faults
    #expect(faults.count == 1 && faults[0].contains("line 2: the TIME_ORIGIN"), "\(faults)")
    #expect(readLabels(eaf("TIME_ORIGIN='999999000'").utf8).faults[0].contains("beyond 1000000 s"))
  }
}
