import Annotations
import SpeechScoring
import SystemPackage

/// A comparison as one JSON document, with one line for each file.
struct ComparisonJSON {
  let comparison: Comparison
  let options: CompareOptions

  var text: String {
    let sections: JSONValue = [
      "pooled": json(comparison.pooled), "folders": .array(comparison.folders.map(json)),
      "files": .array(comparison.files.map(json)),
    ]
    let reliability: JSONValue =
      options.reportsReliability
      ? ["reliability": comparison.reliability.map(json) ?? .null] : [:]
    return (inputs + sections + reliability).document(version: 1, listing: ["folders", "files"])
  }

  /// The options of the comparison.
  var configuration: JSONValue {
    [
      "shift_ms": .integer(options.shift.milliseconds),
      "min_gap_ms": .integer(options.minGap.milliseconds),
      "cell_ms": .integer(CellGrid.cellMilliseconds),
      "resamples": .integer(options.bootstrap.resamples), "seed": .integer(options.bootstrap.seed),
      "missing_is_silence": .bool(options.missingIsSilence),
      "silence": .array(options.silence.map { .string($0) }),
      "uem": options.evaluationMap.map { .string($0.string) } ?? .null,
    ]
  }

  /// The inputs, and what else was given.
  private var inputs: JSONValue {
    [
      "reference": .string(options.reference.string), "detected": .string(options.detected.string),
      "against": options.against.map { .string($0.string) } ?? .null, "config": configuration,
      "bounds": .array(options.bounds.map(json)),
      "warnings": .array(comparison.warnings.map { .string($0) }),
    ]
  }

  private func json(_ bound: FigureBound) -> JSONValue {
    let value = comparison.pooled.detected.values[bound.figure]
    return [
      "figure": .string(bound.figure.rawValue), bound.side.rawValue: .double(bound.limit),
      "value": value.map(JSONValue.double) ?? .null,
      "met": .bool(value.map(bound.isMet) ?? false),
    ]
  }

  private func json(_ section: Comparison.Section) -> JSONValue {
    let counts: JSONValue = [
      "name": .string(section.name), "recordings": .integer(section.tallies.count),
      "duration": .seconds(section.duration), "speech_seconds": .seconds(section.speech),
      "speechless_recordings_seconds": .seconds(section.speechless),
      "segments_labelled": .integer(section.sum(\.labelledSegments)),
      "segments_found": .integer(section.sum(\.foundSegments)),
      "onsets": .integer(section.onsets), "lost_onsets": .integer(section.sum(\.lostOnsets)),
    ]
    return counts + section.detected.json
      + (section.against.map { ["against": $0.json] } ?? [:])
      + (section.difference.map { ["difference": $0.json] } ?? [:])
  }

  private func json(_ reliability: Reliability) -> JSONValue {
    let tenths = reliability.tenths.map { tenth -> JSONValue in
      [
        "lower": .double(tenth.lower), "cells": .integer(tenth.cells),
        "mean_score": tenth.meanScore.map(JSONValue.double) ?? .null,
        "speech": tenth.shareOfSpeech.map(JSONValue.double) ?? .null,
      ]
    }
    return ["error": .double(reliability.error), "tenths": .array(tenths)]
  }
}

extension Estimate {
  /// The values and intervals. Figures without a value are null.
  var json: JSONValue {
    let ranges = Figure.allCases.compactMap { figure in
      intervals[figure].map { interval in
        JSONValue.Member(
          name: figure.rawValue,
          value: .array([.double(interval.lowerBound), .double(interval.upperBound)]))
      }
    }
    let figures = Figure.allCases.map { figure in
      JSONValue.Member(
        name: figure.rawValue, value: values[figure].map(JSONValue.double) ?? .null)
    }
    return .object(figures) + ["intervals": .object(ranges)]
  }
}
