public import VoiceActivity

/// The reason why a ``VoiceActivityMonitor`` cannot listen. `description` is one sentence.
public enum MonitorError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The detector rejected its configuration or the source's sample rate.
  case detector(VoiceActivityError)
  /// There is a reference, which belongs to one microphone, and the source has several channels.
  case severalChannels(Int)
  /// ``VoiceActivityMonitor/run()`` was called a second time.
  case hasRun
  /// The monitor has ended, so it cannot take another source.
  case hasEnded
  /// The system cannot start another thread.
  case noThread

  public var description: String {
    switch self {
    case .detector(let error): "\(error)"
    case .severalChannels(let count):
      "beside a reference, a monitor listens to one channel, not to \(count): let the source mix them or pick one"
    case .hasRun: "a monitor runs once; make another one"
    case .hasEnded: "the monitor has ended; make another one for another source"
    case .noThread:
      "cannot start a thread that listens; raise the limit on processes (ulimit -u) or memory (ulimit -v)"
    }
  }
}
