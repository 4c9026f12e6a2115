/// What has happened so far, added up.
struct LiveTally: Sendable, Hashable {
  private(set) var segmentCount = 0
  private(set) var gapCount: UInt64 = 0
  private(set) var lost = Timestamp.zero
  /// Segments that have ended.
  private var ended = Timestamp.zero
  private var endedMuted = Timestamp.zero
  private var endedStrip = ActivityStrip()
  /// When the segment and the muted speech that go on began.
  private var onset: Timestamp?
  private var mutedOnset: Timestamp?

  mutating func take(_ event: LiveEvent) {
    switch event.kind {
    case .onset:
      segmentCount += 1
      onset = event.time
    case .offset:
      ended = speech(at: event.time)
      endedStrip = strip(at: event.time)
      onset = nil
    case .mutedSpeech(true): mutedOnset = mutedOnset ?? event.time
    case .mutedSpeech(false):
      endedMuted = mutedSpeech(at: event.time)
      mutedOnset = nil
    case .gap(let length):
      gapCount += 1
      lost += length
    case .mute, .health, .device, .clock: break
    }
  }

  func speech(at now: Timestamp) -> Timestamp { ended + (onset.map { now - $0 } ?? .zero) }

  func mutedSpeech(at now: Timestamp) -> Timestamp {
    endedMuted + (mutedOnset.map { now - $0 } ?? .zero)
  }

  /// Where speech was.
  func strip(at now: Timestamp) -> ActivityStrip {
    guard let onset, onset < now else { return endedStrip }
    var strip = endedStrip
    strip.add(from: onset, to: now)
    return strip
  }
}
