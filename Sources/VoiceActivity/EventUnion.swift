internal import CVoiceActivity

/// The union of what several channels report of one kind of span, speech or muted speech: a position is in it if it is
/// in a span of any channel.
///
/// Events come in the order in which they were decided, and each has a position in the past. Ends come in the order of
/// their positions, because the hangover of all channels is the same. Another channel may decide
/// later on a begin that lies before. The union's own begins and ends therefore wait in a queue until ``settle(_:_:)``
/// says that the stream is far enough. A begin before what was reported counts from there.
struct EventUnion {
  private let (begin, end): (VoiceActivityEvent.Kind, VoiceActivityEvent.Kind)
  /// How far behind the stream a begin can lie, in samples. With 0, everything is reported when it is decided.
  private let hold: UInt64
  /// Where the open span of each channel began.
  private var starts: [UInt64?]
  /// The latest end of a channel.
  private var latestEnd: UInt64 = 0
  /// Begins and ends in turn, at rising positions.
  private var waiting: [VoiceActivityEvent] = []
  /// The newest event that was reported.
  private var reported: (isBegin: Bool, position: UInt64) = (false, 0)

  init(
    of begin: VoiceActivityEvent.Kind, to end: VoiceActivityEvent.Kind, channelCount: Int,
    hold: UInt64
  ) {
    (self.begin, self.end, self.hold) = (begin, end, hold)
    starts = Array(repeating: nil, count: channelCount)
    waiting.reserveCapacity(2 * channelCount + 2)
  }

  /// Takes an event of a channel; those of other kinds do not count.
  mutating func add(_ event: VoiceActivityEvent, of channel: Int) {
    if event.kind == begin { beginSpan(event, channel) }
    if event.kind == end { endSpan(event, channel) }
  }

  /// A channel is in a span from a position on, and so is the union: what waits behind is void.
  private mutating func beginSpan(_ event: VoiceActivityEvent, _ channel: Int) {
    starts[channel] = event.position
    while let last = waiting.last, last.position >= event.position { waiting.removeLast() }
    let isOpen = waiting.last.map { $0.kind == begin } ?? reported.isBegin
    if !isOpen {
      waiting.append(event.moved(to: max(event.position, reported.position), as: begin))
    }
  }

  /// A channel's span ends, and with it the union unless another channel began before. Those that began behind go on.
  private mutating func endSpan(_ event: VoiceActivityEvent, _ channel: Int) {
    starts[channel] = nil
    latestEnd = max(latestEnd, event.position)
    var next = UInt64.max
    for case let start? in starts { next = min(next, start) }
    // A span may lie before what was reported of another that began later and still goes on.
    guard next > latestEnd, next == .max || latestEnd > openedAt else { return }
    waiting.append(event.moved(to: max(latestEnd, openedAt), as: end))
    if next < .max { waiting.append(event.moved(to: next, as: begin)) }
  }

  /// Where the union's open span begins.
  private var openedAt: UInt64 { waiting.last?.position ?? reported.position }

  /// Reports what no channel can change any more, now that the stream is decided up to a position.
  mutating func settle(_ position: UInt64, _ report: (VoiceActivityEvent) -> Void) {
    var count = 0
    while count < waiting.count, waiting[count].position <= position - min(hold, position) {
      reported = (waiting[count].kind == begin, waiting[count].position)
      report(waiting[count])
      count += 1
    }
    waiting.removeFirst(count)
  }
}

extension VoiceActivityEvent {
  fileprivate func moved(to position: UInt64, as kind: Kind) -> Self {
    var moved = cValue
    (moved.position, moved.type) = (position, kind.rawValue)
    return Self(cValue: moved)
  }
}

extension VoiceActivityHop {
  /// Returns the hop of two channels together: the most of each, as of a listener who hears both.
  func joined(with other: Self) -> Self {
    let (first, second) = state.rank >= other.state.rank ? (self, other) : (other, self)
    var hop = cValue
    hop.posterior = max(posterior, other.posterior)
    hop.level_dbfs = max(levelDBFS, other.levelDBFS)
    hop.peak_dbfs = max(peakDBFS, other.peakDBFS)
    hop.noise_floor_dbfs = max(noiseFloorDBFS, other.noiseFloorDBFS)
    hop.level_dbov = min(levelDBov, other.levelDBov)
    hop.state = first.cValue.state
    hop.hangover_left_ms = first.cValue.hangover_left_ms
    if first.state == second.state {
      hop.hangover_left_ms = max(hop.hangover_left_ms, second.cValue.hangover_left_ms)
    }
    let either = UInt8(VA_HOP_SPEECH.rawValue | VA_HOP_MUTED_SPEECH.rawValue)
    hop.flags |= other.cValue.flags & either
    return Self(hop)
  }
}

extension SpeechState {
  /// The order from silence to speech.
  fileprivate var rank: Int {
    switch self {
    case .silence: 0
    case .pendingOnset: 1
    case .hangover: 2
    case .speech: 3
    }
  }
}
