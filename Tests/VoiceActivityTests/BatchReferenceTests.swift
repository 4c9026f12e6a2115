import AllocationCounter
import TestSupport
import Testing
import VoiceActivity

/// Streams of a batch beside loudspeakers. The oracle is each detector beside its reference, called separately.
@Suite struct BatchReferenceTests {
  typealias Stream = VoiceActivityBatch.Stream

  private struct Heard: Equatable {
    var hops: [VoiceActivityHop] = []
    var events: [VoiceActivityEvent] = []
  }

  /// The rates of a microphone and of what plays beside it, if anything does, and how much a tick brings of both.
  private struct Plan {
    let rate: Int
    let referenceRate: Int?
    var isInteger = false
    var lossEvery = Int.max
    var milliseconds = 20
  }

  private static let plans = [
    Plan(rate: 16_000, referenceRate: 16_000),
    Plan(rate: 16_000, referenceRate: nil),
    Plan(rate: 48_000, referenceRate: 16_000, isInteger: true, lossEvery: 7),
    // Five hops in a tick, which is more than an item has room for.
    Plan(rate: 8_000, referenceRate: 48_000, milliseconds: 50),
  ]

  private static let far = try! [8_000, 16_000, 48_000].reduce(into: [Int: [Float]]()) {
    $0[$1] = try TelephoneSpeech.samples(rate: Double($1))
  }

  /// What a tick brings: what plays, and 60 ms later its echo.
  private struct Tick {
    var played: [Float] = []
    var heard: [Float]
    var missing: UInt64
    var integers: [Int16] { heard.map { Int16($0 * 32_767) } }
  }

  private static func ticks(_ plan: Plan) -> [Tick] {
    let count = far[8_000]!.count / 8 / plan.milliseconds
    let (size, delay) = (plan.rate / 1_000 * plan.milliseconds, plan.rate * 60 / 1_000)
    let echo = [Float](repeating: 0, count: delay) + far[plan.rate]!.map { 0.3 * $0 }
    return (0..<count).map { number in
      let isLost = number % plan.lossEvery == plan.lossEvery - 1
      var tick = Tick(
        heard: isLost ? [] : Array(echo[number * size..<(number + 1) * size]),
        missing: isLost ? UInt64(size) : 0)
      if let rate = plan.referenceRate {
        let size = rate / 1_000 * plan.milliseconds
        tick.played = Array(far[rate]![number * size..<(number + 1) * size])
      }
      return tick
    }
  }

  private func makeDetector(_ plan: Plan) throws -> VoiceActivityDetector {
    try VoiceActivityDetector(configuration: .init(sampleRate: plan.rate))
  }

  private func expected(_ plan: Plan) throws -> Heard {
    var heard = Heard()
    func note(_ hop: VoiceActivityHop) { heard.hops.append(hop) }
    func note(_ event: VoiceActivityEvent) { heard.events.append(event) }
    var detector = try makeDetector(plan)
    guard let rate = plan.referenceRate else {
      for tick in Self.ticks(plan) { detector.process(tick.heard.span, onHop: note, onEvent: note) }
      return heard
    }
    var reference = try EchoReference(sampleRate: rate)
    for tick in Self.ticks(plan) {
      try reference.push(tick.played.span)
      if tick.missing > 0 {
        detector.pushGap(tick.missing, beside: &reference, onHop: note, onEvent: note)
      }
      if plan.isInteger {
        let integers = tick.integers
        detector.process(integers.span, beside: &reference, onHop: note, onEvent: note)
      } else {
        detector.process(tick.heard.span, beside: &reference, onHop: note, onEvent: note)
      }
    }
    return heard
  }

