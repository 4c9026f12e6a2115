import Annotations
import SpeechScoring
import SystemPackage

/// The result of a tuning as one JSON document.
struct TuneJSON {
  let result: TuneResult

  private var tuning: Tuning { result.tuning }
  private var options: TuneOptions { result.options }

  var text: String { (inputs + outcome).document(version: 1) }

  private var inputs: JSONValue {
    let config: JSONValue = .object(
      result.given.map { .init(name: $0.name, value: $0.json) } + [
        .init(name: "min_gap_ms", value: .integer(Evaluation().minGap)),
        .init(name: "resamples", value: .integer(options.bootstrap.resamples)),
        .init(name: "seed", value: .integer(options.bootstrap.seed)),
        .init(name: "missing_is_silence", value: .bool(options.missingIsSilence)),
        .init(name: "silence", value: .array(options.silence.map { .string($0) })),
      ])
    return [
      "recordings": .string(options.recordings.string), "labels": .string(options.labels.string),
      "objective": objective, "config": config,
      "warnings": .array(result.warnings.map { .string($0) }),
    ]
  }

  private var objective: JSONValue {
    let bound = options.objective.bound
    return [
      "figure": .string(options.objective.figure.rawValue),
      "bound": bound.map { .string($0.figure.rawValue) } ?? .null,
      "at_most": bound.map { .double($0.limit) } ?? .null,
    ]
  }

  private var outcome: JSONValue {
    let (section, verdict) = (tuning.section, tuning.verdict)
    let folds = tuning.folds.map { fold -> JSONValue in
      [
        "settings": fold.settings.json,
        "held_out": .array(fold.heldOut.map { .string(result.names[$0]) }),
      ]
    }
    let heldOut: JSONValue = [
      "recordings": .integer(section.tallies.count), "duration": .seconds(section.duration),
      "speech_seconds": .seconds(section.speech), "tuned": section.detected.json,
      "began_with": section.against?.json ?? .null, "difference": section.difference?.json ?? .null,
    ]
    return [
      "settings_tried": .integer(tuning.tried), "began_with": tuning.start.json,
      "tuned": tuning.tuned.json, "folds": .array(folds), "held_out": heldOut,
      "verdict": [
        "is_significant_gain": .bool(verdict.isGain), "figure": .string(verdict.figure.rawValue),
        "text": .string(result.verdict),
      ],
      "advised": tuning.advised.json,
    ]
  }
}
