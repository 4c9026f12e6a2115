/// The bandwidth that audio needs, reserved before video gets a bit.
struct AudioReserve {
  private let perStream: Int
  private let streamLimit: Int
  private let headroom: Double
  private var streamCount = 0
  private var measured = 0

  /// The reserve in bits per second.
  private(set) var bitrate = 0

  init(_ configuration: VideoPauseConfiguration) {
    perStream = configuration.audioBitratePerStream
    streamLimit = configuration.audioStreamLimit
    headroom = configuration.audioHeadroom
  }

  /// Updates the reserve.
  ///
  /// A measured rate raises the reserve above what that many streams are expected to take, and never lowers it: a pause
  /// in speech is not the end of it.
  mutating func set(streamCount: Int, measured: Int?) {
    self.streamCount = streamCount
    self.measured = measured ?? 0
    let expected = perStream * min(streamCount, streamLimit)
    bitrate = Int((Double(max(self.measured, expected)) * headroom).rounded(.up))
  }
}
