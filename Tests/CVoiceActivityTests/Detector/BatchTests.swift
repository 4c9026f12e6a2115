import CVoiceActivity
import CVoiceActivityInternals
import TestSupport
import Testing

@Suite struct BatchTests {
  static let rates = [8000, 48_000, 16_000, 44_100, 192_000, 16_000, 48_000]

  /// The packets of one stream, f32 or s16, some of which are lost.
  struct Source {
    let rate: Int
    let f32: [Float]
    let s16: [Int16]
    let isFloat: Bool

    init(index: Int, rate: Int) {
      self.rate = rate
      isFloat = index % 2 == 0
      let phrase = 0.1 * Double(index)...1.2
      f32 = synthesizedSpeech(
        seconds: 1.5, rate: Double(rate), phrases: [phrase], seed: UInt64(index))
      s16 = f32.map { Int16($0 * 32767) }
    }

    /// The size of a packet, which differs so that the streams' steps end at different times.
    var packet: Int { isFloat ? rate / 50 : rate * 3 / 100 }
    var packets: Int { f32.count / packet }
  }

  @Test func aBatchIsManySingleCalls() {
    let sources = Self.rates.enumerated().map { Source(index: $0, rate: $1) }
    let batched = sources.map { Stream(rate: $0.rate) }
    let single = sources.map { Stream(rate: $0.rate) }
    var generator = SeededGenerator(seed: 80)
    for packet in 0..<sources.map(\.packets).min()! {
      let lost = sources.map { _ in Int.random(in: 0..<10, using: &generator) == 0 }
      batch(sources, batched, packet, lost)
      for (index, source) in sources.enumerated() {
        let range = packet * source.packet..<(packet + 1) * source.packet
        if lost[index] { single[index].pushGap(UInt64(source.packet)) }
        if source.isFloat { single[index].process(Array(source.f32[range])) }
        if !source.isFloat { single[index].process(Array(source.s16[range])) }
      }
    }
    for (a, b) in zip(batched, single) { #expect(a.finish() == b.finish()) }
    #expect(batched.allSatisfy { $0.result.count(VA_EVENT_DISCONTINUITY) > 0 })
    #expect(batched.contains { $0.result.segments.count > 0 })
  }

  /// Processes one packet of each stream in one call, after a gap of a packet where one was lost.
  func batch(_ sources: [Source], _ streams: [Stream], _ packet: Int, _ lost: [Bool]) {
    let results = Results(count: sources.count)
    var items = sources.indices.map { index in
      let source = sources[index]
      var item = results.item(index, streams[index].detector)
      source.f32.withUnsafeBufferPointer { f32 in
        source.s16.withUnsafeBufferPointer { s16 in
          let at = packet * source.packet
          item.samples = source.isFloat ? f32.baseAddress! + at : nil
          item.samples_s16 = source.isFloat ? nil : s16.baseAddress! + at
        }
      }
      item.count = source.packet
      item.missing = lost[index] ? UInt64(source.packet) : 0
      return item
    }
    #expect(va_process_batch(&items, items.count) == VA_OK)
    for (index, item) in items.enumerated() {
      #expect(item.status == VA_OK && item.consumed == item.count && item.missing == 0)
      streams[index].take(results.outputs[index])
    }
    withExtendedLifetime(sources) {}
  }

  /// Outputs with their own room for results, which `deinit` frees: valid as long as this object lives.
  final class Results {
    let outputs: UnsafeMutableBufferPointer<va_output>

    init(count: Int, events: Int = 16, hops: Int = 64) {
      outputs = .allocate(capacity: count)
      for index in 0..<count {
        var output = va_output()
        (output.events, output.event_capacity) = (.allocate(capacity: events), events)
        (output.hops, output.hop_capacity) = (.allocate(capacity: hops), hops)
        outputs.initializeElement(at: index, to: output)
      }
    }

    deinit {
      for output in outputs {
        output.events.deallocate()
        output.hops.deallocate()
      }
      outputs.deallocate()
    }

    func item(_ index: Int, _ detector: UnsafeMutablePointer<va_detector>?) -> va_batch_item {
      var item = va_batch_item()
      (item.detector, item.output) = (detector, outputs.baseAddress! + index)
      return item
    }
  }

  @Test func aBadItemIsReportedAndTheOthersAreDone() {
    let streams = (0..<8).map { _ in Stream() }
    let sound = [Float](repeating: 0.1, count: 1600)
    let words = [Int16](repeating: 1, count: 1600)
    let results = Results(count: 8)
    streams[5].finish()
    let untouched = streams.map { $0.saved() }
    sound.withUnsafeBufferPointer { sound in
      words.withUnsafeBufferPointer { words in
        var items = streams.indices.map { results.item($0, streams[$0].detector) }
        for index in items.indices {
          (items[index].samples, items[index].count) = (sound.baseAddress, 1600)
        }
        items[1].detector = nil
        items[2].samples = nil
        items[3].samples_s16 = words.baseAddress
        (items[4].samples, items[4].missing) = (nil, UInt64(VA_GAP_MAX) + 1)
        items[6].output.pointee.event_capacity = 3
        items[7].reserved = 1
        for index in items.indices { items[index].consumed = 99 }
        #expect(va_process_batch(&items, 8) == VA_ERROR_ARGUMENT)
        #expect(
          items.map(\.status) == [VA_OK] + [va_status_code](repeating: VA_ERROR_ARGUMENT, count: 5)
            + [VA_ERROR_EVENT_CAPACITY, VA_ERROR_ARGUMENT])
        #expect(items.map(\.consumed) == [1600, 0, 0, 0, 0, 0, 0, 0])
      }
    }
    #expect(streams[0].status.hops == 7)
    for (stream, before) in zip(streams, untouched).dropFirst() {
      #expect(stream.saved() == before)
    }
  }

