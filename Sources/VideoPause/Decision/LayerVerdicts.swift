extension VideoPauseCoordinator {
  /// What the decision in force makes of each layer of a stream, in the order in which they were published; nothing for
  /// a stream about which nothing has been decided.
  ///
  /// It is computed when asked for. Ask right after ``decide(at:)``: what came in since is not decided yet, and the
  /// verdicts of streams that it touches are not final.
  public func layerVerdicts(of id: StreamID) -> [LayerVerdict] {
    decision.streams.first { $0.id == id }.map { layerVerdicts(on: $0) } ?? []
  }

  /// The verdicts on the layers of a row of the decision in force.
  package func layerVerdicts(on row: StreamDecision) -> [LayerVerdict] {
    var verdicts: [LayerVerdict] = []
    forEachVerdict(on: row) { verdicts.append(LayerVerdict(layer: $0, outcome: $1)) }
    return verdicts
  }

  func forEachVerdict(on row: StreamDecision, _ take: (VideoLayer, LayerOutcome) -> Void) {
    let (place, isKnown) = streams.search(row.id)
    guard isKnown else { return }
    let state = streams.states[place]
    state.ladder.forEachLayer(within: state.limits(bounds), in: allocation.steps) { layer, reason in
      take(layer, outcome(of: layer, leftOut: reason, on: row))
    }
  }

  private func outcome(
    of layer: VideoLayer, leftOut reason: LayerOutcome?, on row: StreamDecision
  ) -> LayerOutcome {
    if !layer.isSent { return .notSent }
    if row.ideal == nil && row.target.pauseReason != .belowMinimumQuality { return .notWanted }
    if let reason { return reason }
    guard let forwarded = row.target.layer else { return row.required > 0 ? .bandwidth : .heldBack }
    if layer.isSameLayer(as: forwarded) { return .forwarded }
    return layer.bitrate < forwarded.bitrate ? .surpassed : .bandwidth
  }
}
