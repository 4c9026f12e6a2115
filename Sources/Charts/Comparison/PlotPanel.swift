/// A panel of the picture: a frame with two axes, a title, and a key with a line for each detector.
struct PlotPanel {
  let horizontal: PlotAxis
  let vertical: PlotAxis
  /// The edges of the frame.
  let left: Double
  let right: Double
  let top: Double
  let bottom: Double
  private let keys: [String]
  private let detectors: [DrawnDetector]

  /// The distance of the panels' left edges.
  static let pitch = 334.0
  private static let (titleHeight, keyHeight, plotWidth, plotHeight) = (20.0, 17.0, 266.0, 220.0)
  private static let ink = "#222"
  static let gridColor = "#e4e4e4"

  /// Returns the height of a panel with so many lines of key.
  static func height(keys: Int) -> Double {
    titleHeight + Double(keys) * keyHeight + 8 + plotHeight + 52
  }

  /// Creates a panel whose upper left corner is at `x` and `y`. `foot` is how much of the frame lies below the vertical
  /// axis.
  init(
    x: Double, y: Double, detectors: [DrawnDetector], keys: [String], horizontalEnd: Double = 1,
    foot: Double = 0
  ) {
    (self.detectors, self.keys) = (detectors, keys)
    (left, right) = (x + 52, x + 52 + Self.plotWidth)
    top = y + Self.titleHeight + Double(keys.count) * Self.keyHeight + 8
    bottom = top + Self.plotHeight
    horizontal = PlotAxis(from: 0, to: horizontalEnd, pixels: left, right)
    vertical = PlotAxis(from: 0, to: 1, pixels: bottom - foot, top)
  }

  func point(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    (horizontal.pixel(x), vertical.pixel(y))
  }

  /// Returns the frame, with the grid and all text. An empty key is for the panel to fill.
  func frame(title: String, horizontal xTitle: String, vertical yTitle: String) -> [String] {
    let head = top - 8 - Double(keys.count) * Self.keyHeight
    return [SVG.styled("font-weight=\"bold\"", [SVG.text(title, x: left, y: head - 6)])]
      + zip(detectors, keys).enumerated().flatMap { index, line in
        let y = head + Double(index + 1) * Self.keyHeight - 5
        return line.1.isEmpty
          ? [] : [line.0.sample(x: left, y: y), SVG.text(line.1, x: left + 30, y: y)]
      }
      + grid
      + [
        SVG.text(xTitle, x: (left + right) / 2, y: bottom + 36, anchor: "middle"),
        SVG.styled(
          "transform=\"rotate(-90 \(left - 38) \((top + bottom) / 2))\"",
          [SVG.text(yTitle, x: left - 38, y: (top + bottom) / 2, anchor: "middle")]),
      ]
  }

  private var grid: [String] {
    horizontal.ticks.flatMap { tick in
      let x = horizontal.pixel(tick)
      return [
        SVG.line([(x, top), (x, bottom)], stroke: Self.gridColor),
        SVG.text(horizontal.label(tick), x: x, y: bottom + 17, anchor: "middle"),
      ]
    }
      + vertical.ticks.flatMap { tick in
        let y = vertical.pixel(tick)
        return [
          SVG.line([(left, y), (right, y)], stroke: Self.gridColor),
          SVG.text(vertical.label(tick), x: left - 7, y: y + 4, anchor: "end"),
        ]
      }
      + [SVG.line([(left, top), (left, bottom), (right, bottom)], stroke: Self.ink)]
  }

  /// Returns a detector's curve, in the units of the axes.
  func curve(
    _ points: [(x: Double, y: Double)], of detector: DrawnDetector, dashes: String? = nil
  ) -> String {
    SVG.line(
      thinned(points.map { point($0.x, $0.y) }), stroke: detector.color,
      dashes: dashes ?? detector.dashes)
  }

  /// Returns a mark on a curve; `tip` is the text that browsers show for it.
  func mark(_ x: Double, _ y: Double, of detector: DrawnDetector, tip: String) -> String {
    let (x, y) = point(x, y)
    return SVG.circle(x: x, y: y, radius: 4.5, fill: detector.color, tip: tip)
  }

  /// Returns why there is nothing to see.
  func message(_ text: String) -> String {
    SVG.haloed([SVG.text(text, x: (left + right) / 2, y: (top + bottom) / 2, anchor: "middle")])
  }
}
