package import RealTime

/// The detectors of the channels of one stream, together: speech is where any of them has it.
///
/// Every detector gets the same samples' count, so that all decide the same hops. A single channel's results are passed
/// on as they are.
///
/// Only the initialiser allocates, unless a call decides more than `reservedCount` hops.
///
/// Threads: one at a time, as for a detector.
package struct ChannelDetectors: ~Copyable, Sendable {
  /// What a channel reports by itself, before the results of all.
  package enum ChannelResult {
    case hop(VoiceActivityHop)
    case event(VoiceActivityEvent)
  }

  /// A detector in a place that an array can hold.
  ///
  /// `@unchecked Sendable` is safe because only the noncopyable owner of the array touches the detector.
  private final class Place: @unchecked Sendable {
    var detector: VoiceActivityDetector
    init(_ detector: consuming VoiceActivityDetector) { self.detector = detector }
  }

  private static let reservedCount = 512

  private let places: [Place]
  /// From the start of a hop to the position at which it is decided, and half a hop, in samples.
  private let (decision, halfHop): (UInt64, UInt64)
  /// How long results wait behind the stream, in samples.
  private let hold: UInt64
  private var speech: EventUnion
  private var mutedSpeech: EventUnion
  /// The hops that wait, and those of the present call, joined as far as the channels have come.
  private var hops: [VoiceActivityHop] = []
  private var waitingHops = 0
  /// The index of the next hop of the present channel.
  private var nextHop = 0
  /// The events of the present call, in the order in which they were decided.
  private var events: [(channel: Int, event: VoiceActivityEvent)] = []

  /// Creates a detector for each channel.
  ///
  /// - Parameters:
  ///   - isSmoothed: Whether the detectors are, as for recordings.
  ///   - isPatient: Whether the hops, onsets and offsets of several channels may come later, by the longest rise and
  ///     the debounce, so that they are exact. Otherwise they come at once, and what is then dated back further counts
  ///     from there.
  package init(
    channelCount: Int, configuration: VoiceActivityDetector.Configuration,
    isSmoothed: Bool = false, isTimed: Bool = false, speakerMargin: Float, isPatient: Bool = false
  ) throws(VoiceActivityError) {
    var places: [Place] = []
    for _ in 0..<channelCount {
      var detector = try VoiceActivityDetector(
        configuration: configuration, isSmoothed: isSmoothed, isTimed: isTimed)
      try detector.setSpeakerMargin(speakerMargin)
      places.append(Place(detector))
    }
    self.places = places
    let rate = Double(configuration.sampleRate)
    let delay =
      isSmoothed ? VoiceActivityDetector.smoothingDelay : VoiceActivityDetector.lookahead
    let decision = delay + .milliseconds(10)
    let longest = VoiceActivityDetector.longestRise + configuration.onsetDebounce + decision
    (self.decision, halfHop) = (UInt64(decision / .seconds(1) * rate), UInt64(rate / 200))
    hold = isPatient ? UInt64(longest / .seconds(1) * rate) + 2 * halfHop : 0
    speech = EventUnion(of: .onset, to: .offset, channelCount: channelCount, hold: hold)
    mutedSpeech = EventUnion(
      of: .mutedSpeechBegin, to: .mutedSpeechEnd, channelCount: channelCount, hold: 0)
    guard channelCount > 1 else { return }
    hops.reserveCapacity(Self.reservedCount)
    events.reserveCapacity(Self.reservedCount)
  }
}

// MARK: - Analysis

extension ChannelDetectors {
  /// Analyses frames of a block, whose channels from `first` on are those of the detectors. Reports the hops, then the
  /// events.
  package mutating func process(
    _ block: borrowing PCMBlock, _ frames: Range<Int>, first: Int = 0,
    onHop: (VoiceActivityHop) -> Void, onEvent: (VoiceActivityEvent) -> Void,
    onChannel: (Int, ChannelResult) -> Void = { _, _ in }
  ) {
    for (channel, place) in places.enumerated() {
      nextHop = 0
      block.withSamples(ofChannel: first + channel) { samples in
        place.detector.process(
          samples.extracting(frames), onHop: { note($0, channel, onHop, onChannel) },
          onEvent: { note($0, channel, onEvent, onChannel) })
      }
    }
    report(onHop, onEvent)
  }

  /// Analyses `count` missing samples.
  package mutating func pushGap(
    _ count: UInt64, onHop: (VoiceActivityHop) -> Void, onEvent: (VoiceActivityEvent) -> Void,
    onChannel: (Int, ChannelResult) -> Void = { _, _ in }
  ) {
    for (channel, place) in places.enumerated() {
      nextHop = 0
      place.detector.pushGap(
        count, onHop: { note($0, channel, onHop, onChannel) },
        onEvent: { note($0, channel, onEvent, onChannel) })
    }
    report(onHop, onEvent)
  }

