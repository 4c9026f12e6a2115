import Annotations
import VoiceActivity

/// Why a value was refused. `description` continues ArgumentParser's sentence "The value … is invalid for …: ".
struct ValueError: Error, Hashable, CustomStringConvertible {
  let description: String
}

/// A length of time: `250ms`, `0.25s`, `2m`, `1m30s`, or seconds with a decimal point. The maximum is the detector's
/// own limit, one hour.
struct LengthArgument: Sendable, CustomStringConvertible {
  var length: MediaTime

  init(parsing text: String) throws(ValueError) {
    length = try MediaTime(option: text)
    guard length.milliseconds <= Self.longest else {
      throw ValueError(description: "write at most one hour, \(Self.longest / 3_600_000)h")
    }
  }

  /// Returns a parser of lengths up to `longest`.
  static func parser(atMost longest: Duration) -> @Sendable (String) throws(ValueError) -> Self {
    { text throws(ValueError) in
      let argument = try Self(parsing: text)
      guard argument.duration <= longest else {
        throw ValueError(description: "write a length from 0ms to \(Self(longest))")
      }
      return argument
    }
  }

  /// What the help of commands says about lengths.
  static let help = """
    A LENGTH has a unit: 250ms, 1.5s, 2m, 1m30s. Without a unit, 0.25 is in seconds; whole numbers except 0 are refused.
    """

  /// In ms.
  private static let longest =
    MediaTime(VoiceActivityDetector.Configuration.longestDuration).milliseconds

  init(_ duration: Duration) { length = MediaTime(duration) }

  var description: String { "\(length.milliseconds)ms" }
}

extension MediaTime {
  /// Reads a LENGTH that may be long: from 1 ms to a year.
  static func span(_ text: String) throws(ValueError) -> Self {
    let length = try Self(option: text)
    guard 1...(365 * 24 * 3_600_000) ~= length.milliseconds else {
      throw ValueError(description: "write a length from 1ms to a year, 8760h")
    }
    return length
  }

  /// Reads a time in a recording: a length from its beginning, or as vadmon prints it, such as `1:02:03.5`.
  static func time(_ text: String) throws(ValueError) -> Self {
    let time: Self
    if let clock = Self(parsingClock: text) {
      time = clock
    } else {
      do { time = try Self(option: text) } catch {
        throw ValueError(description: error.description + ", or as 1:30 or 1:02:03.5")
      }
    }
    guard time.duration <= latestTime else {
      throw ValueError(description: "write at most ten years, 87600h")
    }
    return time
  }

  /// More than any recording lasts: ten years.
  static let latestTime = Duration.seconds(10 * 365 * 24 * 3600)

  /// The latest multiple of a hop, 10 ms, that is not later.
  var wholeHops: MediaTime { MediaTime(milliseconds: milliseconds - milliseconds % 10) }

  /// Reads a length by the one rule of all options. A whole number without a unit may mean milliseconds or seconds, so
  /// it is refused.
  fileprivate init(option text: String) throws(ValueError) {
    if let length = MediaTime(parsingLength: text) {
      self = length
      return
    }
    throw ValueError(
      description: text.utf8.allSatisfy { (0x30...0x39).contains($0) } && !text.isEmpty
        ? "write \(text)ms or \(text)s" : "write it as 250ms, 0.25s, 2m or 1m30s")
  }
}
