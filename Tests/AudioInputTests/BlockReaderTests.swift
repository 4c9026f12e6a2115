import AudioInput
import RealTime
import Testing

/// What a reader learns of interruptions. The ring holds 1600 frames from before, and its writer stays.
@Suite struct BlockReaderTests {
  @Test func anInterruptionIsReturnedOnceBehindWhatWasWritten() throws {
    #expect(try outcomes(after: [true]) == ["1600 frames", "interrupted", "abandoned"])
  }

  /// A slow reader learns nothing of an interruption that is over, because sound comes again.
  @Test func anInterruptionThatIsOverIsNotReturned() throws {
    #expect(try outcomes(after: [true, false]) == ["1600 frames", "abandoned"])
  }

  @Test func theNextInterruptionIsReturned() throws {
    #expect(
      try outcomes(after: [true, false, true]) == ["1600 frames", "interrupted", "abandoned"])
  }

  private func outcomes(after interruptions: [Bool]) throws -> [String] {
    let ring = SampleRing(capacity: 4000)
    let blocks = BlockReader(ring.reader, wake: try WakeEvent(), channelCount: 1)
    var writer = ring.writer
    writer.write(Array(repeating: 0.5, count: 1600).span)
    for interruption in interruptions { blocks.setInterrupted(interruption) }
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
