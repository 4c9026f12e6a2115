/// The cells of 10 ms in which everything is counted, whatever the step of a detector or the precision of a
/// label. What holds at a cell's middle holds for the cell.
enum CellGrid {
  /// In seconds.
  static let cellLength = 0.01
  static let cellMilliseconds = 10
  static let cellsPerHour = 360_000.0

  /// Cells that fit wholly into a length; 1e-6 of a cell forgives what 0.01 is not in binary.
  static func count(in seconds: Double) -> Int { Int(seconds / cellLength + 1e-6) }

  static func middle(_ cell: Int) -> Double { (Double(cell) + 0.5) * cellLength }

  /// The first cell whose middle is not before `time`, however both were rounded.
  static func firstCell(from time: Double) -> Int {
    let time = time - 1e-9
    var cell = max(0, Int(time / cellLength))
    while cell > 0, middle(cell - 1) >= time { cell -= 1 }
    while middle(cell) < time { cell += 1 }
    return cell
  }

  /// Where speech is, in so many cells; `shift` is added to all times, in seconds.
  static func cells(_ spans: [LabelledSpan], count: Int, shift: Double = 0) -> [Bool] {
    var cells = [Bool](repeating: false, count: count)
    for span in spans {
      let end = min(firstCell(from: span.end + shift), count)
      for cell in min(firstCell(from: span.start + shift), end)..<end { cells[cell] = true }
    }
    return cells
  }

  /// What each cell has of the frames: a frame holds from its start to the start of the next, the last one to
  /// the end. Before the first there is no speech, and the score is 0.
  static func cells(
    _ frames: FrameTrack, count: Int, shift: Double
  ) -> (scores: [Double], decisions: [Bool]) {
    var scores = [Double](repeating: 0, count: count)
    var decisions = [Bool](repeating: false, count: count)
    var next = 0
    for cell in 0..<count {
      // A frame that begins at the middle holds for the cell, however both were rounded.
      let time = middle(cell) + 1e-9
      while next < frames.times.count, frames.times[next] + shift <= time { next += 1 }
      guard next > 0 else { continue }
      scores[cell] = frames.scores[next - 1]
      decisions[cell] = frames.decisions[next - 1]
    }
    return (scores, decisions)
  }

  /// The stretches of cells that are true.
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
