public import Annotations

/// The grid of 10 ms cells in which everything is counted, whatever the step of a detector or the precision of a label.
/// The value at a cell's middle counts for the cell.
public enum CellGrid {
  /// The length of a cell in seconds.
  static let cellLength = 0.01
  /// The length of a cell in milliseconds.
  public static let cellMilliseconds = 10
  static let cellsPerHour = 360_000.0

  /// Returns the number of cells that fit entirely into a length. The tolerance of 1e-6 cells is for the binary
  /// rounding of 0.01.
  static func count(in seconds: Double) -> Int { Int(seconds / cellLength + 1e-6) }

  static func middle(_ cell: Int) -> Double { (Double(cell) + 0.5) * cellLength }

  /// Returns the first cell whose middle is not before `time`, allowing for rounding of both.
  static func firstCell(from time: Double) -> Int {
    let time = time - 1e-9
    var cell = max(0, Int(time / cellLength))
    while cell > 0, middle(cell - 1) >= time { cell -= 1 }
    while middle(cell) < time { cell += 1 }
    return cell
  }

  /// Returns which of `count` cells contain speech; `shift`, in seconds, is added to all times.
  public static func cells(_ spans: [LabelledSpan], count: Int, shift: Double = 0) -> [Bool] {
    var cells = [Bool](repeating: false, count: count)
    for span in spans {
      let end = min(firstCell(from: span.end + shift), count)
      for cell in min(firstCell(from: span.start + shift), end)..<end { cells[cell] = true }
    }
    return cells
  }

  /// Returns the score and decision of each cell. A frame counts from its start to the start of the next frame, the
  /// last one to the end. Before the first frame there is no speech, and the score is the lowest of all frames, or 0 if
  /// that is lower.
  static func cells(
    _ frames: FrameTrack, count: Int, shift: Double
  ) -> (scores: [Double], decisions: [Bool]) {
    var scores = [Double](repeating: min(0, frames.scores.min() ?? 0), count: count)
    var decisions = [Bool](repeating: false, count: count)
    var next = 0
    for cell in 0..<count {
      // A frame that begins at the middle counts for the cell, allowing for rounding of both.
      let time = middle(cell) + 1e-9
      while next < frames.times.count, frames.times[next] + shift <= time { next += 1 }
      guard next > 0 else { continue }
      scores[cell] = frames.scores[next - 1]
      decisions[cell] = frames.decisions[next - 1]
    }
    return (scores, decisions)
  }

  /// Returns the runs of cells that are true.
  static func runs(_ cells: [Bool]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start: Int?
    for (index, isOn) in cells.enumerated() {
      if isOn, start == nil { start = index }
      if !isOn, let first = start {
        runs.append(first..<index)
        start = nil
      }
    }
    if let start { runs.append(start..<cells.count) }
    return runs
  }
}
