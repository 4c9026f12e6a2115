public import RealTime

/// A recording: PCM that ends, and that a slow reader does not lose.
public protocol RecordedSource: PCMSource {
  /// The name shown to users: the path as given, or "standard input".
  var name: String { get }

  /// The format of the recording, for example "WAV (Microsoft), Signed 16 bit PCM".
  var formatName: String { get }

  /// The bits of each sample, if they are integers: what a lossless copy needs. `nil` for floats, for lossy formats,
  /// and for what ffmpeg decodes.
  var bitsPerSample: Int? { get }

  /// Whether samples may have more bits than the floats that are read hold: integers of 32 bits, and floats of 64.
  var exceedsFloats: Bool { get }

  /// The format of PCM without a header; `nil` for everything else.
  var rawFormat: RawPCMFormat? { get }

  /// The number of channels of the recording itself, before `ChannelSelection`.
  var inputChannelCount: Int { get }

  /// The total number of frames that the header promises; `nil` if unknown before the end. Use it for progress only:
  /// the end is where `read` returns `false`.
  var expectedFrameCount: Int64? { get }

  /// The time in seconds that the container gives to the beginning of the recording: 0, except in those that keep a
  /// clock of their own, such as MPEG transport streams.
  var containerStart: Double { get }

  /// Whether `read` has returned `false` because the recording ends there, and not because of `stop()`. Only the thread
  /// that reads may ask for it.
  var hasEnded: Bool { get }

  /// Faults that did not prevent reading. The list is complete once `read` has returned `false` or thrown. Only the
  /// thread that reads may ask for it.
  var warnings: [AudioInputWarning] { get }
}

extension RecordedSource {
  public var bitsPerSample: Int? { nil }
  public var exceedsFloats: Bool { false }
  public var rawFormat: RawPCMFormat? { nil }
  public var containerStart: Double { 0 }
}

/// A recording that passes on what another delivers, and is otherwise as that one is.
package protocol PassingRecording: RecordedSource {
  var source: any RecordedSource { get }
}

extension PassingRecording {
  package var name: String { source.name }
  package var formatName: String { source.formatName }
  package var bitsPerSample: Int? { source.bitsPerSample }
  package var exceedsFloats: Bool { source.exceedsFloats }
  package var rawFormat: RawPCMFormat? { source.rawFormat }
  package var inputChannelCount: Int { source.inputChannelCount }
  package var expectedFrameCount: Int64? { source.expectedFrameCount }
  package var containerStart: Double { source.containerStart }
  package var hasEnded: Bool { source.hasEnded }
  package var warnings: [AudioInputWarning] { source.warnings }
  package var sampleRate: Int { source.sampleRate }
  package var channelCount: Int { source.channelCount }
  package func stop() { source.stop() }
}

extension ChannelSelection {
  /// Throws if an input of `channelCount` channels lacks the selected channel.
  package func check(_ name: String, channelCount: Int) throws(AudioInputError) {
    guard case .channel(let number) = self, !(1...channelCount ~= number) else { return }
    throw .noSuchChannel(name: name, number, channelCount: channelCount)
  }
}
