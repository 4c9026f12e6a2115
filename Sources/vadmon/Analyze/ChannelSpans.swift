/// The spans of several channels by themselves, from which it follows which of them had a part in a joint span.
struct ChannelSpans {
  /// Each channel's spans in order. The last one of a channel that is open has no end yet.
  private var spans: [[Range<UInt64>]]

  init(channelCount: Int) { spans = Array(repeating: [], count: channelCount) }

  mutating func begin(_ channel: Int, at position: UInt64) {
    spans[channel].append(position..<UInt64.max)
  }

  mutating func end(_ channel: Int, at position: UInt64) {
    guard let span = spans[channel].popLast() else { return }
    spans[channel].append(span.lowerBound..<max(span.lowerBound, position))
  }

  /// Returns the channels, from 1, with a span in a range.
  func channels(in range: Range<UInt64>) -> [Int] {
    spans.indices.filter { channel in spans[channel].contains { $0.overlaps(range) } }
      .map { $0 + 1 }
  }

  /// Forgets what lies before a position.
  mutating func forget(before position: UInt64) {
    for channel in spans.indices {
      spans[channel].removeFirst(spans[channel].prefix { $0.upperBound <= position }.count)
    }
  }
}
