import AllocationCounter
import TestSupport
import Testing
import VoiceActivity

/// The oracle is the detector, called separately for each stream.
@Suite struct BatchTests {
  typealias Stream = VoiceActivityBatch.Stream

  private struct Heard: Equatable {
    var hops: [VoiceActivityHop] = []
    var events: [VoiceActivityEvent] = []
  }

  /// The rate and format of a stream, and how it is cut.
  private struct Plan {
    let rate: Int
    let chunk: Int
    let isInteger: Bool
    let lossEvery: Int
  }

  private static let plans = [
    Plan(rate: 16_000, chunk: 160, isInteger: false, lossEvery: 0),
    Plan(rate: 16_000, chunk: 320, isInteger: true, lossEvery: 7),
    Plan(rate: 48_000, chunk: 960, isInteger: false, lossEvery: 5),
    // Ten hops or more in a chunk, which is more than an item has room for.
    Plan(rate: 8_000, chunk: 1_000, isInteger: true, lossEvery: 0),
    Plan(rate: 44_100, chunk: 7_777, isInteger: false, lossEvery: 3),
  ]
  private static let speech = plans.map { try! TelephoneSpeech.samples(rate: Double($0.rate)) }

  /// Returns chunk `number` of a stream and the number of samples missing before it.
  private func chunk(_ stream: Int, _ number: Int) -> (samples: [Float], missing: UInt64)? {
    let plan = Self.plans[stream]
    let start = number * plan.chunk
    guard start < Self.speech[stream].count else { return nil }
    let end = min(start + plan.chunk, Self.speech[stream].count)
    let isAfterLoss = plan.lossEvery > 0 && number % plan.lossEvery == plan.lossEvery - 1
    return (Array(Self.speech[stream][start..<end]), isAfterLoss ? UInt64(plan.chunk) : 0)
  }

  private func integers(_ samples: [Float]) -> [Int16] { samples.map { Int16($0 * 32_767) } }

  private func expected(_ stream: Int) throws -> Heard {
    var heard = Heard()
    func note(_ hop: VoiceActivityHop) { heard.hops.append(hop) }
    func note(_ event: VoiceActivityEvent) { heard.events.append(event) }
    let plan = Self.plans[stream]
    var detector = try VoiceActivityDetector(configuration: .init(sampleRate: plan.rate))
    var number = 0
    while let (samples, missing) = chunk(stream, number) {
      if missing > 0 { detector.pushGap(missing, onHop: note, onEvent: note) }
      if plan.isInteger {
        let integers = integers(samples)
        detector.process(integers.span, onHop: note, onEvent: note)
      } else {
        detector.process(samples.span, onHop: note, onEvent: note)
      }
      number += 1
    }
    return heard
  }

  /// Several chunks of a stream in one tick are analysed in their order.
  @Test(arguments: [1, 3]) func aBatchDecidesAsItsDetectors(chunksPerTick: Int) throws {
    var batch = VoiceActivityBatch()
    let streams = try Self.plans.map { plan in
      batch.add(try VoiceActivityDetector(configuration: .init(sampleRate: plan.rate)))
    }
    var heard: [Stream: Heard] = [:]
    var tick = 0
    while chunk(0, tick * chunksPerTick) != nil {
      for number in tick * chunksPerTick..<(tick + 1) * chunksPerTick {
        for (index, stream) in streams.enumerated() {
          guard let (samples, missing) = chunk(index, number) else { continue }
          if Self.plans[index].isInteger {
            let integers = integers(samples)
            batch.append(integers.span, missing: missing, to: stream)
          } else {
            batch.append(samples.span, missing: missing, to: stream)
          }
        }
      }
      batch.process(
        onHop: { heard[$0, default: Heard()].hops.append($1) },
        onEvent: { heard[$0, default: Heard()].events.append($1) })
      tick += 1
    }
    for (index, stream) in streams.enumerated() {
      let expected = try expected(index)
      #expect(heard[stream] == expected)
      #expect(expected.events.contains { $0.kind == .onset })
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
    let speech = Self.speech[0]
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

  @Test(.enabled(if: allocation_counter_works()))
  func aGrownBatchDoesNotAllocate() throws {
    let (packet, integers) = (
      Array(Self.speech[0][20_000..<20_320]), [Int16](repeating: 9, count: 320)
    )
    var batch = VoiceActivityBatch()
    var streams: [Stream] = []
    for _ in 0..<50 {
      streams.append(batch.add(try VoiceActivityDetector(configuration: .init())))
    }
    var (hops, counted) = (0, 0)
    for round in 0..<20 {
      let before = allocation_counter_here()
      for (index, stream) in streams.enumerated() {
        if index % 2 == 0 {
          batch.append(packet.span, to: stream)
        } else {
          batch.append(integers.span, missing: 320, to: stream)
        }
      }
      batch.process(onHop: { _, _ in hops += 1 }, onEvent: { _, _ in })
      if round > 0 { counted += allocation_counter_here() - before }
    }
    // The debug build's closures allocate.
    #if !DEBUG
      #expect(counted == 0)
    #endif
    #expect(hops > 50 * 20 * 2)
  }
}
