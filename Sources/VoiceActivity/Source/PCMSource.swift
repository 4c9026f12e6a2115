/// Where PCM comes from: a file, a pipe, a capture device, a host's own buffers.
///
/// A source is pulled. The reader owns a ``PCMBlock``, and the source fills it again and again:
/// ```swift
/// var block = PCMBlock(channelCount: source.channelCount)
/// while try source.read(into: &block) { … }
/// ```
///
/// Threads: `read` belongs to one thread at a time; `stop` may come from any.
public protocol PCMSource: AnyObject, Sendable {
  /// Frames per second, 8000 … 192000.
  var sampleRate: Int { get }

  /// Channels that come out, one detector each: after any mixing or picking of channels.
  var channelCount: Int { get }

  /// Fills `block` with the next frames, waiting for them if need be.
  ///
  /// After a call that returned `true`, the block holds at least one frame, or its
  /// ``PCMBlock/missingFrames`` is not 0. `false` means that the source has ended, for good.
  /// Throws when the source failed; what was read before stays good.
  func read(into block: inout PCMBlock) throws -> Bool

  /// Ends the source early: `read` returns `false` soon, even one that is waiting. Any thread.
  func stop()
}
