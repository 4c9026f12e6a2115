import RealTime
import Testing

/// Each test compares a picture of what the reader gets. Sample n of the stream has the value n.
@Suite struct RingTests {
  @Test(
    arguments: [1, 2, 3, 5], interestingStarts)
  func aRingHoldsItsWholeCapacity(capacity: Int, start: UInt64) {
    let ring = SampleRing(capacity: capacity, startPosition: start)
    var writer = ring.writer
    var reader = ring.reader
    // Many rounds, so that every slot is used more than once and the position passes the wrap.
    for round in 0..<11 {
      let block = (round * capacity)..<((round + 1) * capacity)
      let isStored = writer.write(block)
      let room = writer.room()
      let (outcome, samples) = reader.take()
      let (writerPosition, readerPosition) = (writer.position, reader.position)
      #expect(isStored)
      #expect(room == 0)
      #expect(outcome == .samples(count: capacity))
      #expect(samples == block.map(Float.init))
      #expect(writerPosition == start &+ UInt64(block.upperBound))
      #expect(readerPosition == writerPosition)
    }
    let rest = reader.picture()
    let room = writer.room()
    #expect(rest == "")
    #expect(room == capacity)
  }

  @Test(arguments: [3, 5, 7])
  func slotsStayInOrderAcrossTheWrapOfThePosition(capacity: Int) {
    // 2^64 is not a multiple of these capacities: a slot derived from the position would jump at the wrap.
    let ring = SampleRing(capacity: capacity, startPosition: .max - UInt64(capacity))
    var writer = ring.writer
    var reader = ring.reader
    var drawn: [String] = []
    for sample in 0..<(4 * capacity) {
      writer.write(sample..<(sample + 1))
      // Always one sample behind, so that a jump would overwrite the waiting sample.
      if sample > 0 { drawn += reader.take(upTo: 1).samples.map { "\(Int($0))" } }
    }
    #expect(drawn == (0..<(4 * capacity - 1)).map { "\($0)" })
  }

  /// Each region is filled and read in place.
  @Test func aWrappingBlockIsTwoRegions() {
    let ring = SampleRing(capacity: 5)
    var writer = ring.writer
    var reader = ring.reader
    writer.write(0..<3)
    _ = reader.take()
    var filled: [[Int]] = []
    writer.write(count: 4) { region, offset in
      filled.append([offset, region.count])
      for index in region.indices { region[index] = Float(3 + offset + index) }
    }
    var seen: [[Float]] = []
    let outcome = reader.read { region in seen.append(region.indices.map { region[$0] }) }
    #expect(filled == [[0, 2], [2, 2]])
    #expect(outcome == .samples(count: 4))
    #expect(seen == [[3, 4], [5, 6]])
  }

  @Test func aBlockThatEndsAtTheEndOfTheMemoryIsOneRegion() {
    let ring = SampleRing(capacity: 4)
    var writer = ring.writer
    var calls = 0
    writer.write(count: 4) { region, offset in calls += region.count == 4 && offset == 0 ? 1 : 100 }
    #expect(calls == 1)
  }

  @Test func copiesCrossTheEndOfTheMemory() {
    let ring = SampleRing(capacity: 5)
    var writer = ring.writer
    var reader = ring.reader
    writer.write(0..<3)
    var block = [Float](repeating: -1, count: 8)
    var span = block.mutableSpan
    let first = reader.read(into: &span)
    #expect(first == .samples(count: 3))
    #expect(block == [0, 1, 2, -1, -1, -1, -1, -1])
    writer.write(3..<8)
    span = block.mutableSpan
    let second = reader.read(into: &span)
    #expect(second == .samples(count: 5))
    #expect(block == [3, 4, 5, 6, 7, -1, -1, -1])
  }

  /// Only the room of what it took becomes free.
  @Test func aReadTakesAtMostItsLimit() {
    let ring = SampleRing(capacity: 4)
    var writer = ring.writer
    var reader = ring.reader
    writer.write(0..<4)
    let (outcome, samples) = reader.take(upTo: 3)
    let room = writer.room()
    #expect(outcome == .samples(count: 3))
    #expect(samples == [0, 1, 2])
    #expect(room == 3)
  }

  @Test func anEmptyBlockChangesNothing() {
    let ring = SampleRing(capacity: 1)
    var writer = ring.writer
    var reader = ring.reader
    let isStored = writer.write(0..<0)
    let picture = reader.picture()
    #expect(isStored)
    #expect(picture == "")
  }

  @Test func anEmptyBlockChangesNothingWhenGapMarksRunOut() {
    let ring = SampleRing(capacity: 64)
    var writer = ring.writer
    var reader = ring.reader
    var expected: [String] = []
    for sample in 0..<16 {
      writer.skip(1)
      writer.write(sample..<sample + 1)
      expected.append("[1 missing] \(sample)")
    }
    writer.skip(1)
    let isStored = writer.write(0..<0)
    let picture = reader.picture()
    #expect(isStored)
    #expect(picture == expected.joined(separator: " "))
  }
}

