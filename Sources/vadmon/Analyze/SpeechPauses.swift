import VoiceActivity

/// The silence between the cuts of a ``SpeechCutter``, from the beginning of the recording to its end.
///
/// A silence is known as soon as the speech after it is sure, not only when that has ended.
struct SpeechPauses {
  /// Where the silence begins that has no end yet; `nil` while speech is sure.
  private var start: UInt64? = 0
  /// The onsets that may end a silence, in order.
  private var onsets: [VoiceActivityEvent] = []

  /// Notes when an onset was decided: this is when the end of the silence before it was known.
  mutating func note(onset: VoiceActivityEvent) { onsets.append(onset) }

  /// Returns the silence before the next cut, once the cut is sure.
  ///
  /// - Parameter speech: What the next cut surely contains (``SpeechCutter/beginning``).
  mutating func end(before speech: Range<UInt64>) -> SpeechCut? {
    speech.isEmpty ? nil : end(at: speech.lowerBound)
  }

  /// Takes a complete cut. Returns the silence before it, unless it was returned already.
  mutating func take(_ cut: SpeechCut) -> SpeechCut? {
    defer {
      start = cut.end
      onsets.removeAll { $0.position < cut.end }
    }
    return end(at: cut.start)
  }

  /// Returns the last silence of a recording that ends at `end`.
  mutating func finish(at end: UInt64) -> SpeechCut? {
    onsets = []
    return self.end(at: end)
  }

  /// Returns what the next silence surely contains, as ``SpeechCutter/beginning`` does of the next cut.
  func beginning(beside speech: Range<UInt64>) -> Range<UInt64> {
    guard let start else { return speech.upperBound..<speech.upperBound }
    return start..<max(start, speech.lowerBound)
  }

  private mutating func end(at position: UInt64) -> SpeechCut? {
    guard let start else { return nil }
    self.start = nil
    guard start < position else { return nil }
    let decidedAt = onsets.first { $0.position >= position }?.decidedAt ?? position
    return SpeechCut(start: start, end: position, decidedAt: decidedAt)
  }
}
