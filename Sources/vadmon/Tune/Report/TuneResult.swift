import Annotations
import SpeechScoring

/// What `vadmon tune` found.
struct TuneResult {
  var options: TuneOptions
  /// The names of the recordings.
  var names: [String]
  var tuning: Tuning
  var warnings: [String]

  /// What the tuned settings are worth, and what to do, in one sentence.
  var verdict: String {
    let verdict = tuning.verdict
    if tuning.tuned == tuning.start { return "Nothing better was found: keep \(kept)." }
    guard let difference = verdict.difference, let interval = verdict.interval else {
      return "\(title) has no value on held-out recordings: keep \(kept)."
    }
    if names.count < TuningVerdict.fewest {
      return
        "\(names.count) recordings are too few to tell a gain from chance: label at least \(TuningVerdict.fewest), and keep \(kept) until then."
    }
    let (low, high) = (change(interval.lowerBound), change(interval.upperBound))
    let gain =
      "\(title) changes by \(change(difference)) on held-out recordings (95 % interval \(low) … \(high))"
    if verdict.isGain {
      let note = verdict.keptBound.tuned ? "" : ", although it stays above the limit"
      return "\(gain), a significant gain\(note): use the tuned settings."
    }
    if let price = verdict.price {
      let fall = fixed(price, places: Figure.f1.places)
      return
        "\(gain), but it stays above the limit, and F1 falls by \(fall): keep \(kept), or allow more."
    }
    if verdict.keptBound.before && !verdict.keptBound.tuned {
      return "On held-out recordings only \(kept) stay within the limit: keep them."
    }
    return "\(gain), which is not a significant gain: keep \(kept)."
  }

  private var title: String { tuning.verdict.figure.sentenceTitle }

  private func change(_ value: Double) -> String {
    (value < 0 ? "" : "+") + fixed(value, places: tuning.verdict.figure.places)
      + tuning.verdict.figure.unit
  }

  private var kept: String {
    let isDefault = tuning.start == DecisionSettings(DetectorSettings())
    return isDefault ? "the defaults" : "the settings that it began with"
  }

  /// The advised settings as a file for `--config`, with what the file of `--config` had, and with what the tuning took
  /// for granted.
  var configuration: String {
    let members = (given + tuning.advised.settings).map {
      JSONValue.Member(name: $0.name, value: $0.json)
    }
    let names = Set(members.map(\.name) + [SettingKey.offsetFollowsOnset.name])
    let others = options.settings.given.named.filter { !names.contains($0.name) }
      .map { JSONValue.Member(name: $0.name, value: $0.value) }
    return JSONValue.object(others + members).linesOfMembers()
  }

  /// The settings that were not searched.
  var given: [RunConfiguration.Setting] {
    [.init(.channel, options.channel)] + options.shaping.settings
  }
}

extension DecisionSettings {
  /// The settings under their names in JSON.
  var settings: [RunConfiguration.Setting] {
    [
      .init(.onsetThreshold, onset), .init(.offsetThreshold, offset),
      .init(.onsetDebounce, .milliseconds(debounce)), .init(.hangover, .milliseconds(hangover)),
    ]
  }

  var json: JSONValue { .object(settings.map { .init(name: $0.name, value: $0.json) }) }

  /// The settings as options.
  var options: String {
    "--onset-threshold \(onset) --offset-threshold \(offset) --onset-debounce \(debounce)ms "
      + "--hangover \(hangover)ms"
  }
}

extension Figure {
  /// The title at the beginning of a sentence.
  fileprivate var sentenceTitle: String {
    self == .onsetP50
      ? "The median onset latency" : title.prefix(1).uppercased() + title.dropFirst()
  }

  /// What follows a value in a sentence.
  fileprivate var unit: String { self == .onsetP50 ? " ms" : "" }
}
