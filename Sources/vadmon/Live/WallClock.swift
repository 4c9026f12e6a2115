import Annotations
import Glibc
import RealTime

/// A time of day in UTC.
struct WallClock: Sendable, Hashable {
  /// Milliseconds since 1970-01-01 00:00:00 UTC, without leap seconds.
  var milliseconds: Int64

  static var now: WallClock { WallClock(milliseconds: clockTime(CLOCK_REALTIME) / 1_000_000) }

  /// The time in ISO 8601 without what file systems refuse: `2026-11-22T173006Z`.
  var fileName: String {
    text.prefix { $0 != "." }.filter { $0 != ":" } + "Z"
  }

  /// The time in RFC 3339 with milliseconds: `2026-11-22T17:30:06.123Z`.
  var text: String {
    var (seconds, parts) = (time_t(milliseconds / 1000), tm())
    gmtime_r(&seconds, &parts)
    let date = [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday].map { padded($0, to: 2) }
    let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded($0, to: 2) }
    return date.joined(separator: "-") + "T" + time.joined(separator: ":")
      + "." + padded(milliseconds % 1000, to: 3) + "Z"
  }
}