  /// Ends the stream.
  package mutating func flush(
    onHop: (VoiceActivityHop) -> Void, onEvent: (VoiceActivityEvent) -> Void,
    onChannel: (Int, ChannelResult) -> Void = { _, _ in }
  ) {
    for (channel, place) in places.enumerated() {
      nextHop = 0
      place.detector.flush(
        onHop: { note($0, channel, onHop, onChannel) },
        onEvent: { note($0, channel, onEvent, onChannel) })
    }
    report(isLast: true, onHop, onEvent)
  }

  /// The only detector, for an analysis beside a reference, which belongs to one microphone.
  package var only: VoiceActivityDetector {
    _read {
      precondition(places.count == 1, "a reference belongs to one channel")
      yield places[0].detector
    }
    _modify {
      precondition(places.count == 1, "a reference belongs to one channel")
      yield &places[0].detector
    }
  }
}

// MARK: - The union

extension ChannelDetectors {
  private mutating func note(
    _ hop: VoiceActivityHop, _ channel: Int, _ onHop: (VoiceActivityHop) -> Void,
    _ onChannel: (Int, ChannelResult) -> Void
  ) {
    onChannel(channel, .hop(hop))
    if places.count == 1 { return onHop(hop) }
    let index = waitingHops + nextHop
    if channel == 0 { hops.append(hop) } else { hops[index] = hops[index].joined(with: hop) }
    nextHop += 1
  }

  private mutating func note(
    _ event: VoiceActivityEvent, _ channel: Int, _ onEvent: (VoiceActivityEvent) -> Void,
    _ onChannel: (Int, ChannelResult) -> Void
  ) {
    onChannel(channel, .event(event))
    if places.count == 1 { return onEvent(event) }
    // All channels lack the same samples.
    if event.kind == .discontinuity, channel > 0 { return }
    let place = events.lastIndex { $0.event.decidedAt <= event.decidedAt }.map { $0 + 1 } ?? 0
    events.insert((channel, event), at: place)
  }

  /// Reports the results of a call: each hop, and the events that were decided with it.
  private mutating func report(
    isLast: Bool = false, _ onHop: (VoiceActivityHop) -> Void,
    _ onEvent: (VoiceActivityEvent) -> Void
  ) {
    guard places.count > 1 else { return }
    var (nextEvent, released) = (0, 0)
    for index in waitingHops..<hops.count {
      let decided = hops[index].position + decision
      while released <= index, hops[released].position + hold <= decided {
        onHop(hops[released])
        released += 1
      }
      nextEvent = takeEvents(from: nextEvent, decidedBy: decided + halfHop, onEvent)
      speech.settle(decided, onEvent)
      mutedSpeech.settle(decided, onEvent)
    }
    _ = takeEvents(from: nextEvent, decidedBy: .max, onEvent)
    if isLast {
      for hop in hops[released...] { onHop(hop) }
      released = hops.count
      speech.settle(.max, onEvent)
      mutedSpeech.settle(.max, onEvent)
    }
    hops.removeFirst(released)
    waitingHops = hops.count
    events.removeAll(keepingCapacity: true)
  }

  /// Takes the events that were decided up to a position. Returns the index of the first that was not.
  private mutating func takeEvents(
    from first: Int, decidedBy position: UInt64, _ onEvent: (VoiceActivityEvent) -> Void
  ) -> Int {
    var next = first
    while next < events.count, events[next].event.decidedAt <= position {
      let (channel, event) = events[next]
      speech.add(event, of: channel)
      mutedSpeech.add(event, of: channel)
      if event.kind == .discontinuity { onEvent(event) }
      next += 1
    }
    return next
  }
}

// MARK: - All detectors

extension ChannelDetectors {
  /// The controls of the detectors, for other threads.
  package var controls: [VoiceActivityControl] { places.map { $0.detector.control } }

  /// Mutes or unmutes.
  package mutating func setMuted(_ isMuted: Bool) {
    for place in places { place.detector.setMuted(isMuted) }
  }

  /// Reports a change of the gain in front of the detectors.
  package mutating func changeInputGain(by decibels: Float) {
    for place in places { place.detector.changeInputGain(by: decibels) }
  }

  /// What was learned of the user on the channel that has learned most. Setting it sets it for all channels.
  package var speakerLevel: VoiceActivityDetector.SpeakerLevel? {
    get {
      var best = places[0].detector.speakerLevel
      for place in places.dropFirst() {
        let level = place.detector.speakerLevel
        if level?.learned ?? .zero > best?.learned ?? .zero { best = level }
      }
      return best
    }
    set { for place in places { place.detector.speakerLevel = newValue } }
  }

  /// The unusual samples of all channels, and the missing ones of each.
  package var inputCounts: VoiceActivityDetector.InputCounts {
    var counts = places[0].detector.inputCounts
    for place in places.dropFirst() { counts.addSamples(of: place.detector.inputCounts) }
    return counts
  }
}
