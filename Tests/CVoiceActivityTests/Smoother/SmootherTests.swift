import CVoiceActivity
import CVoiceActivityInternals
import TestSupport
import Testing

@Suite struct SmootherTests {
  static let rate: UInt32 = 8000
  static let hop: UInt64 = 80

  /// A detector's hops made by hand, one for each posterior.
  static func hops(_ posteriors: [Float], first: UInt64 = 0) -> [va_hop] {
    posteriors.enumerated().map { index, posterior in
      var hop = va_hop()
      hop.position = (first + UInt64(index)) * Self.hop
      hop.posterior = posterior
      hop.level_dbfs = -Float(index)
      return hop
    }
  }

  /// Posteriors that stay high, low or between for a while, as speech does.
  static func speech(_ count: Int, seed: UInt64) -> [Float] {
    var generator = SeededGenerator(seed: seed)
    var posteriors: [Float] = []
    while posteriors.count < count {
      let level = Float.random(in: 0...1, using: &generator)
      for _ in 0..<Int.random(in: 1...60, using: &generator) {
        posteriors.append(min(max(level + Float.random(in: -0.2...0.2, using: &generator), 0), 1))
      }
    }
    return Array(posteriors[..<count])
  }

  @Test(arguments: [0, 1, 2, 67, 68, 69, 701] as [Int])
  func itIsTheNetworkOfItsDefinition(count: Int) throws {
    let posteriors = Self.speech(count, seed: UInt64(count))
    let smoothed = try SmootherStream().run(Self.hops(posteriors)).hops
    try #require(smoothed.count == count)
    for (hop, (value, wanted)) in zip(smoothed, NaiveSmoother.posteriors(posteriors)).enumerated() {
      #expect(abs(Double(value.posterior) - wanted) < 2e-4, "hop \(hop)")
      #expect(value.position == UInt64(hop) * Self.hop)
      #expect(value.level_dbfs == -Float(hop))
    }
  }