  @Test func aBatchDecidesAsItsDetectorsBesideTheirReferences() throws {
    var batch = VoiceActivityBatch()
    let streams = try Self.plans.map { plan in
      guard let rate = plan.referenceRate else { return batch.add(try makeDetector(plan)) }
      return batch.add(try makeDetector(plan), beside: try EchoReference(sampleRate: rate))
    }
    let ticks = Self.plans.map(Self.ticks)
    var heard: [Stream: Heard] = [:]
    for number in 0..<(ticks.map(\.count).max() ?? 0) {
      for (index, stream) in streams.enumerated() where number < ticks[index].count {
        let tick = ticks[index][number]
        if Self.plans[index].referenceRate != nil {
          try batch.withReference(of: stream) { try $0.push(tick.played.span) }
        }
        if Self.plans[index].isInteger {
          let integers = tick.integers
          batch.append(integers.span, missing: tick.missing, to: stream)
        } else {
          batch.append(tick.heard.span, missing: tick.missing, to: stream)
        }
      }
      batch.process(
        onHop: { heard[$0, default: Heard()].hops.append($1) },
        onEvent: { heard[$0, default: Heard()].events.append($1) })
    }
    for (index, stream) in streams.enumerated() {
      let expected = try expected(Self.plans[index])
      #expect(heard[stream] == expected)
      #expect(expected.hops.contains(where: \.isEcho) == (Self.plans[index].referenceRate != nil))
    }
  }

  /// Both leave the batch as they would be without it, so that the end of the stream is the same.
  @Test func aDetectorAndItsReferenceLeaveABatch() throws {
    let plan = Self.plans[0]
    let ticks = Self.ticks(plan).prefix(120)
    var batch = VoiceActivityBatch()
    let stream = batch.add(try makeDetector(plan), beside: try EchoReference(sampleRate: 16_000))
    var alone = try makeDetector(plan)
    var aloneReference = try EchoReference(sampleRate: 16_000)
    for tick in ticks {
      try batch.withReference(of: stream) { try $0.push(tick.played.span) }
      batch.append(tick.heard.span, to: stream)
      batch.process { _, _ in }
      try aloneReference.push(tick.played.span)
      alone.process(tick.heard.span, beside: &aloneReference) { _ in }
    }
    var reference = batch.removeReference(of: stream)
    var detector = batch.remove(stream)
    #expect(reference.status == aloneReference.status && reference.sampleRate == 16_000)
    #expect(reference.status.delay == .milliseconds(60))
    var (hops, expected): ([VoiceActivityHop], [VoiceActivityHop]) = ([], [])
    detector.flush(beside: &reference, onHop: { hops.append($0) }, onEvent: { _ in })
    alone.flush(beside: &aloneReference, onHop: { expected.append($0) }, onEvent: { _ in })
    #expect(hops == expected && !hops.isEmpty)

    // The place is free for a stream without a reference.
    let next = batch.add(try makeDetector(plan))
    var count = 0
    let heard = ticks[0].heard
    batch.append(heard.span, to: next)
    batch.process(onHop: { _, hop in count += hop.isEcho ? 100 : 1 }, onEvent: { _, _ in })
    #expect(count < 100 && batch.count == 1)
  }

  @Test func theReferenceMayBeReplacedByAnother() throws {
    var batch = VoiceActivityBatch()
    let stream = batch.add(
      try VoiceActivityDetector(configuration: .init()),
      beside: try EchoReference(sampleRate: 16_000))
    try batch.withReference(of: stream) { $0 = try EchoReference(sampleRate: 48_000) }
    #expect(batch.withReference(of: stream) { $0.sampleRate } == 48_000)
    #expect(throws: VoiceActivityError.referenceEarly) {
      try batch.withReference(of: stream) { try $0.pushSilence(48_000) }
    }
  }

  @Test(.enabled(if: allocation_counter_works()))
  func aGrownBatchDoesNotAllocate() throws {
    let packet = [Float](repeating: 0.1, count: 320)
    var batch = VoiceActivityBatch()
    var streams: [Stream] = []
    for _ in 0..<20 {
      streams.append(
        batch.add(
          try VoiceActivityDetector(configuration: .init()),
          beside: try EchoReference(sampleRate: 16_000)))
    }
    var (hops, counted) = (0, 0)
    for round in 0..<20 {
      let before = allocation_counter_here()
      for stream in streams {
        try batch.withReference(of: stream) { try $0.push(packet.span) }
        batch.append(packet.span, to: stream)
      }
      batch.process(onHop: { _, _ in hops += 1 }, onEvent: { _, _ in })
      if round > 0 { counted += allocation_counter_here() - before }
    }
    // The debug build's closures allocate.
    #if !DEBUG
      #expect(counted == 0)
    #endif
    #expect(hops > 20 * 20)
  }
}
