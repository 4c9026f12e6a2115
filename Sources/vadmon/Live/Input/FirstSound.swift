import AudioInput
import RealTime

/// A source that reports when its first sound began. A sound server may deliver it seconds after it was opened.
///
/// Threads: as `PCMSource` describes. It is `@unchecked Sendable` because only the reading thread uses its mutable
/// state.
final class FirstSound: PassingSource, @unchecked Sendable {
  let source: any PCMSource
  /// The callback; `nil` after it has been called. Only the reading thread accesses it.
  private var onBegin: (@Sendable (WallClock) -> Void)?

  /// Creates a source that observes `source`.
  ///
  /// - Parameter onBegin: Called once, on the reading thread, before the sound is passed on.
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
}
