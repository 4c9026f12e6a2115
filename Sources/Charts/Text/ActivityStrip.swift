public import Annotations

/// A one-line overview of speech and missing sound in a recording: `▁▁▃███▁××▅█▁`.
///
/// Spans arrive one at a time, and the length is known only at the end. They are therefore summed in cells whose length
/// doubles whenever the cells run out: memory use is fixed, whatever the length of the recording.
public struct ActivityStrip: Sendable, Hashable {
  /// The part of the recording that one character shows.
  public struct Column: Sendable, Hashable {
    /// The character: as high as the share of speech, or a cross.
    public var symbol: Character
    /// Whether some of its sound is missing. If half or more is missing, `symbol` shows this too.
    public var hasGap: Bool
  }

  /// Lengths in ms.
  private struct Cell: Sendable, Hashable {
    var speech: UInt64 = 0
    var missing: UInt64 = 0

    static func + (left: Cell, right: Cell) -> Cell {
      Cell(speech: left.speech + right.speech, missing: left.missing + right.missing)
    }
  }

  /// The length of one cell in ms.
  private var cellLength: UInt64 = 10
  private var cells: [Cell] = []

  private static let cellLimit = 2048
  private static let levels: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// Creates the overview of an empty recording.
  public init() {}

  /// Adds speech.
  public mutating func add(from start: MediaTime, to end: MediaTime) {
    add(\.speech, from: start, to: end)
  }

  /// Adds missing sound.
  public mutating func addGap(from start: MediaTime, to end: MediaTime) {
    add(\.missing, from: start, to: end)
  }

  private mutating func add(
    _ what: WritableKeyPath<Cell, UInt64>, from start: MediaTime, to end: MediaTime
  ) {
    while end.milliseconds > cellLength * UInt64(Self.cellLimit) { halve() }
    var time = start.milliseconds
    while time < end.milliseconds {
      let cell = Int(time / cellLength)
      let next = min(end.milliseconds, UInt64(cell + 1) * cellLength)
      while cells.count <= cell { cells.append(Cell()) }
      cells[cell][keyPath: what] += next - time
      time = next
    }
  }

  /// Returns at most `columns` characters, each as high as its share of speech.
  public func text(duration: MediaTime, columns: Int = 60) -> String {
    String(self.columns(duration: duration, atMost: columns).map(\.symbol))
  }

  /// Returns the overview in at most `columns` columns.
  public func columns(duration: MediaTime, atMost columns: Int) -> [Column] {
    let cellCount = max(Int((duration.milliseconds + cellLength - 1) / cellLength), cells.count, 1)
    let columns = min(columns, cellCount)
    return (0..<columns).map { column in
      let range = (column * cellCount / columns)..<((column + 1) * cellCount / columns)
      let sum = range.reduce(Cell()) { $0 + ($1 < cells.count ? cells[$1] : Cell()) }
      return Self.column(sum, length: UInt64(range.count) * cellLength)
    }
  }

  private static func column(_ sum: Cell, length: UInt64) -> Column {
    let isGap = sum.missing > 0 && sum.missing * 2 >= length
    return Column(
      symbol: isGap ? gap : level(sum.speech, of: length), hasGap: sum.missing > 0)
  }

  private static let gap: Character = "×"

  private static func level(_ speech: UInt64, of length: UInt64) -> Character {
    let top = UInt64(levels.count - 1)
    return levels[Int(min(top, (speech * top + length / 2) / length))]
  }

  private mutating func halve() {
    cellLength *= 2
    cells = stride(from: 0, to: cells.count, by: 2).map { index in
      cells[index] + (index + 1 < cells.count ? cells[index + 1] : Cell())
    }
  }
}