  @Test func itemsOfOneDetectorAreTakenInTheirOrder() {
    let speech = synthesizedSpeech(seconds: 1, phrases: [0.2...0.8])
    let stream = Stream()
    let results = Results(count: 3)
    speech.withUnsafeBufferPointer { speech in
      for at in stride(from: 0, to: 16_000, by: 1600) {
        var items = (0..<3).map { results.item($0, stream.detector) }
        for (index, range) in [0..<500, 500..<500, 500..<1600].enumerated() {
          items[index].samples = range.isEmpty ? nil : speech.baseAddress! + at + range.lowerBound
          items[index].count = range.count
        }
        #expect(va_process_batch(&items, 3) == VA_OK)
        for output in results.outputs { stream.take(output) }
      }
    }
    #expect(stream.finish() == analyze(speech))
  }

  @Test func aBatchContinuesAfterAFullOutput() {
    let speech = synthesizedSpeech(seconds: 1, phrases: [0.2...0.8])
    let stream = Stream()
    let results = Results(count: 1, events: 4, hops: 3)
    var calls = 0
    speech.withUnsafeBufferPointer { speech in
      var item = results.item(0, stream.detector)
      (item.samples, item.count, item.missing) = (speech.baseAddress, speech.count, 1000)
      repeat {
        #expect(va_process_batch(&item, 1) == VA_OK)
        stream.take(results.outputs[0])
        item.samples += item.consumed
        item.count -= item.consumed
        calls += 1
      } while item.output.pointee.more || item.count > 0
    }
    let expected = Stream()
    expected.pushGap(1000)
    expected.process(speech)
    #expect(stream.finish() == expected.finish())
    #expect(calls > 30)
  }

  @Test func anEmptyBatchDoesNothing() {
    #expect(va_process_batch(nil, 0) == VA_OK)
    #expect(va_process_batch(nil, 1) == VA_ERROR_ARGUMENT)
  }
}