@Suite struct RingGapTests {
  /// The gap is at the block's exact position.
  @Test(arguments: interestingStarts)
  func aBlockWithoutRoomIsLostAsAWhole(start: UInt64) {
    let ring = SampleRing(capacity: 4, startPosition: start)
    var writer = ring.writer
    var reader = ring.reader
    let isFirstStored = writer.write(0..<3)
    let isSecondStored = writer.write(3..<5)
    let first = reader.picture()
    writer.write(5..<7)
    let second = reader.picture()
    #expect(isFirstStored && !isSecondStored)
    #expect(first == "0 1 2")
    #expect(second == "[2 missing] 5 6")
    let (lost, missing) = (writer.lostSamples, reader.missingSamples)
    let (written, read) = (writer.position, reader.position)
    #expect(lost == 2 && missing == 2)
    #expect(written == start &+ 7 && read == start &+ 7)
  }

  /// Separate gaps keep their positions.
  @Test func consecutiveLossesAreOneGap() {
    let ring = SampleRing(capacity: 4)
    var writer = ring.writer
    var reader = ring.reader
    writer.write(0..<4)
    writer.write(4..<6)
    writer.write(6..<9)
    let first = reader.take(upTo: 2).samples
    writer.write(9..<10)
    writer.write(10..<13)
    _ = reader.take(upTo: 1)
    writer.write(13..<15)
    let rest = reader.picture()
    #expect(first == [0, 1])
    #expect(rest == "3 [5 missing] 9 [3 missing] 13 14")
    let overruns = reader.overruns
    #expect(overruns == 2)
  }

  /// Nor do they hide an overrun beside them.
  @Test func skippedSamplesAreNotOverruns() {
    let ring = SampleRing(capacity: 2)
    var writer = ring.writer
    let reader = ring.reader
    writer.skip(3)
    writer.write(3..<5)
    let before = reader.overruns
    writer.skip(1)
    writer.write(6..<7)
    writer.skip(1)
    writer.write(8..<9)
    let after = reader.overruns
    #expect(before == 0 && after == 1)
  }

  @Test func aReadStopsBeforeAGap() {
    let ring = SampleRing(capacity: 8)
    var writer = ring.writer
    var reader = ring.reader
    writer.write(0..<2)
    writer.skip(3)
    writer.write(5..<8)
    let outcomes = (0..<5).map { _ in reader.take(upTo: 100).outcome }
    let expected: [SampleRing.Reader.Outcome] = [
      .samples(count: 2), .gap(missing: 3), .samples(count: 3), .empty, .empty,
    ]
    #expect(outcomes == expected)
  }

  @Test func aGapMayComeFirstAndExceed32Bits() {
    let ring = SampleRing(capacity: 2, startPosition: .max)
    var writer = ring.writer
    var reader = ring.reader
    writer.skip(1 << 40)
    writer.skip(1)
    writer.write(7..<8)
    let picture = reader.picture()
    let position = reader.position
    #expect(picture == "[\((1 << 40) + 1) missing] 7")
    #expect(position == (1 << 40) + 1)
  }

  @Test func aBlockLargerThanTheRingIsLostAndCounted() {
    let ring = SampleRing(capacity: 2)
    var writer = ring.writer
    var reader = ring.reader
    writer.write(0..<3)
    writer.write(3..<5)
    let picture = reader.picture()
    #expect(picture == "[3 missing] 3 4")
  }

  /// The last gap grows instead.
  @Test func everyLossIsCountedWhenGapMarksRunOut() {
    let ring = SampleRing(capacity: 1000)
    var writer = ring.writer
    var reader = ring.reader
    // Every second sample is skipped. After 16 gaps, the blocks themselves join the seventeenth.
    for sample in stride(from: 0, to: 40, by: 2) {
      writer.skip(1)
      writer.write((sample + 1)..<(sample + 2))
    }
    let room = writer.room()
    let lost = writer.lostSamples
    let before = reader.picture()
    writer.write(40..<41)
    let after = reader.picture()
    let drawn = stride(from: 0, to: 32, by: 2).map { "[1 missing] \($0 + 1)" }
    #expect(room == 0)
    #expect(lost == 16 + 8)
    #expect(before == drawn.joined(separator: " "))
    #expect(after == "[8 missing] 40")
  }

  @Test func aFinalLossIsReportedBeforeTheEnd() {
    let ring = SampleRing(capacity: 2)
    var writer = ring.writer
    var reader = ring.reader
    writer.write(0..<2)
    writer.write(2..<5)
    writer.close()
    let picture = reader.picture()
    let position = reader.position
    #expect(picture == "0 1 [3 missing] end")
    #expect(position == 5)
  }

  @Test func theReaderSeesLossesAheadOfIt() {
    let ring = SampleRing(capacity: 1)
    var writer = ring.writer
    let reader = ring.reader
    writer.write(0..<1)
    writer.write(1..<5)
    let (ahead, met) = (reader.losses.samples, reader.missingSamples)
    #expect(ahead == 4)
    #expect(met == 0)
  }
}
