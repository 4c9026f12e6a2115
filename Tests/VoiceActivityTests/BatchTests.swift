import AllocationCounter
import TestSupport
import Testing
import VoiceActivity

/// Streams of a batch, some of them beside loudspeakers. The oracle is each detector, called separately.
@Suite struct BatchTests {
  typealias Stream = VoiceActivityBatch.Stream

  /// The rate and format of a stream, how it is cut, and the rate of what plays beside it, if anything does.
  private struct Plan {
    let rate: Int
    let chunk: Int
    var isInteger = false
    var lossEvery = Int.max
    var referenceRate: Int?
  }

  private static let plans = [
    Plan(rate: 16_000, chunk: 160),
    Plan(rate: 16_000, chunk: 320, isInteger: true, lossEvery: 7),
    Plan(rate: 48_000, chunk: 960, lossEvery: 5),
    // Ten hops or more in a chunk, which is more than an item has room for.
    Plan(rate: 8_000, chunk: 1_000, isInteger: true),
    Plan(rate: 44_100, chunk: 7_777, lossEvery: 3),
    Plan(rate: 16_000, chunk: 320, referenceRate: 16_000),
    Plan(rate: 48_000, chunk: 960, isInteger: true, lossEvery: 7, referenceRate: 16_000),
    Plan(rate: 8_000, chunk: 400, referenceRate: 48_000),
  ]

  private static let speech = try! [8_000, 16_000, 44_100, 48_000].reduce(into: [Int: [Float]]()) {
    $0[$1] = try TelephoneSpeech.samples(rate: Double($1))
  }

  /// What a chunk brings: what plays and 60 ms later its echo, or speech.
  private struct Chunk {
    var played: [Float] = []
    var heard: [Float]
    var missing: UInt64
    var integers: [Int16] { heard.map { Int16($0 * 32_767) } }
  }

  private static func chunks(_ plan: Plan) -> [Chunk] {
    var sound = speech[plan.rate]!
    if plan.referenceRate != nil {
      sound = [Float](repeating: 0, count: plan.rate * 60 / 1_000) + sound.map { 0.3 * $0 }
      sound.removeLast(sound.count % plan.chunk + 10 * plan.chunk)
    }
    return stride(from: 0, to: sound.count, by: plan.chunk).enumerated().map { number, start in
      let isAfterLoss = number % plan.lossEvery == plan.lossEvery - 1
      var chunk = Chunk(
        heard: Array(sound[start..<min(start + plan.chunk, sound.count)]),
        missing: isAfterLoss ? UInt64(plan.chunk) : 0)
      if let rate = plan.referenceRate {
        let size = plan.chunk * rate / plan.rate
        chunk.played = Array(speech[rate]![number * size..<(number + 1) * size])
        // A loss beside a loudspeaker takes the place of sound, so that the echo stays where it is.
        if isAfterLoss { chunk.heard = [] }
      }
      return chunk
    }
  }

  private func makeDetector(_ plan: Plan) throws -> VoiceActivityDetector {
    try VoiceActivityDetector(configuration: .init(sampleRate: plan.rate))
  }

  private func expected(_ plan: Plan) throws -> Heard {
    var heard = Heard()
    var detector = try makeDetector(plan)
    guard let rate = plan.referenceRate else {
      for chunk in Self.chunks(plan) {
        if chunk.missing > 0 { detector.pushGap(chunk.missing, into: &heard) }
        let integers = chunk.integers
        if plan.isInteger {
          detector.process(integers.span, into: &heard)
        } else {
          detector.process(chunk.heard.span, into: &heard)
        }
      }
      return heard
    }
    func note(_ hop: VoiceActivityHop) { heard.note(hop) }
    func note(_ event: VoiceActivityEvent) { heard.note(event) }
    var reference = try EchoReference(sampleRate: rate)
    for chunk in Self.chunks(plan) {
      try reference.push(chunk.played.span)
      if chunk.missing > 0 {
        detector.pushGap(chunk.missing, beside: &reference, onHop: note, onEvent: note)
      }
      let integers = chunk.integers
      if plan.isInteger {
        detector.process(integers.span, beside: &reference, onHop: note, onEvent: note)
      } else {
        detector.process(chunk.heard.span, beside: &reference, onHop: note, onEvent: note)
      }
    }
    return heard
  }

