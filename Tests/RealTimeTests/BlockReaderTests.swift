import RealTime
import Testing

/// What a reader learns of interruptions. The ring holds 1600 frames from before, and its writer stays.
@Suite struct BlockReaderTests {
  @Test func anInterruptionIsReturnedOnceBehindWhatWasWritten() throws {
    #expect(try outcomes(after: [.begins]) == ["1600 frames", "interrupted", "abandoned"])
  }

  /// A slow reader learns nothing of an interruption that is over, because sound comes again.
  @Test func anInterruptionThatIsOverIsNotReturned() throws {
    #expect(try outcomes(after: [.begins, .ends]) == ["1600 frames", "abandoned"])
  }

  @Test func theNextInterruptionIsReturned() throws {
    #expect(
      try outcomes(after: [.begins, .ends, .begins])
        == ["1600 frames", "interrupted", "abandoned"])
  }

  /// Two equal announcements say nothing else than one, as when a device is lost again while it is being opened.
  @Test func anEqualAnnouncementDoesNotInvertTheMeaning() throws {
    #expect(
      try outcomes(after: [.begins, .begins]) == ["1600 frames", "interrupted", "abandoned"])
    #expect(try outcomes(after: [.begins, .ends, .ends]) == ["1600 frames", "abandoned"])
    #expect(
      try outcomes(after: [.ends, .begins]) == ["1600 frames", "interrupted", "abandoned"])
  }

  /// Whether a gap or a sample is the first from it, and not when it is announced.
  @Test(arguments: [0, 500]) func anotherDeviceIsReturnedOnceWhereItBegins(missing: UInt64) throws {
    let ring = SampleRing(capacity: 4000)
    let blocks = BlockReader(ring.reader, wake: Wakeup(), channelCount: 2)
    var writer = ring.writer
    func writeFrames(_ count: Int) {
      writer.write(Array(repeating: 0.5, count: 2 * count).span)
    }
    writeFrames(600)
    for _ in 1...2 { blocks.beginOtherDevice(at: writer.position) }
    writer.skip(2 * missing)
    writeFrames(300)
    #expect(
      firsts(blocks, reads: missing > 0 ? 5 : 4)
        == (missing > 0 ? [false, false, true, false, false] : [false, false, true, false]))
    blocks.beginOtherDevice(at: writer.position)
    writeFrames(10)
    #expect(firsts(blocks, reads: 1) == [true], "the next")
  }

  /// Reads blocks of at most 300 frames, or of 200 behind the first two.
  private func firsts(_ blocks: BlockReader, reads: Int) -> [Bool] {
    var block = PCMBlock(channelCount: 2, capacity: 300)
    return (0..<reads).map { number in
      if number == 2 { block = PCMBlock(channelCount: 2, capacity: 200) }
      #expect(blocks.read(into: &block) == .block)
      return block.isOtherDevice
    }
  }

  private enum Announcement { case begins, ends }

  private func outcomes(after announcements: [Announcement]) throws -> [String] {
    let ring = SampleRing(capacity: 4000)
    let blocks = BlockReader(ring.reader, wake: Wakeup(), channelCount: 1)
    var writer = ring.writer
    writer.write(Array(repeating: 0.5, count: 1600).span)
    for announcement in announcements {
      switch announcement {
      case .begins: blocks.beginInterruption()
      case .ends: blocks.endInterruption()
      }
    }
    blocks.expectEnd(within: .zero)
    var block = PCMBlock(channelCount: 1, capacity: 1600)
    var all: [String] = []
    repeat {
      let outcome = blocks.read(into: &block)
      all.append(outcome == .block ? "\(block.frameCount) frames" : "\(outcome)")
    } while all.last != "abandoned" && all.count < 5
    writer.close()
    return all
  }
}
