import VideoPause

/// A stretch of a lane in which nothing changes but the layer.
struct PlotBar: Equatable {
  var start: Moment
  var end: Moment
  /// `nil`: forwarded.
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

  /// What fits beside a lane.
  static func shortened(_ name: String) -> String {
    name.count > 18 ? name.prefix(17) + "…" : name
  }
}
