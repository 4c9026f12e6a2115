internal import Annotations
internal import VideoPause

extension TraceSummary {
  /// A table for people, below a sentence about the whole.
  public var text: String {
    let heading = [
      "stream", "present s", "forwarded s", "paused s", "toggles", "kbit/s", "use of capacity",
      "of the ideal",
    ]
    let streams = streams.sorted { $0.key < $1.key }
    let rows = streams.map { row(printable($0.key.description), $0.value) }
    return sentence + "\n" + aligned([heading] + rows + [row("all", total)])
  }

  private var sentence: String {
    "\(secondsText(duration)) s, decisions \(decisions); "
      + "short of bandwidth \(secondsText(deficient)) s, "
      + "oversending \(secondsText(oversending)) s\n"
  }

  private func row(_ name: String, _ use: Use) -> [String] {
    [
      name, secondsText(use.present), secondsText(use.forwarded),
      secondsText(use.pausedForBandwidth), "\(use.toggles)",
      use.meanBitrate.map { fixed($0 / 1000, places: 1) } ?? "–",
      useOfCapacity(use).map(share) ?? "–", use.shareOfIdeal.map(share) ?? "–",
    ]
  }

  private func share(_ share: Double) -> String { fixed(share, places: 3) }
}
