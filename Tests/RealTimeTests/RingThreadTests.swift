import Dispatch
import Foundation
import RealTime
import TestSupport
import Testing

/// The stream that two threads pass through a ring: sample n is `table[n mod period]`. Because the period is prime, the
/// test notices a sample that slips by any power of two, or by any capacity used here.
private struct Stream: Sendable {
  static let period = 65_537
  static let longestBlock = 1_024
  let start: UInt64
  /// One period and the beginning of the next, so that every block is contiguous.
  let table: [Float]

  init(start: UInt64, seed: UInt64) {
    self.start = start
    var random = SeededGenerator(seed: seed)
    let period = (0..<Self.period).map { _ in Float.random(in: -1...1, using: &random) }
    table = period + period[..<Self.longestBlock]
  }

  /// Returns the block's range in the table.
  func range(at position: UInt64, count: Int) -> Range<Int> {
    let offset = Int((position &- start) % UInt64(Self.period))
    return offset..<(offset + count)
  }

  /// Compares every sample with the one that belongs to its position.
  func matches(_ region: Span<Float>, at position: UInt64) -> Bool {
    var done = 0
    while done < region.count {
      let count = min(region.count - done, Self.longestBlock)
      let wanted = table.span.extracting(range(at: position &+ UInt64(done), count: count))
      guard equal(region.extracting(done..<(done + count)), wanted) else { return false }
      done += count
    }
    return true
  }

  /// Compares sample by sample in Swift, because ThreadSanitizer does not see memcmp and memcpy here.
  private func equal(_ left: Span<Float>, _ right: Span<Float>) -> Bool {
    left.withUnsafeBufferPointer { left in
      right.withUnsafeBufferPointer { right in
        var index = 0
        while index < left.count, left[index] == right[index] { index += 1 }
        return index == left.count
      }
    }
  }

  /// Fills `region` with the samples from `position` on.
  func fill(_ region: inout MutableSpan<Float>, from position: UInt64) {
    table.withUnsafeBufferPointer { table in
      region.withUnsafeMutableBufferPointer { region in
        let first = range(at: position, count: region.count).lowerBound
        var index = 0
        while index < region.count {
          region[index] = table[first + index]
          index += 1
        }
      }
    }
  }
}

/// What the reading thread has seen.
private struct Tally: Sendable {
  var samples: UInt64 = 0
  var missing: UInt64 = 0
  /// Reads whose samples did not belong to their position.
  var mismatches = 0
  var position: UInt64 = 0
}

/// A run of `produced` samples through a ring of `capacity`.
private struct Run: Sendable {
  enum Pace {
    /// The writer sleeps until its block fits: nothing may be lost.
    case waitsForRoom
    /// The writer never waits, like a sound card. It yields now and then, because on one core the reader would
    /// otherwise see little.
    case neverWaits
  }

  var stream: Stream
  var capacity: Int
  var pace: Pace
  var longestBlock = Stream.longestBlock
  var produced: UInt64 = 100_000_000

  func callAsFunction() async -> Tally {
    let (samples, room) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let ring = SampleRing(
      capacity: capacity, startPosition: stream.start,
      wakeReader: { samples.signal() }, wakeWriter: { room.signal() })
    let (writer, reader) = (Parcel(ring.writer), Parcel(ring.reader))
    async let written: Void = onThread { write(to: writer.open(), room) }
    async let tally = onThread { read(from: reader.open(), samples) }
    await written
    return await tally
  }

  private func write(to writer: consuming SampleRing.Writer, _ room: DispatchSemaphore) {
    var writer = writer
    var random = SeededGenerator(seed: 4)
    var left = produced
    while left > 0 {
      let count = min(Int.random(in: 1...longestBlock, using: &random), Int(left))
      switch pace {
      case .waitsForRoom: while writer.prepareToSleep(untilRoomFor: count) { room.wait() }
      case .neverWaits: if count % 8 == 0 { sched_yield() }
      }
      let position = writer.position
      writer.write(count: count) { region, offset in
        stream.fill(&region, from: position &+ UInt64(offset))
      }
      left -= UInt64(count)
    }
  }

  private func read(
    from reader: consuming SampleRing.Reader, _ samples: DispatchSemaphore
  ) -> Tally {
    var reader = reader
    var tally = Tally()
    while true {
      var position = reader.position
      let outcome = reader.read { region in
        tally.mismatches += stream.matches(region, at: position) ? 0 : 1
        position &+= UInt64(region.count)
      }
      switch outcome {
      case .samples(let count): tally.samples += UInt64(count)
      case .gap(let missing): tally.missing += missing
      case .empty: if reader.prepareToSleep() { samples.wait() }
      case .endOfStream:
        tally.position = reader.position
        return tally
      }
    }
  }
}

@Suite(.serialized)
struct RingThreadTests {
  /// 10^8 samples arrive in order.
  @Test func noSampleIsLostWhenTheWriterWaitsForRoom() async {
    let stream = Stream(start: .max - 50_000_000, seed: 1)
    let run = Run(stream: stream, capacity: 4_801, pace: .waitsForRoom)
    let tally = await run()
    #expect(tally.samples == run.produced)
    #expect(tally.missing == 0)
    #expect(tally.mismatches == 0)
    #expect(tally.position == stream.start &+ run.produced)
  }

  /// The writer of 10^8 samples never waits.
  @Test func everySampleArrivesOrIsCountedMissing() async {
    let stream = Stream(start: (1 << 32) - 1_000_000, seed: 2)
    let run = Run(stream: stream, capacity: 1_500, pace: .neverWaits)
    let tally = await run()
    #expect(tally.samples > 0)
    #expect(tally.samples + tally.missing == run.produced)
    #expect(tally.mismatches == 0)
    #expect(tally.position == stream.start &+ run.produced)
  }

  /// Almost every sample needs a wake-up.
  @Test(arguments: [1, 2])
  func singleSamplesPassThroughTheSmallestRings(capacity: Int) async {
    let stream = Stream(start: .max - 1_000, seed: 3)
    let run = Run(
      stream: stream, capacity: capacity, pace: .waitsForRoom, longestBlock: 1, produced: 50_000)
    let tally = await run()
    #expect(tally.samples == run.produced)
    #expect(tally.missing == 0)
    #expect(tally.mismatches == 0)
  }

  @Test func aDepartingReaderReleasesAWaitingWriter() async {
    let room = DispatchSemaphore(value: 0)
    let ring = SampleRing(capacity: 10, wakeWriter: { room.signal() })
    let (writer, reader) = (Parcel(ring.writer), Parcel(ring.reader))
    async let isReaderGone = onThread {
      var writer = writer.open()
      while !writer.isReaderGone {
        while writer.prepareToSleep(untilRoomFor: 1) { room.wait() }
        writer.write(0..<1)
      }
      return writer.isReaderGone
    }
    await onThread {
      var reader = reader.open()
      for _ in 0..<100 { _ = reader.take() }
    }
    #expect(await isReaderGone)
  }
}
