internal import VideoPause

/// A part of a lane in which nothing changes except the layer.
struct PlotBar: Equatable {
  var start: Timestamp
  var end: Timestamp
  /// The reason for the pause; `nil` while forwarded.
  var reason: PauseReason?
  var isPausedForBandwidth = false

  var label: String { reason.map { "\($0)" } ?? "forwarded" }

  /// Returns the bars of a stream from its cells, in the order of time.
  static func bars(of cells: [PlotCell], in states: [TraceState]) -> [PlotBar] {
    var bars: [PlotBar] = []
    for cell in cells where cell.state + 1 < states.count {
      let (start, end) = (states[cell.state].at, states[cell.state + 1].at)
      if let last = bars.last, last.end == start, last.reason == cell.reason,
        last.isPausedForBandwidth == cell.isPausedForBandwidth
      {
        bars[bars.count - 1].end = end
      } else {
        bars.append(
          PlotBar(
            start: start, end: end, reason: cell.reason,
            isPausedForBandwidth: cell.isPausedForBandwidth))
      }
    }
    return bars
  }

  /// Returns the name, cut to fit beside a lane.
  static func shortened(_ name: String) -> String {
    name.count > 18 ? name.prefix(17) + "…" : name
  }
}

/// What a stream was in one state.
struct PlotCell {
  /// The number of the state.
  var state: Int
  /// What was sent, in bits per second.
  var bitrate: Int
  /// The reason for the pause; `nil` while forwarded.
  var reason: PauseReason?
  var isPausedForBandwidth: Bool

  /// Returns the cells of each stream, in the order of time: the states, turned from rows into columns.
  static func cells(of streams: [StreamID], in states: [TraceState]) -> [[PlotCell]] {
    let places = Dictionary(uniqueKeysWithValues: zip(streams, streams.indices))
    var cells = [[PlotCell]](repeating: [], count: streams.count)
    for (number, state) in states.enumerated() {
      for row in state.decision.streams {
        guard let place = places[row.id] else { continue }
        let target = row.target
        cells[place].append(
          PlotCell(
            state: number, bitrate: target.bitrate, reason: target.pauseReason,
            isPausedForBandwidth: row.isPausedForBandwidth))
      }
    }
    return cells
  }
}
