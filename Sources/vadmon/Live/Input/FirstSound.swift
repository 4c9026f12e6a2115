import AudioInput
import VoiceActivity

/// A source, and word of when its first sound began: a sound server may give it seconds after it was opened.
///
/// Threads: as `PCMSource` says.
final class FirstSound: PCMSource, @unchecked Sendable {
  var sampleRate: Int { source.sampleRate }
  var channelCount: Int { source.channelCount }

  private let source: any PCMSource
  /// Belongs to the thread that reads; `nil`: it has been called.
  private var onBegin: (@Sendable (WallClock) -> Void)?

  /// - Parameter onBegin: Called once, on the thread that reads, before anybody else learns of the sound.
  init(_ source: any PCMSource, onBegin: @escaping @Sendable (WallClock) -> Void) {
    self.source = source
    self.onBegin = onBegin
  }

  func read(into block: inout PCMBlock) throws -> Bool {
    let hasMore = try source.read(into: &block)
    if hasMore, let onBegin, block.frameCount > 0 {
      self.onBegin = nil
      let frames = Int64(block.frameCount) + Int64(clamping: block.missingFrames)
      let now = WallClock.now
      onBegin(WallClock(milliseconds: now.milliseconds - frames * 1000 / Int64(sampleRate)))
    }
    return hasMore
  }

  func stop() { source.stop() }
}
