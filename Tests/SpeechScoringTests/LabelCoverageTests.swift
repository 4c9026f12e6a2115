import Annotations
import TestSupport
import Testing

@testable import SpeechScoring

@Suite struct LabelCoverageTests {
  private func warning(_ recordings: [(labelled: Int, cells: Int)]) -> String? {
    var coverage = LabelCoverage()
    for (index, recording) in recordings.enumerated() {
      coverage.add("r\(index)", labelled: recording.labelled, of: recording.cells)
    }
    return coverage.warning
  }

  @Test func labelsThatLeaveAlmostNoSilenceAreReportedOnce() {
    #expect(warning([]) == nil && warning([(0, 0)]) == nil && warning([(0, 1000)]) == nil)
    #expect(warning([(949, 1000)]) == nil)
    expectMessage(warning([(500, 1000), (950, 1000)]) ?? "", "r1", "95.0 %", "--silence")
    #expect(
      warning([(1000, 1000), (9999, 10000), (1, 1000)])?.contains(
        "r0 cover 100.0 % of it, as in 2 of 3 recordings:") == true)
    // What is not all is never 100 %.
    #expect(warning([(9999, 10000)])?.contains("99.9 %") == true)
  }

  @Test func aShortRecordingMayBeOnePhrase() {
    #expect(warning([(499, 499)]) == nil)
    #expect(warning([(500, 500)]) != nil)
  }

  @Test func aComparisonCountsWhatIsLabelled() throws {
    let spans = try [(0.0, 3.0), (3.0, 5.99)].map { try LabelledSpan(start: $0.0, end: $0.1) }
    let pauses = try [(0.0, 3.0), (4.0, 5.99)].map { try LabelledSpan(start: $0.0, end: $0.1) }
    for (labels, isCovered) in [(spans, true), (pauses, false)] {
      let comparison = try Evaluation().comparison(of: [
        ComparedRecording(name: "a", reference: labels, detected: .spans([]), statedLength: 6)
      ])
      #expect(comparison.warnings.count == (isCovered ? 1 : 0), "\(comparison.warnings)")
      #expect(comparison.pooled.duration == MediaTime(milliseconds: 6000))
    }
  }

  /// Frames end with the last whole hop, and a stated length may be that of a longer recording.
  @Test func theLaterOfFramesAndStatedLengthCounts() throws {
    let frames = FrameTrack(times: [0, 1], scores: [0, 0], decisions: [false, false])
    for (stated, seconds) in [(nil, 2.0), (1.5, 2), (2.25, 2.25)] as [(Double?, Double)] {
      let recording = ComparedRecording(
        name: "a", reference: [], detected: .frames(frames), statedLength: stated)
      let counted = try Evaluation().counted(recording)
      #expect(counted.count == Int(seconds * 100))
    }
  }
}
