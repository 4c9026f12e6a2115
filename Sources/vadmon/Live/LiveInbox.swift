import AudioInput
import SystemPackage
import VoiceActivity

/// Something that the main loop is told of by other threads.
enum LiveNews: Sendable {
  case event(MonitorEvent)
  /// The last of all: the monitor has ended, for this reason if it failed.
  case ended(failure: RunError?)
  case warning(String)
  /// What was to be listened to is open, or cannot be opened.
  case opened(Result<LiveInput, RunError>)
  /// The recording had to end, for this reason.
  case recordingEnded(String)
  /// The first sound has come, and began at this time of day.
  case soundBegan(WallClock)
  /// Standard output takes nothing any more.
  case unwritable(OutputError)
  /// SIGUSR1 mutes, SIGUSR2 unmutes.
  case mute(Bool)
  /// SIGINT.
  case interrupted
  /// SIGTERM.
  case terminated
  /// The terminal has another size.
  case resized
  /// vadmon was stopped, and goes on.
  case resumed

  /// The user or the system wants an end.
  fileprivate var asksForEnd: Bool {
    switch self {
    case .interrupted, .terminated: true
    default: false
    }
  }
}

/// Where other threads leave what the main loop is to know.
///
/// Events cannot outrun it for long: the monitor bounds and conflates them.
final class LiveInbox: Sendable {
  /// Signalled when there is something.
  let wake: WakeEvent
  /// Set by the first news that asks for an end, also while the main loop waits for something else.
  let deadline = StopDeadline()
  private let news = Guarded<[LiveNews]>([])

  init() throws(Errno) { wake = try WakeEvent() }

  func put(_ item: LiveNews) {
    if item.asksForEnd { deadline.begin() }
    news.change { $0.append(item) }
    wake.signal()
  }

  /// Puts back what was taken too early.
  func putBack(_ items: [LiveNews]) {
    if items.isEmpty { return }
    news.change { $0 = items + $0 }
    wake.signal()
  }

  func take() -> [LiveNews] {
    wake.clear()
    return news.change { news in
      defer { news = [] }
      return news
    }
  }
}
