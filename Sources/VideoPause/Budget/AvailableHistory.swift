/// What was available for video during the last seconds, in bits per second.
///
/// The evidence for sending more is read from 20 short parts. The usual rate needs ten times the length, but no such
/// detail: 40 parts.
struct AvailableHistory {
  private static let evidenceParts = 20, usualParts = 40
  private var evidence, past: PartMeans

  init(_ configuration: VideoPauseConfiguration) {
    let partLength = configuration.evidenceWindow.wholeMicroseconds / Int64(Self.evidenceParts)
    evidence = PartMeans(count: Self.evidenceParts, partLength: partLength)
    past = PartMeans(count: Self.usualParts, partLength: 5 * partLength)
  }

  /// Discards the history; the next value counts as if it had always held.
  mutating func forget() {
    evidence.forget()
    past.forget()
  }

  /// Records a value that holds from now on.
  mutating func record(_ available: Int, at now: Timestamp) {
    evidence.record(available, at: now)
    past.record(available, at: now)
  }

  /// The rate that was available for four fifths of the evidence window: one bad part in five does not rule out
  /// a picture.
  mutating func mostly(at now: Timestamp) -> Int {
    evidence.quantile(1, of: 5, over: Self.evidenceParts, at: now)
  }

  /// The least of the last tenth of the evidence window.
  mutating func recently(at now: Timestamp) -> Int {
    evidence.quantile(0, of: 1, over: Self.evidenceParts / 10, at: now)
  }

  /// The least of the last three tenths of the evidence window.
  mutating func steadily(at now: Timestamp) -> Int {
    evidence.quantile(0, of: 1, over: Self.evidenceParts / 3, at: now)
  }

  /// What a quarter of the last ten evidence windows exceeded. A median would forget what the path can carry in an
  /// outage of half that time.
  mutating func usually(at now: Timestamp) -> Int {
    past.quantile(3, of: 4, over: Self.usualParts, at: now)
  }

  /// Whether the evidence will rise if no new value arrives.
  var isSettling: Bool { evidence.isBelowLatest }
}
