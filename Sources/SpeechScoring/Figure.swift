/// The figures of a comparison, by their names in results. Rates and areas range from 0 to 1.
public enum Figure: String, Sendable, CaseIterable {
  // Figures of the scores in frame tables, independent of the detector's own threshold.

  /// The area under the receiver operating characteristic.
  case auc
  /// The precision averaged over recall.
  case ap
  /// The rate at which false alarms and misses are equally frequent.
  case eer
  /// The highest F1 at any threshold.
  case bestF1 = "best_f1"
  /// The threshold of ``bestF1``, in the detector's own unit.
  case bestThreshold = "best_threshold"

  // Figures of the detector's own decisions.

  /// The harmonic mean of precision and recall.
  case f1
  /// The share of detected cells that are speech.
  case precision
  /// The share of speech cells that are detected.
  case recall
  /// The share of other cells that are detected.
  case falseAlarmRate = "false_alarm_rate"
  /// The share of speech cells that are not detected.
  case missRate = "miss_rate"
  /// The median time from the start of speech to its detection, in ms.
  case onsetP50 = "onset_p50_ms"
  /// The time from the start of speech to its detection that nine in ten onsets do not exceed, in ms.
  case onsetP90 = "onset_p90_ms"
  /// The share of onsets whose segment is not detected at all.
  case lostOnsetRate = "lost_onset_rate"
  /// The median time from the end of speech to the end of its detection, in ms.
  case offsetP50 = "offset_p50_ms"
  /// The time from the end of speech to the end of its detection that nine in ten do not exceed, in ms.
  case offsetP90 = "offset_p90_ms"
  /// The number of segments detected for each one labelled.
  case foundPerLabelled = "found_per_labelled"

  // Figures of recordings in which no speech is labelled.

  /// The number of detected segments in an hour.
  case alarmsPerHour = "alarms_per_hour"
  /// The number of detected segments in an hour, as a listener would count them; see ``DecisionTally/episodes``.
  case episodesPerHour = "alarm_episodes_per_hour"
  /// The share of the time that is detected as speech.
  case alarmTimeRate = "alarm_time_rate"

  /// The name shown to people.
  public var title: String {
    switch self {
    case .auc: "AUC"
    case .ap: "AP"
    case .eer: "EER"
    case .bestF1: "best F1"
    case .bestThreshold: "… at threshold"
    case .f1: "F1"
    case .precision: "precision"
    case .recall: "recall"
    case .falseAlarmRate: "false alarm rate"
    case .missRate: "miss rate"
    case .onsetP50: "onset latency p50, ms"
    case .onsetP90: "onset latency p90, ms"
    case .lostOnsetRate: "onsets lost"
    case .offsetP50: "offset latency p50, ms"
    case .offsetP90: "offset latency p90, ms"
    case .foundPerLabelled: "segments found/labelled"
    case .alarmsPerHour: "alarms per hour *"
    case .episodesPerHour: "alarm episodes per hour *"
    case .alarmTimeRate: "alarm time *"
    }
  }

  /// The heading of a column.
  public var heading: String {
    switch self {
    case .auc, .ap, .eer, .f1: title
    case .bestF1: "bestF1"
    case .bestThreshold: "@"
    case .precision: "P"
    case .recall: "R"
    case .falseAlarmRate: "FAR"
    case .missRate: "miss"
    case .onsetP50: "on50"
    case .onsetP90: "on90"
    case .lostOnsetRate: "lost"
    case .offsetP50: "off50"
    case .offsetP90: "off90"
    case .foundPerLabelled: "seg"
    case .alarmsPerHour: "al/h"
    case .episodesPerHour: "ep/h"
    case .alarmTimeRate: "al.time"
    }
  }

  /// The number of decimals shown to people.
  public var places: Int {
    switch self {
    case .onsetP50, .onsetP90, .offsetP50, .offsetP90, .alarmsPerHour, .episodesPerHour: 0
    case .foundPerLabelled: 2
    default: 4
    }
  }
}

/// The figures that have a value.
public typealias Figures = [Figure: Double]
