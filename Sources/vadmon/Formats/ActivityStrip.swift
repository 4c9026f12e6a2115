/// Where in a recording speech is, at a glance: `▁▁▃███▁▁▅█▁`.
///
/// Spans come one by one and the length is known only at the end, so speech is counted in cells that double
/// their length whenever they run out: the memory is fixed, however long the recording.
struct ActivityStrip: Sendable, Hashable {
  /// Length of one cell in ms.
  private var cellLength: UInt64 = 10
  /// Speech in each cell in ms.
  private var cells: [UInt64] = []

  private static let cellLimit = 2048
  private static let levels: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  mutating func add(from start: Timestamp, to end: Timestamp) {
    while end.milliseconds > cellLength * UInt64(Self.cellLimit) { halve() }
    var time = start.milliseconds
    while time < end.milliseconds {
      let cell = Int(time / cellLength)
      let next = min(end.milliseconds, UInt64(cell + 1) * cellLength)
      while cells.count <= cell { cells.append(0) }
      cells[cell] += next - time
      time = next
    }
  }

  /// At most so many columns, each as high as its share of speech.
  func text(duration: Timestamp, columns: Int = 60) -> String {
    let cellCount = max(Int((duration.milliseconds + cellLength - 1) / cellLength), cells.count, 1)
    let columns = min(columns, cellCount)
    return String(
      (0..<columns).map { column in
        let range = (column * cellCount / columns)..<((column + 1) * cellCount / columns)
        let speech = range.reduce(0) { $0 + ($1 < cells.count ? cells[$1] : 0) }
        return Self.level(speech, of: UInt64(range.count) * cellLength)
      })
  }

  private static func level(_ speech: UInt64, of length: UInt64) -> Character {
    let top = UInt64(levels.count - 1)
    return levels[Int(min(top, (speech * top + length / 2) / length))]
  }

  private mutating func halve() {
    cellLength *= 2
    cells = stride(from: 0, to: cells.count, by: 2).map { index in
      cells[index] + (index + 1 < cells.count ? cells[index + 1] : 0)
    }
  }
}
