public import Annotations
internal import VideoPause

extension TraceSummary {
  /// The last record. Shares without a whole are null.
  public var json: JSONValue {
    let head: JSONValue = [
      "type": "summary", "duration": .duration(duration), "decisions": .integer(decisions),
      "deficient": .duration(deficient), "oversending": .duration(oversending),
      "mean_capacity_bps": duration > 0
        ? .number(fixed(capacity / Double(duration), places: 0)) : .null,
    ]
    let rows = streams.sorted { $0.key < $1.key }.map { $0.key.json + json($0.value) }
    return head + json(total) + ["streams": .array(rows)]
  }

  private func json(_ use: Use) -> JSONValue {
    [
      "present": .duration(use.present), "forwarded": .duration(use.forwarded),
      "paused": .duration(use.pausedForBandwidth), "not_forwarded": .duration(use.notForwarded),
      "toggles": .integer(use.toggles),
      "mean_bps": use.meanBitrate.map { .number(fixed($0, places: 0)) } ?? .null,
      "use_of_capacity": useOfCapacity(use).map(JSONValue.share) ?? .null,
      "share_of_ideal": use.shareOfIdeal.map(JSONValue.share) ?? .null,
    ]
  }
}

extension JSONValue {
  /// Returns microseconds as seconds.
  fileprivate static func duration(_ microseconds: Int64) -> JSONValue {
    .number(secondsText(microseconds))
  }

  fileprivate static func share(_ share: Double) -> JSONValue { .number(fixed(share, places: 4)) }
}
