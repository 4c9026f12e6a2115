/// What is taken from the estimate before video gets a bit: a part for audio, and a part for other traffic.
///
/// A measured rate raises a part above what is expected, and never lowers it: a pause in speech is not the end of it,
/// nor is a second without losses.
struct Reserve {
  private let audioPerStream, audioStreamLimit: Int
  private let audioHeadroom: Double
  private let otherExpected: Int

  /// The parts in bits per second.
  private(set) var audio = 0, other: Int

  /// All of it in bits per second.
  var bitrate: Int { audio + other }

  init(_ configuration: VideoPauseConfiguration) {
    audioPerStream = configuration.audioBitratePerStream
    audioStreamLimit = configuration.audioStreamLimit
    audioHeadroom = configuration.audioHeadroom
    otherExpected = configuration.otherTrafficReserve
    other = otherExpected
  }

  mutating func setAudio(streamCount: Int, measured: Int?) {
    let expected = audioPerStream * min(streamCount, audioStreamLimit)
    audio = Int((Double(max(measured ?? 0, expected)) * audioHeadroom).rounded(.up))
  }

  mutating func setOther(measured: Int) { other = max(measured, otherExpected) }
}
