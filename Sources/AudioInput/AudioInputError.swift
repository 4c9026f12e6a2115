internal import RealTime
public import SystemPackage

/// The reason why audio could not be read.
///
/// `description` is one sentence that names the input, what is wrong and what to do about it. It is meant to be
/// printed after the program's name.
public enum AudioInputError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file cannot be opened.
  case cannotOpen(name: String, Errno)
  /// The path names a folder where a file was expected.
  case isFolder(name: String)
  /// Nobody decodes the content; `reason` says who was asked and what they said.
  case notAudio(name: String, reason: String)
  /// The input has no bytes.
  case empty(name: String)
  /// The format needs ffmpeg, which is not installed.
  case decoderMissing(name: String, format: String)
  /// The input is a video or similar without an audio stream.
  case noSound(name: String)
  /// The stream's format requires seeking, but the stream could not be copied to a temporary file.
  case cannotSpool(name: String, folder: String, Errno)
  /// The sample rate is outside 8000 … 192000 Hz.
  case sampleRate(name: String, Int)
  /// The number of channels is outside 1 … 1024.
  case channelCount(name: String, Int)
  /// The requested channel does not exist.
  case noSuchChannel(name: String, Int, channelCount: Int)
  /// Reading failed before the end.
  case readFailed(name: String, Errno)

  public var description: String {
    switch self {
    case .cannotOpen(let name, let errno):
      "cannot open \(name): \(errno); \(errno.remedyForOpening)"
    case .isFolder(let name):
      "cannot read \(name): it is a folder; name a file in it"
    case .notAudio(let name, let reason):
      "cannot read \(name): \(reason); check that it is a recording, and export it again"
    case .empty(let name):
      "cannot read \(name): it is empty; check the program that writes it"
    case .decoderMissing(let name, let format):
      "cannot read \(name): \(format) needs ffmpeg, which is not on PATH; install it"
    case .noSound(let name):
      "\(name) has no audio track; name a recording that has one"
    case .cannotSpool(let name, let folder, .overflow):
      """
      cannot read \(name): its format has to be copied to \(folder) first, and it has more than \
      \(Spool.limit >> 30) GiB; save it to a file and name that
      """
    case .cannotSpool(let name, let folder, let errno):
      """
      cannot read \(name): its format has to be copied to \(folder) first: \(errno); \
      \(Spool.remedy(errno)), or save it to a file and name that
      """
    case .sampleRate(let name, let rate):
      """
      cannot read \(name): its rate of \(rate) Hz is outside \
      \(supportedSampleRates.lowerBound) … \(supportedSampleRates.upperBound); resample it, \
      e.g. with \(name.resampling)
      """
    case .channelCount(let name, let count):
      """
      cannot read \(name) with \(count.inChannels); give a number from \
      \(supportedChannelCounts.lowerBound) to \(supportedChannelCounts.upperBound)
      """
    case .noSuchChannel(let name, let number, let count):
      """
      cannot read channel \(number) of \(name): it has \
      \(count == 1 ? "only channel 1; choose that" : "\(count) channels; choose one from 1 to \(count)")
      """
    case .readFailed(let name, let errno):
      "cannot read \(name) to its end: \(errno); \(errno.remedyForReading)"
    }
  }
}

extension Errno {
  fileprivate var remedyForOpening: String {
    switch self {
    case .noSuchFileOrDirectory, .notDirectory, .fileNameTooLong, .tooManySymbolicLinkLevels:
      "check its name"
    default: remedyForLimit ?? "check your permission to read it"
    }
  }

  /// Reading also needs threads, and processes of ffmpeg.
  fileprivate var remedyForReading: String {
    remedyForStarting ?? "check the disk or the program that feeds it"
  }
}

extension String {
  /// A command that resamples an input of this name, into a file or within a pipe.
  fileprivate var resampling: String {
    self == "standard input"
      ? "… | sox - -r 16000 -t wav - | …" : "sox \(shellQuoted) -r 16000 out.flac"
  }
}