  /// Several chunks of a stream in one tick are analysed in their order. A reference may not be that early.
  @Test(arguments: [1, 3]) func aBatchDecidesAsItsDetectors(chunksPerTick: Int) throws {
    let plans = Self.plans.filter { chunksPerTick == 1 || $0.referenceRate == nil }
    var batch = VoiceActivityBatch()
    let streams = try plans.map { plan in
      guard let rate = plan.referenceRate else { return batch.add(try makeDetector(plan)) }
      return batch.add(try makeDetector(plan), beside: try EchoReference(sampleRate: rate))
    }
    let chunks = plans.map(Self.chunks)
    var heard: [Stream: Heard] = [:]
    for number in 0..<(chunks.map(\.count).max() ?? 0) {
      for (index, stream) in streams.enumerated() where number < chunks[index].count {
        let chunk = chunks[index][number]
        if plans[index].referenceRate != nil {
          try batch.withReference(of: stream) { try $0.push(chunk.played.span) }
        }
        let integers = chunk.integers
        if plans[index].isInteger {
          batch.append(integers.span, missing: chunk.missing, to: stream)
        } else {
          batch.append(chunk.heard.span, missing: chunk.missing, to: stream)
        }
      }
      guard number % chunksPerTick == chunksPerTick - 1 else { continue }
      batch.process(
        onHop: { heard[$0, default: Heard()].note($1) },
        onEvent: { heard[$0, default: Heard()].note($1) })
    }
    batch.process(
      onHop: { heard[$0, default: Heard()].note($1) },
      onEvent: { heard[$0, default: Heard()].note($1) })
    for (plan, stream) in zip(plans, streams) {
      let expected = try expected(plan)
      #expect(heard[stream] == expected)
      let hasReference = plan.referenceRate != nil
      #expect(expected.hops.contains(where: \.isEcho) == hasReference)
      #expect(hasReference || expected.events.contains { $0.kind == .onset })
    }
  }

  @Test func anEmptyBatchDoesNothing() throws {
    var batch = VoiceActivityBatch()
    batch.process { _, _ in Issue.record("nobody was there") }
    _ = batch.add(try VoiceActivityDetector(configuration: .init()))
    batch.process { _, _ in Issue.record("nothing was said") }
    #expect(batch.count == 1)
  }

  /// A detector leaves the batch as it would be without the batch. Another stream may then use its place.
  @Test func detectorsMayJoinAndLeaveABatch() throws {
    let speech = Self.speech[16_000]!
    var batch = VoiceActivityBatch()
    let first = batch.add(try VoiceActivityDetector(configuration: .init()))
    batch.append(speech.span, to: first)
    var events: [VoiceActivityEvent] = []
    batch.process { events.append($1) }
    batch.append(speech.span, to: first)
    var detector = batch.remove(first)
    #expect(batch.count == 0)
    detector.flush { events.append($0) }
    let second = batch.add(try VoiceActivityDetector(configuration: .init()))
    batch.process { _, _ in Issue.record("what was appended to a removed stream is forgotten") }
    #expect(first != second && batch.count == 1)

    var alone = try VoiceActivityDetector(configuration: .init())
    var expected: [VoiceActivityEvent] = []
    alone.process(speech.span) { expected.append($0) }
    alone.flush { expected.append($0) }
    #expect(events == expected && events.count == 4)
  }

  /// Both leave the batch as they would be without it, so that the end of the stream is the same.
  @Test func aDetectorAndItsReferenceLeaveABatch() throws {
    let plan = Plan(rate: 16_000, chunk: 320, referenceRate: 16_000)
    let chunks = Self.chunks(plan).prefix(120)
    var batch = VoiceActivityBatch()
    let stream = batch.add(try makeDetector(plan), beside: try EchoReference(sampleRate: 16_000))
    var alone = try makeDetector(plan)
    var aloneReference = try EchoReference(sampleRate: 16_000)
    for chunk in chunks {
      try batch.withReference(of: stream) { try $0.push(chunk.played.span) }
      batch.append(chunk.heard.span, to: stream)
      batch.process { _, _ in }
      try aloneReference.push(chunk.played.span)
      alone.process(chunk.heard.span, beside: &aloneReference) { _ in }
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
    let heard = chunks[0].heard
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

  @Test(.enabled(if: allocation_counter_works()), arguments: [false, true])
  func aGrownBatchDoesNotAllocate(besideReferences: Bool) throws {
    let (packet, integers) = (
      Array(Self.speech[16_000]![20_000..<20_320]), [Int16](repeating: 9, count: 320)
    )
    var batch = VoiceActivityBatch()
    var streams: [Stream] = []
    for _ in 0..<50 {
      let detector = try VoiceActivityDetector(configuration: .init())
      streams.append(
        besideReferences
          ? batch.add(detector, beside: try EchoReference(sampleRate: 16_000))
          : batch.add(detector))
    }
    var (hops, counted) = (0, 0)
    for round in 0..<20 {
      let before = allocation_counter_here()
      for (index, stream) in streams.enumerated() {
        if besideReferences { try batch.withReference(of: stream) { try $0.push(packet.span) } }
        if index % 2 == 0 {
          batch.append(packet.span, to: stream)
        } else {
          batch.append(integers.span, missing: besideReferences ? 0 : 320, to: stream)
        }
      }
      batch.process(onHop: { _, _ in hops += 1 }, onEvent: { _, _ in })
      if round > 0 { counted += allocation_counter_here() - before }
    }
    // The debug build's closures allocate.
    #if !DEBUG
      #expect(counted == 0)
    #endif
    #expect(hops > 50 * 20 * (besideReferences ? 1 : 2))
  }
}
