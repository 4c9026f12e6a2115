import Annotations

/// A bar of cells, with marks over it: `████████▌··│····┊···`.
struct MeterBar {
  /// A mark at a position on the bar.
  struct Mark {
    /// The position, 0 … 1.
    var place: Double
    var symbol: Character
  }

  /// The length of the bar, 0 … 1.
  var value: Double
  /// The marks. A mark covers the bar, and the first mark covers the others.
  var marks: [Mark] = []
  /// The tint of a covered cell at a position 0 … 1.
  var tint: (_ place: Double) -> TextStyle.Tint

  private static let parts: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  /// Returns the bar in `width` columns.
  func text(width: Int, style: TextStyle) -> String {
    style.tinted((0..<max(0, width)).map { cell($0, of: width) })
  }

  private func cell(_ index: Int, of width: Int) -> (symbol: Character, tint: TextStyle.Tint) {
    if let mark = marks.first(where: { Self.index($0.place, of: width) == index }) {
      return (mark.symbol, .strong)
    }
    let eighths = Int((min(max(value, 0), 1) * Double(width) * 8).rounded()) - index * 8
    guard eighths > 0 else { return ("·", .faint) }
    let symbol = eighths >= 8 ? "█" : Self.parts[eighths - 1]
    return (symbol, tint((Double(index) + 0.5) / Double(width)))
  }

  private static func index(_ place: Double, of width: Int) -> Int {
    min(width - 1, max(0, Int(place * Double(width))))
  }
}

/// Levels as a bar.
enum LevelScale {
  /// The range in dBFS: from below almost any microphone's own noise to the maximum.
  static let range: ClosedRange<Float> = -72...0
  /// The level in dBFS from which sound is loud, and the level from which clipping is near.
  private static let loud: Float = -12
  private static let tooLoud: Float = -3

  static func bar(_ state: MeterState) -> MeterBar {
    guard let reading = state.reading else { return MeterBar(value: 0) { _ in .faint } }
    let own = state.ownLevelDBFS.map { MeterBar.Mark(place: place($0), symbol: "┼") }
    return MeterBar(
      value: place(reading.levelDBFS),
      marks: (own.map { [$0] } ?? []) + [
        .init(place: place(reading.peakDBFS), symbol: "│"),
        .init(place: place(reading.noiseFloorDBFS), symbol: "┊"),
      ],
      tint: { $0 >= place(tooLoud) ? .bad : $0 >= place(loud) ? .warning : .good })
  }

  /// Returns the level as `-32.4 dBFS`, with a constant width.
  static func text(_ reading: MeterState.Reading?) -> String {
    guard let reading else { return "" }
    return fixed(Double(reading.levelDBFS), places: 1).padded(to: 6, right: true) + " dBFS"
  }

  /// Returns the scale below the bar: `-72       -60       …       0`.
  static func text(width: Int) -> String {
    // Labels have up to three characters and need spaces between them.
    let steps = [6, 12, 24, 36, 72].filter { Double($0) / 72 * Double(width) >= 5 }
    guard let step = steps.first else { return "" }
    var cells = [Character](repeating: " ", count: width)
    for level in stride(from: Int(range.lowerBound), through: 0, by: step) {
      let label = String(level)
      let middle = (level - Int(range.lowerBound)) * width / 72
      let start = min(max(0, middle - label.count / 2), width - label.count)
      cells.replaceSubrange(start..<start + label.count, with: label)
    }
    return String(cells)
  }

  private static func place(_ level: Float) -> Double {
    let share = (level - range.lowerBound) / (range.upperBound - range.lowerBound)
    return Double(min(max(share, 0), 1))
  }
}
