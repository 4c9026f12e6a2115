/// A source of PCM: a file, a pipe, a capture device or a host's own buffers.
///
/// The reader pulls. It owns a ``PCMBlock``, which the source fills again and again:
/// ```swift
/// var block = PCMBlock(channelCount: source.channelCount)
/// while try source.read(into: &block) { … }
/// ```
///
/// Threads: one thread at a time calls `read`; any thread may call `stop`.
public protocol PCMSource: AnyObject, Sendable {
  /// The number of frames per second, 8000 … 192000.
  var sampleRate: Int { get }

  /// How often the source has lost frames because its reader or its capture was late. Gaps for other reasons, such as
  /// packets that did not arrive, do not count. Any thread may read it. A source that waits for its reader has none.
  var overruns: UInt64 { get }

  /// Whether the channels cancelled each other in the newest second with sound, so that their mean has lost it. Any
  /// thread may read it. A source that does not mix has no such second.
  var channelsCancel: Bool { get }

  /// When frame 0 was captured, as far as the source knows now: CLOCK_MONOTONIC in ns; `nil` if it does not know. Frame
  /// n, missing ones counted, was captured n / ``sampleRate`` later. A clock that drifts moves it. Any thread may read
  /// it.
  ///
  /// A monitor aligns a microphone and its reference by it. Without it, the order of their arrival has to do.
  var startTime: Int64? { get }

  /// The number of channels that come out, after any mixing or selection. Each needs its own detector.
  var channelCount: Int { get }

  /// Fills `block` with the next frames, waiting for them if need be.
  ///
  /// After a call that returned `true`, the block holds at least one frame, or its ``PCMBlock/missingFrames`` is not 0,
  /// or it is ``PCMBlock/isInterrupted`` or ``PCMBlock/isOtherDevice``. `false` means that the source has ended for
  /// good. Throws when the source fails; frames read before that stay valid.
  func read(into block: inout PCMBlock) throws -> Bool

  /// Ends the source early: `read` soon returns `false`, even if it is waiting. Any thread may call it.
  func stop()
}

extension PCMSource {
  public var overruns: UInt64 { 0 }
  public var channelsCancel: Bool { false }
  public var startTime: Int64? { nil }
}

/// A source that passes on what another delivers, and is otherwise as that one is.
package protocol PassingSource: PCMSource {
  var source: any PCMSource { get }
}

extension PassingSource {
  package var sampleRate: Int { source.sampleRate }
  package var channelCount: Int { source.channelCount }
  package var overruns: UInt64 { source.overruns }
  package var channelsCancel: Bool { source.channelsCancel }
  package var startTime: Int64? { source.startTime }
  package func stop() { source.stop() }
}

/// The sample rates that detectors accept, in Hz. They are those of the C header, as a test checks; this module does
/// not depend on the core.
package let supportedSampleRates = 8000...192_000
