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

  private enum Announcement { case begins, ends }

  private func outcomes(after announcements: [Announcement]) throws -> [String] {
    let ring = SampleRing(capacity: 4000)
    let blocks = BlockReader(ring.reader, wake: try WakeEvent(), channelCount: 1)
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
