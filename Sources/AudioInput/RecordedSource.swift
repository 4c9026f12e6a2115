public import VoiceActivity

/// A recording: PCM that ends, and that nobody loses by being slow.
public protocol RecordedSource: PCMSource {
  /// What people call it: the path as given, or "standard input".
  var name: String { get }

  /// How it is stored, e.g. "WAV (Microsoft), Signed 16 bit PCM".
  var formatName: String { get }

  /// Channels of the recording itself, before ``ChannelSelection``.
  var inputChannelCount: Int { get }

  /// Frames in all, as far as the header tells; `nil` if nobody knows before the end. For progress:
  /// the end itself is when `read` says so.
  var expectedFrameCount: Int64? { get }

  /// What was wrong but could be read all the same; complete once `read` has returned `false` or
  /// thrown. The thread that reads asks.
  var warnings: [AudioInputWarning] { get }
}
