import AudioInput
import RealTime
import SystemPackage
import VoiceActivity
import VoiceMonitor

/// A message from another thread to the main loop.
enum LiveNews: Sendable {
  case event(MonitorEvent)
  /// The last message: the monitor has ended. `failure` is the reason if it failed.
  case ended(failure: RunError?)
  case warning(String)
  /// The input needs ffmpeg, which has been started.
  case decoderStarted
  /// The device cannot be opened for the reason given, and is waited for.
  case waiting(DeviceChange)
  /// The input and the files to record to have been opened, or cannot be opened.
  case opened(Result<InputOpening.Opened, RunError>)
  /// A segment is saved in this file.
  case saved(SpeechCut, FilePath)
  /// A recording had to end, for the reason given.
  case recordingEnded(String)
  /// The first sound arrived; it began at this time of day.
  case soundBegan(WallClock)
  /// Another device is the reference, or it is the microphone.
  case reference(ReferenceChange)
  /// A look at the other inputs has ended, and this one has sound.
  case otherInput(OtherInput?)
  /// Standard output cannot be written any more.
  case unwritable(OutputError)
  /// SIGUSR1 mutes, SIGUSR2 unmutes.
  case mute(Bool)
  /// The user or the system asks for the end (``EndingSignals``).
  case interrupted
  /// The size of the terminal has changed.
  case resized
  /// vadmon was stopped and has been continued.
  case resumed
}

/// The queue of messages from other threads to the main loop.
///
/// Events cannot fill it without limit: the monitor bounds and conflates them.
final class LiveInbox: Sendable {
  /// Signalled when there are messages.
  let wake: WakeEvent
  /// The deadline for ending. The first message that asks for the end sets it, even while the main loop is waiting.
  let deadline = StopDeadline()
  private let news = Guarded<[LiveNews]>([])

  init() throws(Errno) { wake = try WakeEvent() }

  func put(_ item: LiveNews) {
    if case .interrupted = item { deadline.begin() }
    news.change { $0.append(item) }
    wake.signal()
  }

  /// Puts back messages that were taken too early.
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
