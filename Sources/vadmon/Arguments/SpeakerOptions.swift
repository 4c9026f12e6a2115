import Annotations
import ArgumentParser
import VoiceActivity

/// What tells the user from a television by the level.
struct SpeakerOptions: ParsableArguments {
  @Option(
    "Muted speech more than this below the level of the user's speech while unmuted is not the user's, but "
      + "a television's, for example: from 0 to \(MarginArgument.widest), or off. (default: \(MarginArgument.standard))",
    value: "DB|off", completion: .list(["off"]), read: MarginArgument.init(parsing:))
  var speakerMargin: MarginArgument?

  var settings: [JSONValue.Member?] {
    [.init(.speakerMargin, given: speakerMargin?.decibels)]
  }

  /// Returns the margin in dB, which is infinite if it is off.
  static func margin(_ given: GivenSettings) -> Float {
    given[.speakerMargin] ?? MarginArgument.standard.decibels
  }
}

extension NumberArguments {
  /// Reads a level in dBFS.
  static func speakerLevel(_ text: String) throws(ValueError) -> Float {
    let range = VoiceActivityDetector.SpeakerLevel.range
    guard let number = Float(text), range ~= number else {
      throw ValueError(
        description:
          "write a number of dBFS from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
    }
    return number
  }
}

/// A margin in dB, or `off`.
struct MarginArgument: Sendable, CustomStringConvertible {
  /// Infinite if it is off.
  var decibels: Float

  static let standard = MarginArgument(decibels: VoiceActivityDetector.defaultSpeakerMargin)
  static let widest = MarginArgument(decibels: VoiceActivityDetector.widestSpeakerMargin)

  init(decibels: Float) { self.decibels = decibels }

  init(parsing text: String) throws(ValueError) {
    if text.lowercased() == "off" {
      decibels = .infinity
    } else if let number = Float(text), 0...Self.widest.decibels ~= number {
      decibels = number
    } else {
      throw ValueError(description: "write a number of dB from 0 to \(Self.widest), or off")
    }
  }

  var description: String {
    guard decibels.isFinite else { return "off" }
    return decibels == decibels.rounded() ? "\(Int(decibels))" : "\(decibels)"
  }
}
