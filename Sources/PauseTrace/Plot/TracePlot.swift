internal import Charts
internal import VideoPause

/// A replay as a picture in SVG 1.1. The upper part shows the estimate, the budget and each stream's share of it; the
/// lower part has a lane for each stream with its pauses.
public struct TracePlot {
  private let name: String
  private let states: [TraceState]
  private let streams: [StreamID]
  private let cells: [[PlotCell]]
  private let time: PlotAxis
  private let rate: PlotAxis

  /// Dimensions in pixels.
  private static let width = 960
  private static let (left, right) = (130.0, 930.0)
  private static let (top, bottom) = (50.0, 350.0)
  private static let lane = 22.0

  /// Okabe and Ito's colours, which colour-blind readers can distinguish. Vermilion is reserved for pauses.
  private static let colors = [
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#f0e442", "#999999",
  ]
  private static let pausedColor = "#d55e00"
  private static let idleColor = "#dddddd"

  /// Creates a picture of all states of a replay; `name` is its title.
  public init(name: String, states: [TraceState]) {
    self.name = name
    self.states = states
    let streams = states.reduce(into: Set<StreamID>()) { all, state in
      for row in state.decision.streams { all.insert(row.id) }
    }.sorted()
    self.streams = streams
    cells = PlotCell.cells(of: streams, in: states)
    let (start, end) = (states.first?.at ?? .zero, states.last?.at ?? .zero)
    time = PlotAxis(
      seconds: Double(start.microseconds) / 1e6, to: Double(end.microseconds) / 1e6,
      pixels: Self.left, Self.right)
    let rates = states.map { max($0.estimate, $0.decision.targetBitrate) }
    rate = PlotAxis(
      from: 0, to: Double(rates.max() ?? 0) / 1000, pixels: Self.bottom, Self.top)
  }

  /// The SVG document.
  public var text: String {
    let height = Self.bottom + 50 + Self.lane * Double(streams.count) + 20
    return SVG.document(
      width: Self.width, height: Int(height), title: name,
      legend + grid + areas + lines
        + streams.indices.flatMap { lane($0) })
  }

  // MARK: The upper part

  private var legend: [String] {
    [
      SVG.text(name, x: Self.left, y: 18),
      SVG.text("estimate", x: Self.left + 26, y: 38),
      SVG.line([(Self.left, 34), (Self.left + 20, 34)], stroke: "#222"),
      SVG.text("budget for video", x: Self.left + 126, y: 38),
      SVG.line([(Self.left + 100, 34), (Self.left + 120, 34)], stroke: "#222", dashes: "4 3"),
      SVG.text("paused for bandwidth", x: Self.left + 276, y: 38),
      SVG.rectangle(
        x: Self.left + 250, y: 28, width: 20, height: 12, fill: Self.pausedColor,
        tip: "paused for bandwidth"),
      SVG.text("kbit/s", x: Self.left - 8, y: 38, anchor: "end"),
      SVG.text(time.timeUnit, x: Self.left - 24, y: Self.bottom + 18, anchor: "end"),
    ]
  }

  private var grid: [String] {
    rate.ticks.flatMap { tick in
      let y = rate.pixel(tick)
      return [
        SVG.line([(Self.left, y), (Self.right, y)], stroke: "#eee"),
        SVG.text(rate.label(tick), x: Self.left - 8, y: y + 4, anchor: "end"),
      ]
    }
      + time.ticks.map { tick in
        SVG.text(time.label(tick), x: time.pixel(tick), y: Self.bottom + 18, anchor: "middle")
      }
  }

  private var lines: [String] {
    [
      SVG.line(steps(states.map(\.estimate)), stroke: "#222"),
      SVG.line(steps(states.map(\.capacity)), stroke: "#222", dashes: "4 3"),
    ]
  }

  /// The areas of the streams' bit rates, each stacked on those before it.
  private var areas: [String] {
    var sent = [Int](repeating: 0, count: states.count)
    var below = steps(sent)
    return streams.indices.map { index in
      for cell in cells[index] { sent[cell.state] += cell.bitrate }
      let top = steps(sent)
      defer { below = top }
      return SVG.area(top + below.reversed(), fill: color(index), tip: streams[index].description)
    }
  }

  /// Returns the steps of a value that holds from each state to the next. States that do not change it add no points.
  private func steps(_ values: [Int]) -> [(x: Double, y: Double)] {
    var points: [(x: Double, y: Double)] = []
    for (state, value) in zip(states, values) {
      let y = rate.pixel(Double(value) / 1000)
      guard points.last?.y != y else { continue }
      if let last = points.last { points.append((x(state.at), last.y)) }
      points.append((x(state.at), y))
    }
    if let end = states.last?.at, let last = points.last { points.append((x(end), last.y)) }
    return points
  }

  // MARK: The lanes

  private func lane(_ index: Int) -> [String] {
    let y = Self.bottom + 50 + Self.lane * Double(index)
    let bars = PlotBar.bars(of: cells[index], in: states).map { bar in
      SVG.rectangle(
        x: x(bar.start), y: y, width: x(bar.end) - x(bar.start), height: Self.lane - 6,
        fill: fill(bar, index),
        tip: "\(streams[index]) \(bar.start.seconds) – \(bar.end.seconds) s: \(bar.label)")
    }
    let name = SVG.text(
      PlotBar.shortened(streams[index].description), x: Self.left - 8, y: y + 12, anchor: "end")
    return [name] + bars
  }

  private func fill(_ bar: PlotBar, _ index: Int) -> String {
    if bar.isPausedForBandwidth { return Self.pausedColor }
    return bar.reason == nil ? color(index) : Self.idleColor
  }

  private func color(_ index: Int) -> String { Self.colors[index % Self.colors.count] }

  private func x(_ instant: Timestamp) -> Double {
    time.pixel(Double(instant.microseconds) / 1e6)
  }
}
