import Annotations
import TestSupport
import Testing

@testable import SpeechScoring

@Suite struct CountedRecordingTests {
  /// Every cell is labelled, detected, both or neither, as a formula in whole milliseconds says.
  @Test func eachCellIsCountedOnce() throws {
    var generator = SeededGenerator(seed: 5)
    for shift in [0, 30] {
      let spans = { (generator: inout SeededGenerator) -> [(start: Int, end: Int)] in
        (0..<6).map { _ in
          let start = Int.random(in: 0..<1500, using: &generator)
          return (start, start + Int.random(in: 0...200, using: &generator))
        }
      }
      let sides = [spans(&generator), spans(&generator), spans(&generator)]
      let tracks = try sides.map { side in
        try side.map {
          try LabelledSpan(start: Double($0.start) / 1000, end: Double($0.end) / 1000)
        }
      }
      let counted = try Evaluation(shift: Double(shift) / 1000).counted(
        ComparedRecording(
          name: "a", reference: tracks[0], detected: .spans(tracks[1]), against: .spans(tracks[2])))
      let isOn = { (side: Int, cell: Int) in
        let middle = cell * 10 + 5 - (side > 0 ? shift : 0)
        return sides[side].contains { $0.start <= middle && middle < $0.end }
      }
      #expect(counted.scores == nil)
      for cell in 0..<counted.count {
        let (labelled, detected) = (isOn(0, cell), isOn(1, cell))
        let has = { (runs: [Range<Int>]?) in runs?.contains { $0.contains(cell) } == true }
        #expect(has(counted.labelled) == labelled)
        #expect(has(counted.detected) == detected)
        #expect(has(counted.against) == isOn(2, cell))
        #expect(has(counted.missed) == (labelled && !detected))
        #expect(has(counted.falseAlarms) == (detected && !labelled))
      }
    }
  }

  @Test func framesGiveAScoreForEachCell() throws {
    let frames = FrameTrack(
      times: [0, 0.02, 0.03], scores: [0.1, 0.9, 0.4], decisions: [false, true, false])
    let counted = try Evaluation().counted(
      ComparedRecording(name: "a", reference: [], detected: .frames(frames)))
    #expect(counted.scores == [0.1, 0.1, 0.9, 0.4])
    #expect(counted.falseAlarms == [2..<3] && counted.missed == [] && counted.labelled == [])
    #expect(counted.against == nil)
  }
}
