import Annotations
import SpeechScoring

/// A comparison for people: pooled figures with their intervals, then one line for each folder and file.
struct ComparisonText {
  let comparison: Comparison

  var text: String {
    let pooled = comparison.pooled
    var text = summary(pooled) + "\n\n" + aligned(figures)
    if !note.isEmpty { text += note + "\n" }
    if let reliability = comparison.reliability { text += "\n" + table(reliability) }
    if !comparison.folders.isEmpty { text += "\n" + table("folder", comparison.folders) }
    return text + "\n" + table("file", comparison.files)
  }

  private func summary(_ section: Comparison.Section) -> String {
    "\(section.lengths); segments found/labelled "
      + "\(section.sum(\.foundSegments))/\(section.sum(\.labelledSegments)), "
      + "onsets lost \(section.sum(\.lostOnsets))/\(section.onsets)"
  }

  /// The pooled figures with their intervals, as rows of a table. The first one is the heading.
  var figures: [[String]] {
    let section = comparison.pooled
    let hasOther = section.against != nil
    var rows = [["pooled", hasOther ? "detected" : "value", "95 % interval"]]
    if hasOther { rows[0] += ["against", "difference", "95 % interval"] }
    for figure in Figure.allCases
    where section.detected.values[figure] != nil || section.against?.values[figure] != nil {
      var row = [figure.title] + cells(figure, section.detected)
      if let other = section.against { row.append(cells(figure, other)[0]) }
      if let difference = section.difference { row += cells(figure, difference) }
      rows.append(row)
    }
    return rows
  }

  /// What the asterisk of a figure means; empty if there is none.
  var note: String {
    guard comparison.pooled.detected.values.keys.contains(.alarmTimeRate) else { return "" }
    return "* in recordings without labelled speech, \(comparison.pooled.speechless.clock)"
  }

  private func table(_ reliability: Reliability) -> String {
    let rows = reliability.tenths.map { tenth in
      [
        fixed(tenth.lower...tenth.lower + 0.1, places: 1),
        "\(tenth.cells)", tenth.meanScore.map { fixed($0, places: 3) } ?? "–",
        tenth.shareOfSpeech.map { fixed($0, places: 3) } ?? "–",
      ]
    }
    return aligned([["probability", "cells", "mean", "share of speech"]] + rows)
      + "expected calibration error \(fixed(reliability.error, places: 4))\n"
  }

  /// Returns the value and its interval.
  private func cells(_ figure: Figure, _ estimate: Estimate) -> [String] {
    [
      estimate.values[figure].map { fixed($0, places: figure.places) } ?? "–",
      estimate.intervals[figure].map { fixed($0, places: figure.places) } ?? "–",
    ]
  }

  /// Returns a table with one line for each section and the figures that any of them has.
  private func table(_ heading: String, _ sections: [Comparison.Section]) -> String {
    let columns = Figure.allCases.filter { figure in
      sections.contains { $0.detected.values[figure] != nil }
    }
    let rows = sections.map { section in
      [printable(section.name), section.duration.clock]
        + columns.map { cells($0, section.detected)[0] }
    }
    return aligned([[heading, "length"] + columns.map(\.heading)] + rows)
  }
}
