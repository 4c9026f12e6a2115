internal import VoiceActivity

/// A cutter that takes the results of a block at a time and reports the segments that they complete.
///
/// It does not allocate after its initialiser. A long gap has more hops than there is room for; they are passed on in
/// portions, which does not change the cuts.
final class BlockCutter {
  private static let capacity = 512

  private var cutter: SpeechCutter
  private var hops: [VoiceActivityHop] = []
  private var events: [VoiceActivityEvent] = []
  private var count = 0

  init(_ cutter: consuming SpeechCutter) {
    self.cutter = cutter
    hops.reserveCapacity(Self.capacity)
    events.reserveCapacity(Self.capacity)
  }

  /// The number of segments so far, and what the next one surely contains.
  var segments: (count: Int, beginning: Range<UInt64>) { (count, cutter.beginning) }

  func note(_ hop: VoiceActivityHop, _ publisher: Publisher) {
    if hops.count == Self.capacity { pass(to: publisher) }
    hops.append(hop)
  }

  func note(_ event: VoiceActivityEvent, _ publisher: Publisher) {
    if events.count == Self.capacity { pass(to: publisher) }
    events.append(event)
  }

  /// Passes on what was noted.
  func pass(to publisher: Publisher) {
    cutter.push(hops: hops.span, events: events.span) { report($0, publisher) }
    hops.removeAll(keepingCapacity: true)
    events.removeAll(keepingCapacity: true)
  }

  /// Ends the stream, and reports the remaining segments.
  func finish(at end: UInt64, _ publisher: Publisher) {
    pass(to: publisher)
    cutter.finish(at: end) { report($0, publisher) }
  }

  private func report(_ cut: SpeechCut, _ publisher: Publisher) {
    count += 1
    publisher.report(cut)
  }
}
