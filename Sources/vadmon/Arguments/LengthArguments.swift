import Annotations
import VoiceActivity

/// Why a value was refused. `description` continues ArgumentParser's sentence "The value … is invalid for …: ".
struct ValueError: Error, Hashable, CustomStringConvertible {
  let description: String
}

/// A length of time: `250ms`, `0.25s`, `0.25`, or a whole number of milliseconds. The maximum is the detector's own
/// limit, one hour.
struct LengthArgument: Sendable, CustomStringConvertible {
  var length: MediaTime

  init(parsing text: String) throws(ValueError) {
    guard let length = MediaTime(parsingLength: text) else {
      throw ValueError(
        description: "write it as 250ms, 0.25s, 0.25 (seconds) or 250 (milliseconds)")
    }
    guard length.milliseconds <= Self.longest else {
      throw ValueError(description: "write at most one hour, \(Self.longest / 1000)s")
    }
    self.length = length
  }

  /// In ms.
  private static let longest =
    MediaTime(VoiceActivityDetector.Configuration.longestDuration).milliseconds

  init(_ duration: Duration) { length = MediaTime(duration) }

  var description: String { "\(length.milliseconds)ms" }
}

/// A length of time that may be long: `30s` or `30`, `10m`, `8h`, or `500ms`. It ranges from 1 ms to a year.
struct SpanArgument: Sendable {
  var length: MediaTime

  var duration: Duration { .milliseconds(Int64(length.milliseconds)) }

  init(parsing text: String) throws(ValueError) {
    guard let length = Self.length(text) else {
      throw ValueError(description: "write it as 30s, 30 (seconds), 10m, 8h or 500ms")
    }
    guard Self.limits ~= length else {
      throw ValueError(description: "write a length from 1ms to a year, 8760h")
    }
    self.length = length
  }

  private static func length(_ text: String) -> MediaTime? {
    if text.hasSuffix("ms") { return MediaTime(parsingLength: text) }
    let units: [Character: UInt64] = ["s": 1, "m": 60, "h": 3600]
    guard let unit = text.last.flatMap({ units[$0] }) else {
      return MediaTime(parsingSeconds: text[...])
    }
    return MediaTime(parsingSeconds: text.dropLast()).map {
      MediaTime(milliseconds: $0.milliseconds * unit)
    }
  }

  private static let limits =
    MediaTime(milliseconds: 1)...MediaTime(milliseconds: 365 * 24 * 3_600_000)
}
