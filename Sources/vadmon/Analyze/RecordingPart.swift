import Annotations
import AudioInput
import RealTime

/// The part of recordings to analyse.
struct PartBounds: Sendable, Hashable {
  var start = MediaTime.zero
  /// The end; `nil` for that of the recording.
  var end: MediaTime?

  static let whole = PartBounds()

  /// Returns the first frame of the part.
  func startFrame(rate: Int) -> UInt64 { start.samples(rate: rate) }
}

/// A part of a recording, as a recording of its own.
///
/// Threads: as the source's. `@unchecked Sendable` is safe because only the thread that reads touches what changes.
final class RecordingPart: PassingRecording, @unchecked Sendable {
  let source: any RecordedSource
  private let range: Range<UInt64>
  /// The frames of the recording that were passed over or read.
  private var position: UInt64 = 0

  init(_ source: any RecordedSource, _ bounds: PartBounds) {
    self.source = source
    let start = bounds.startFrame(rate: source.sampleRate)
    range = start..<max(start, bounds.end?.samples(rate: source.sampleRate) ?? .max)
  }

  var expectedFrameCount: Int64? {
    source.expectedFrameCount.map { count in
      let whole = 0..<UInt64(clamping: count)
      return Int64(clamping: range.clamped(to: whole).count)
    }
  }

  var hasEnded: Bool { position >= range.upperBound || source.hasEnded }

  func read(into block: inout PCMBlock) throws -> Bool {
    (block.missingFrames, block.frameCount) = (0, 0)
    if position == 0 { position = (source as? AudioFileSource)?.pass(range.lowerBound) ?? 0 }
    while position < range.upperBound {
      guard try source.read(into: &block) else { return false }
      precondition(block.missingFrames == 0, "a recording loses no frames")
      let frames = position..<position + UInt64(block.frameCount)
      position = frames.upperBound
      let wanted = frames.clamped(to: range)
      guard !wanted.isEmpty else { continue }
      block.keep(
        Int(wanted.lowerBound - frames.lowerBound)..<Int(wanted.upperBound - frames.lowerBound))
      return true
    }
    return false
  }
}

extension PCMBlock {
  /// Drops the frames outside of a range.
  fileprivate mutating func keep(_ range: Range<Int>) {
    for channel in 0..<channelCount where range.lowerBound > 0 {
      withRoom(ofChannel: channel) { room in
        for index in range { room[index - range.lowerBound] = room[index] }
      }
    }
    frameCount = range.count
  }
}
