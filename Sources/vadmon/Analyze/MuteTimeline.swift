import Annotations

/// The intervals in which the microphone is muted.
///
/// The syntax is `START-END,START-END,…` in seconds, with units (`1m30s`) or by the clock (`1:30`), in order. The last
/// END may be omitted and then means the end of the recording: `0-3.5,10-`.
struct MuteTimeline: Sendable, Hashable {
  struct Interval: Sendable, Hashable {
    var start: MediaTime
    /// The end of the interval; `nil` for the end of the recording.
    var end: MediaTime?
  }

  /// The intervals in order; one may begin where the previous one ends.
  private(set) var intervals: [Interval]

  static let never = MuteTimeline(intervals: [])
  static let always = MuteTimeline(intervals: [Interval(start: .zero, end: nil)])

  /// Returns the samples at which the mute changes, in order, each with the new state.
  func changes(rate: Int) -> [(position: UInt64, isMuted: Bool)] {
    intervals.flatMap { interval in
      [(interval.start.samples(rate: rate), true)]
        + (interval.end.map { [($0.samples(rate: rate), false)] } ?? [])
    }
  }

  /// The timeline as it is written.
  var description: String {
    intervals.map { "\($0.start.seconds)-\($0.end?.seconds ?? "")" }.joined(separator: ",")
  }

  private init(intervals: [Interval]) { self.intervals = intervals }
}

extension MuteTimeline {
  /// Why a timeline is invalid. `description` continues the sentence "… is not a mute timeline: ".
  struct SyntaxError: Error, Hashable, CustomStringConvertible {
    let description: String
  }

  init(parsing text: String) throws(SyntaxError) {
    var intervals: [Interval] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let interval = try Interval(parsing: part)
      try interval.check(after: intervals.last)
      intervals.append(interval)
    }
    self.init(intervals: intervals)
  }
}

extension MuteTimeline.Interval {
  fileprivate init(parsing text: Substring) throws(MuteTimeline.SyntaxError) {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let start = Self.time(ends[0]) else {
      throw .init(description: "'\(text)' is not START-END")
    }
    self.start = start
    if ends[1].isEmpty { return }
    guard let end = Self.time(ends[1]) else {
      throw .init(description: "'\(ends[1])' is not a time")
    }
    guard end != start else { throw .init(description: "'\(text)' is empty") }
    guard end > start else { throw .init(description: "'\(text)' ends before it begins") }
    self.end = end
  }

  private static func time(_ text: Substring) -> MediaTime? {
    MediaTime(parsingSeconds: text) ?? MediaTime(parsingLength: String(text))
      ?? MediaTime(parsingClock: String(text))
  }

  fileprivate func check(after before: Self?) throws(MuteTimeline.SyntaxError) {
    guard let before else { return }
    guard let end = before.end else {
      throw .init(description: "only the last interval may leave its end open")
    }
    guard start >= end else {
      throw .init(
        description: "the interval at \(start.seconds) s begins before the one before it is over")
    }
  }
}
