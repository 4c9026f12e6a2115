/// Why a ``VoiceActivityMonitor`` cannot listen. `description` is one sentence.
public enum MonitorError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The detector's configuration does not fit, or the source's rate.
  case detector(VoiceActivityError)
  /// A monitor listens to one stream; the source has several.
  case severalChannels(Int)
  /// ``VoiceActivityMonitor/run()`` was called before.
  case hasRun
  /// The monitor has ended, so that no other source can take over.
  case hasEnded
  /// The system has no thread left.
  case noThread

  public var description: String {
    switch self {
    case .detector(let error): "\(error)"
    case .severalChannels(let count):
      "a monitor listens to one channel, but the source has \(count): let it mix them or pick one"
    case .hasRun: "a monitor runs once; make another one"
    case .hasEnded: "the monitor has ended; make another one for another source"
    case .noThread: "there is no thread left to listen on; end other work or raise the limit"
    }
  }
}
