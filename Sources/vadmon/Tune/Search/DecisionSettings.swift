/// The settings that are searched. Lengths are in ms.
struct DecisionSettings: Sendable, Hashable {
  var onset: Float
  var offset: Float
  var debounce: Int
  var hangover: Int
}

/// The values that the search tries.
enum DecisionGrid {
  /// The thresholds of the first look, and the steps to their neighbours afterwards, in hundredths.
  static let coarse = Array(stride(from: 10, to: 100, by: 10))
  static let finer = [5, 2, 1]
  static let debounces = [10, 20, 30, 50, 80, 120, 200]
  static let hangovers = [10, 20, 50, 80, 120, 200, 300, 500]

  /// Returns the settings with every pair of thresholds and the lengths of `settings`.
  static func thresholds(of settings: DecisionSettings) -> [DecisionSettings] {
    coarse.flatMap { onset in
      coarse.filter { $0 <= onset }.compactMap { moved(settings, onset: onset, offset: $0) }
    }
  }

  /// Returns the settings with the thresholds of `settings` and every pair of lengths.
  static func lengths(of settings: DecisionSettings) -> [DecisionSettings] {
    debounces.flatMap { debounce in
      hangovers.map { hangover in
        DecisionSettings(
          onset: settings.onset, offset: settings.offset, debounce: debounce, hangover: hangover)
      }
    }
  }

  /// Returns the settings whose thresholds are `step` hundredths higher or lower.
  static func neighbours(of settings: DecisionSettings, _ step: Int) -> [DecisionSettings] {
    let (onset, offset) = (hundredths(settings.onset), hundredths(settings.offset))
    return [-step, 0, step].flatMap { change in
      [-step, 0, step].compactMap {
        moved(settings, onset: onset + change, offset: offset + $0)
      }
    }
  }

  private static func hundredths(_ threshold: Float) -> Int { Int((threshold * 100).rounded()) }

  /// Returns the settings with other thresholds, in hundredths, if they are allowed.
  private static func moved(
    _ settings: DecisionSettings, onset: Int, offset: Int
  ) -> DecisionSettings? {
    guard 0 < offset, offset <= onset, onset < 100 else { return nil }
    var moved = settings
    (moved.onset, moved.offset) = (Float(onset) / 100, Float(offset) / 100)
    return moved
  }
}
