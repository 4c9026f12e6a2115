internal import VideoPause

/// A part of a lane in which nothing changes except the layer.
struct PlotBar: Equatable {
  var start: Timestamp
  var end: Timestamp
  /// The reason for the pause; `nil` while forwarded.
  var reason: PauseReason?

  var label: String { reason.map { "\($0)" } ?? "forwarded" }

  static func bars(of stream: StreamID, in states: [TraceState]) -> [PlotBar] {
    var bars: [PlotBar] = []
    for (state, next) in zip(states, states.dropFirst()) {
      guard let row = state.decision.streams.first(where: { $0.id == stream }) else { continue }
      let reason = row.target.pauseReason
      if let last = bars.last, last.end == state.at, last.reason == reason {
        bars[bars.count - 1].end = next.at
      } else {
        bars.append(PlotBar(start: state.at, end: next.at, reason: reason))
      }
    }
    return bars
  }

  /// Returns the name, cut to fit beside a lane.
  static func shortened(_ name: String) -> String {
    name.count > 18 ? name.prefix(17) + "…" : name
  }
}
