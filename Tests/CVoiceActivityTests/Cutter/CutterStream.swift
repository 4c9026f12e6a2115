import CVoiceActivity
import TestSupport
import Testing

/// A cutter that is fed with results made by hand. One hop is one character of a drawing, 10 ms: `#` is speech.
final class CutterStream {
  /// In samples.
  struct Cut: Equatable {
    var start: Int
    var end: Int
    var continues = false

    init(start: Int, end: Int, continues: Bool = false) {
      (self.start, self.end, self.continues) = (start, end, continues)
    }

    /// A cut whose ends are ends of hops.
    init(hops: Range<Int>) { self.init(start: hops.lowerBound * hop, end: hops.upperBound * hop) }
  }

  /// In hops.
  struct Rules {
    var minSilence = 0
    var minSpeech = 0
    var maxLength = 0
    var padBefore = 0
    var padAfter = 0
  }

  static let rate = 8000
  static let hop = 80
  private(set) var cuts: [Cut] = []
  /// What `va_cutter_needed` said after the newest cut.
  private var needed: UInt64 = 0
  /// What C made. It is valid as long as this object lives.
  private let cutter: OpaquePointer

  init(_ rules: Rules, hangover: Int = 8) {
    var config = va_config()
    va_config_default(&config, UInt32(Self.rate))
    config.hangover_ms = UInt32(10 * hangover)
    var value = va_cut_rules(rules)
    var made: OpaquePointer?
    precondition(va_cutter_create(&value, &config, &made) == VA_OK)
    cutter = made!
  }

  deinit { va_cutter_destroy(cutter) }

  /// What the next cut surely contains, in samples.
  var beginning: Range<UInt64> {
    var certain: UInt64 = 0
    let needed = va_cutter_needed(cutter, &certain)
    return needed..<certain
  }

  func take(_ hops: [va_hop], _ events: [va_event]) {
    var (hops, events) = (hops, events)
    hops.withUnsafeMutableBufferPointer { hops in
      events.withUnsafeMutableBufferPointer { events in
        var results = va_output()
        (results.hops, results.hop_count) = (hops.baseAddress, hops.count)
        (results.events, results.event_count) = (events.baseAddress, events.count)
        var cut = va_cut()
        while va_cutter_next(cutter, &results, &cut) { keep(cut) }
      }
    }
  }

  func finish(at end: Int) {
    var cut = va_cut()
    while va_cutter_finish(cutter, UInt64(end * Self.hop), &cut) { keep(cut) }
  }

  func reset() {
    va_cutter_reset(cutter)
    (cuts, needed) = ([], 0)
  }

  private func keep(_ cut: va_cut) {
    #expect(cut.start >= needed, "a host has dropped the beginning of the cut")
    needed = va_cutter_needed(cutter, nil)
    cuts.append(Cut(start: Int(cut.start), end: Int(cut.end), continues: cut.continues))
  }
}

extension va_cut_rules {
  init(_ rules: CutterStream.Rules) {
    self.init(
      struct_size: UInt32(MemoryLayout<va_cut_rules>.size),
      min_silence_ms: UInt32(10 * rules.minSilence), min_speech_ms: UInt32(10 * rules.minSpeech),
      max_length_ms: UInt32(10 * rules.maxLength), pad_before_ms: UInt32(10 * rules.padBefore),
      pad_after_ms: UInt32(10 * rules.padAfter))
  }
}

/// The results that a detector without debounce or rise would give for a row of posteriors.
struct DrawnResults {
  var hops: [va_hop] = []
  /// The events, each with the hop that it came with.
  var events: [(hop: Int, event: va_event)] = []
  var spans: [Range<Int>] = []

  /// Speech starts with a posterior of .82, continues from .4 up, and ends after `hangover` hops below that.
  init(_ posteriors: [Float], hangover: Int) {
    var (start, end): (Int?, Int) = (nil, 0)
    for (index, posterior) in posteriors.enumerated() {
      if start == nil, posterior >= 0.82 {
        start = index
        add(VA_EVENT_ONSET, at: index, with: index)
      }
      if start != nil, posterior >= 0.4 { end = index + 1 }
      if let begun = start, index - end + 1 >= hangover, posterior < 0.4 {
        close(begun..<end, with: index)
        start = nil
      }
      let state =
        start == nil
        ? VA_STATE_SILENCE : posterior >= 0.4 ? VA_STATE_SPEECH : VA_STATE_HANGOVER
      var hop = va_hop()
      hop.position = UInt64(index * CutterStream.hop)
      hop.posterior = posterior
      hop.state = UInt8(state.rawValue)
      hops.append(hop)
    }
    if let start { close(start..<end, with: posteriors.count) }
  }

  private mutating func close(_ span: Range<Int>, with hop: Int) {
    spans.append(span)
    add(VA_EVENT_OFFSET, at: span.upperBound, with: hop)
  }

  private mutating func add(_ type: va_event_type, at position: Int, with hop: Int) {
    var event = va_event()
    event.type = type.rawValue
    event.position = UInt64(position * CutterStream.hop)
    event.decided_at = UInt64((hop + 4) * CutterStream.hop)
    events.append((hop, event))
  }

  /// Passes the results on in chunks of random length, and checks `check` after each.
  func feed(
    _ stream: CutterStream, chunks: some Sequence<Int>, check: () -> Void = {}
  ) {
    var done = 0
    for chunk in chunks {
      let end = min(hops.count, done + chunk)
      let isLast = end == hops.count
      stream.take(
        Array(hops[done..<end]),
        events.filter { ($0.hop >= done || done == 0) && ($0.hop < end || isLast) }.map(\.event))
      check()
      done = end
      if isLast { break }
    }
    stream.finish(at: hops.count)
  }
}
