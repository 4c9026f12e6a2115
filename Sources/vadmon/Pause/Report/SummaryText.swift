import Annotations
import VideoPause

/// A summary for people.
struct SummaryText {
  let summary: TraceSummary

  var text: String {
    let heading = [
      "stream", "present s", "forwarded s", "paused s", "toggles", "kbit/s", "use of capacity",
      "of the ideal",
    ]
    let streams = summary.streams.sorted { $0.key < $1.key }
    let rows = streams.map { row(FileNames.printable($0.key.description), $0.value) }
    return sentence + "\n" + aligned([heading] + rows + [row("all", summary.total)])
  }

  private var sentence: String {
    "\(secondsText(summary.duration)) s, decisions \(summary.decisions); "
      + "short of bandwidth \(secondsText(summary.deficient)) s, "
      + "oversending \(secondsText(summary.oversending)) s\n"
  }

  private func row(_ name: String, _ use: TraceSummary.Use) -> [String] {
    [
      name, secondsText(use.present), secondsText(use.forwarded),
      secondsText(use.pausedForBandwidth), "\(use.toggles)",
      use.meanBitrate.map { fixed($0 / 1000, places: 1) } ?? "–",
      summary.useOfCapacity(use).map(share) ?? "–", use.shareOfIdeal.map(share) ?? "–",
    ]
  }

  private func share(_ share: Double) -> String { fixed(share, places: 3) }
}
