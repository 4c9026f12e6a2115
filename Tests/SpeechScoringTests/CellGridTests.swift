import Annotations
import TestSupport
import Testing

@testable import SpeechScoring

@Suite struct CellGridTests {
  private func span(_ start: Double, _ end: Double) throws -> LabelledSpan {
    try LabelledSpan(start: start, end: end)
  }

  private func indices(_ cells: [Bool]) -> [Int] { cells.indices.filter { cells[$0] } }

  @Test func aCellIsSpeechIfItsMiddleIs() throws {
    #expect(indices(CellGrid.cells([try span(0.1, 0.2)], count: 32)) == Array(10..<20))
    // Middles are 0.105 and 0.195. Moving an end without crossing a middle changes nothing.
    #expect(indices(CellGrid.cells([try span(0.1049, 0.1951)], count: 32)) == Array(10..<20))
    #expect(indices(CellGrid.cells([try span(0.1051, 0.1949)], count: 32)) == Array(11..<19))
    // Half open: [start, end).
    #expect(indices(CellGrid.cells([try span(0.125, 0.375)], count: 64)) == Array(12..<37))
  }

  @Test func spansAreUnitedAndCutOffAtTheEnd() throws {
    let spans = [try span(0.05, 0.08), try span(0, 0.06), try span(0.03, 0.03), try span(0.09, 5)]
    #expect(indices(CellGrid.cells(spans, count: 12)) == [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11])
    #expect(indices(CellGrid.cells([try span(3, 4)], count: 12)) == [])
    #expect(CellGrid.cells(spans, count: 0) == [])
  }

  @Test func shiftingMovesWhatWasDetected() throws {
    #expect(indices(CellGrid.cells([try span(0.1, 0.2)], count: 32, shift: 0.02)) == Array(12..<22))
  }

  /// The definition, cell by cell, in whole milliseconds: a segment that begins at a cell's middle includes the cell.
  @Test func cellsAgreeWithTheDefinition() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      let start = Int.random(in: 0..<4000, using: &generator)
      let end = start + Int.random(in: 0..<400, using: &generator)
      let naive = (0..<450).filter { $0 * 10 + 5 >= start && $0 * 10 + 5 < end }
      let cells = CellGrid.cells([try span(Double(start) / 1000, Double(end) / 1000)], count: 450)
      #expect(indices(cells) == naive)
    }
  }

  /// Frames of 32 ms: middles 5, 15, 25 lie in the first, 35, 45, 55 in the second, 65, 75, 85, 95 in the third.
  @Test func framesOfAnyStepAreHeld() {
    let frames = FrameTrack(
      times: [0, 0.032, 0.064], scores: [0.1, 0.2, 0.3], decisions: [false, true, false])
    let cells = CellGrid.cells(frames, count: 10, shift: 0)
    #expect(cells.scores == [0.1, 0.1, 0.1, 0.2, 0.2, 0.2, 0.3, 0.3, 0.3, 0.3])
    #expect(indices(cells.decisions) == [3, 4, 5])
  }

  /// Frames of 5 ms, shifted by four frames: every second one begins at the middle of a cell, and a sum such as 0.285 +
  /// 0.02 comes out slightly above 0.305.
  @Test func aFrameThatBeginsAtTheMiddleHoldsForTheCell() {
    let times = (0..<20_000).map { Double($0 * 5) / 1000 }
    let frames = FrameTrack(
      times: times, scores: times.indices.map(Double.init), decisions: times.map { _ in false })
    let scores = CellGrid.cells(frames, count: 10_000, shift: 0.02).scores
    for cell in 2..<10_000 where scores[cell] != Double(2 * cell - 3) {
      Issue.record("cell \(cell) has frame \(scores[cell])")
    }
  }

  @Test func cellsBeforeTheFirstFrameAreEmpty() {
    let frames = FrameTrack(times: [0.02], scores: [0.9], decisions: [true])
    let cells = CellGrid.cells(frames, count: 5, shift: 0.01)
    #expect(cells.scores == [0, 0, 0, 0.9, 0.9])
    #expect(indices(cells.decisions) == [3, 4])
    #expect(CellGrid.cells(FrameTrack(), count: 2, shift: 0).scores == [0, 0])
    // Not the highest of scores that are all below 0, such as logarithms.
    let logarithms = FrameTrack(
      times: [0.02, 0.03], scores: [-5, -0.1], decisions: [false, true])
    #expect(
      CellGrid.cells(logarithms, count: 5, shift: 0.01).scores == [-5, -5, -5, -5, -0.1])
  }

  @Test func theLastOfSimultaneousFramesHolds() {
    let frames = FrameTrack(times: [0, 0], scores: [0.1, 0.7], decisions: [false, true])
    #expect(CellGrid.cells(frames, count: 1, shift: 0).scores == [0.7])
  }

  @Test func aTableEndsOneStepAfterItsLastFrame() {
    #expect(FrameTrack().end == 0)
    #expect(FrameTrack(times: [0], scores: [0], decisions: [false]).end == 0.01)
    let table = FrameTrack(
      times: [0, 0.25, 0.5], scores: [0, 0, 0], decisions: [false, false, false])
    #expect(table.end == 0.75)
  }

  /// 10 ms steps up to the length of a working day give as many cells as frames.
  @Test(arguments: [1, 2, 29, 57, 1033, 2_880_000])
  func aTableOf10msFramesHasAsManyCells(count: Int) {
    let last = Double((count - 1) * 10) / 1000
    let table = FrameTrack(
      times: count > 1 ? [last - 0.01, last] : [last], scores: [], decisions: [])
    #expect(CellGrid.count(in: table.end) == count)
  }

  @Test func runsAreHalfOpen() {
    let (o, x) = (false, true)
    #expect(CellGrid.runs([]) == [])
    #expect(CellGrid.runs([o, o]) == [])
    #expect(CellGrid.runs([x]) == [0..<1])
    #expect(CellGrid.runs([x, x, o, x, o, o, x]) == [0..<2, 3..<4, 6..<7])
  }
}