  /// However the results come, and however little room there is.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func theResultsDoNotDependOnThePortions(seed: UInt64) throws {
    let hops = Self.hops(Self.speech(900, seed: seed))
    var generator = SeededGenerator(seed: seed)
    var events: [Int: va_event] = [:]
    for hop in 0..<900 where Int.random(in: 0..<5, using: &generator) == 0 {
      let decided = (UInt64(hop) + 4) * Self.hop
      events[hop] = va_event(
        type: VA_EVENT_MUTED_SPEECH_END.rawValue, reserved: 0, position: UInt64(hop) * Self.hop,
        decided_at: decided, length_samples: 0)
    }
    let whole = try SmootherStream().run(hops, events)
    let inParts = try SmootherStream(hopCapacity: 3).run(
      hops, events, portion: { Int.random(in: 0...50, using: &generator) })
    #expect(whole == inParts)
    #expect(whole.count(VA_EVENT_MUTED_SPEECH_END) == events.count)
    #expect(whole.count(VA_EVENT_ONSET) > 0)
  }

  /// States, onsets and offsets are what the hysteresis makes of the smoothed posteriors.
  @Test(arguments: [4, 5, 6] as [UInt64])
  func theHysteresisDecides(seed: UInt64) throws {
    let stream = try SmootherStream()
    let result = try stream.run(Self.hops(Self.speech(1201, seed: seed)))
    var hysteresis = va_hysteresis()
    va_hysteresis_init(&hysteresis, &stream.config)
    var edges: [UInt64] = []
    func note(_ transition: va_transition) {
      if transition == VA_SPEECH_BEGAN { edges.append(hysteresis.onset * Self.hop) }
      if transition == VA_SPEECH_ENDED { edges.append(hysteresis.offset * Self.hop) }
    }
    for (index, hop) in result.hops.enumerated() {
      note(va_hysteresis_step(&hysteresis, hop.posterior, UInt64(index)))
      #expect(UInt32(hop.state) == hysteresis.state)
      #expect((UInt32(hop.flags) & VA_HOP_SPEECH.rawValue != 0) == (hop.state >= 2))
    }
    note(va_hysteresis_end(&hysteresis))
    #expect(result.events.map(\.position) == edges)
    for event in result.events {
      #expect(event.decided_at >= event.position && event.decided_at <= 1201 * Self.hop)
    }
  }

  /// Only what follows from the posterior changes.
  @Test func theOtherFlagsStay() throws {
    var hops = Self.hops([Float](repeating: 0.01, count: 300))
    for index in 100..<150 {
      hops[index].flags = UInt8(VA_HOP_SPEECH.rawValue | VA_HOP_MUTED.rawValue)
    }
    let muted = UInt8(VA_HOP_MUTED.rawValue)
    let smoothed = try SmootherStream().run(hops).hops
    #expect(smoothed.map(\.flags) == (0..<300).map { (100..<150).contains($0) ? muted : 0 })
  }

  /// What the detector carries over a gap, the smoother does: it neither begins nor ends, and a gap has no posterior.
  @Test func speechIsCarriedOverAGap() throws {
    var hops = Self.hops([Float](repeating: 0.99, count: 400))
    for index in hops.indices { hops[index].state = UInt8(VA_STATE_SPEECH.rawValue) }
    for index in 200..<206 {
      hops[index].posterior = 0
      hops[index].flags = UInt8(VA_HOP_MISSING.rawValue)
    }
    let result = try SmootherStream().run(hops)
    #expect(result.events.map(\.type) == [VA_EVENT_ONSET.rawValue, VA_EVENT_OFFSET.rawValue])
    #expect(result.hops[200..<206].allSatisfy { $0.posterior == 0 && $0.state == 2 })
    #expect(result.hops[206].posterior > 0.9 && result.hops[199].posterior > 0.9)
  }

  @Test func whatASenderDecidedStays() throws {
    var hops = Self.hops([Float](repeating: 0, count: 200))
    for index in hops.indices { hops[index].flags = UInt8(VA_HOP_LEVEL_ONLY.rawValue) }
    hops[100].posterior = 1
    let smoothed = try SmootherStream().run(hops).hops
    #expect(smoothed.map(\.posterior) == hops.map(\.posterior))
  }

  @Test func otherEventsArePassedOnAtOnce() throws {
    let stream = try SmootherStream()
    let types = [
      VA_EVENT_ONSET, VA_EVENT_MUTED_SPEECH_BEGIN, VA_EVENT_OFFSET, VA_EVENT_DISCONTINUITY,
    ]
    let events = types.map {
      va_event(type: $0.rawValue, reserved: 0, position: 7, decided_at: 9, length_samples: 3)
    }
    try stream.take(Self.hops([0]), events)
    #expect(stream.result == StreamResult(events: [events[1], events[3]]))
  }

  /// A stream that was restored begins in the middle.
  @Test func positionsGoOnWhereTheFirstHopLies() throws {
    let posteriors = Self.speech(400, seed: 8)
    let (early, late) = (
      try SmootherStream().run(Self.hops(posteriors)),
      try SmootherStream().run(Self.hops(posteriors, first: 1_000_000))
    )
    let shift = 1_000_000 * Self.hop
    #expect(early.events.map { $0.position + shift } == late.events.map(\.position))
    #expect(early.events.map { $0.decided_at + shift } == late.events.map(\.decided_at))
    #expect(early.hops.map(\.posterior) == late.hops.map(\.posterior))
  }

  @Test func aPosteriorThatIsNoNumberIsSilence() throws {
    var posteriors = Self.speech(300, seed: 9)
    posteriors[150] = 0
    let clean = try SmootherStream().run(Self.hops(posteriors)).hops
    posteriors[150] = .nan
    let odd = try SmootherStream().run(Self.hops(posteriors)).hops
    #expect(clean.map(\.posterior) == odd.map(\.posterior))
  }

  @Test func afterTheEndOnlyAResetIsAllowed() throws {
    let stream = try SmootherStream()
    let posteriors = Self.hops(Self.speech(333, seed: 10))
    let first = try stream.run(posteriors)
    var output = va_output()
    var event = [va_event](repeating: va_event(), count: 4)
    event.withUnsafeMutableBufferPointer { room in
      (output.events, output.event_capacity) = (room.baseAddress, room.count)
      #expect(va_smoother_process(stream.smoother, nil, &output) == VA_ERROR_ARGUMENT)
    }
    va_smoother_reset(stream.smoother)
    stream.result = StreamResult()
    #expect(try stream.run(posteriors) == first)
  }

  @Test func badArgumentsAreRefused() {
    var config = va_config()
    var smoother: UnsafeMutablePointer<va_smoother>?
    #expect(va_smoother_create(&config, &smoother) == VA_ERROR_STRUCT_SIZE)
    va_config_default(&config, Self.rate)
    #expect(va_smoother_create(&config, nil) == VA_ERROR_ARGUMENT)
    config.onset_threshold = 2
    #expect(va_smoother_create(&config, &smoother) == VA_ERROR_THRESHOLD)
    #expect(smoother == nil)
    va_smoother_destroy(nil)
  }
}
