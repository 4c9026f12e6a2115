import Annotations
import SpeechScoring

/// The result of a tuning for people.
struct TuneText {
  let result: TuneResult

  private var tuning: Tuning { result.tuning }

  var text: String {
    head + "\n" + settings + "\n" + figures + "\n" + printable(result.verdict) + "\n"
      + tuning.advised.options + "\n"
  }

  private var head: String {
    let section = tuning.section
    return "\(section.tallies.count) recordings, \(section.duration.clock), speech "
      + "\(section.speech.clock); \(tuning.tried) settings tried, \(tuning.folds.count) folds\n"
  }

  private var settings: String {
    let folds = tuning.folds.enumerated().map { index, fold in
      ["fold \(index + 1), \(fold.heldOut.count) held out"] + row(fold.settings)
    }
    return aligned(
      [
        ["", "onset", "offset", "debounce", "hangover"], ["began with"] + row(tuning.start),
        ["tuned on all"] + row(tuning.tuned),
      ] + folds)
  }

  private func row(_ settings: DecisionSettings) -> [String] {
    ["\(settings.onset)", "\(settings.offset)", "\(settings.debounce)ms", "\(settings.hangover)ms"]
  }

  /// The figures that the objectives are about.
  private static let shown: [Figure] = [
    .f1, .precision, .recall, .falseAlarmRate, .onsetP50, .onsetP90, .lostOnsetRate,
  ]

  private var figures: String {
    let section = tuning.section
    let rows = Self.shown.filter { section.detected.values[$0] != nil }.map { figure in
      let number = { (value: Double?) in value.map { fixed($0, places: figure.places) } ?? "–" }
      let interval = section.difference?.intervals[figure]
      return [
        figure.title, number(section.against?.values[figure]),
        number(section.detected.values[figure]), number(section.difference?.values[figure]),
        interval.map { fixed($0, places: figure.places) } ?? "–",
      ]
    }
    return aligned([["held out", "began with", "tuned", "difference", "95 % interval"]] + rows)
  }
}
