internal import CALSA
internal import Glibc

/// What to do when a PCM does not deliver. A value: it decides, the capture thread acts, and the
/// errors that only a driver can make are tested without one.
///
/// The PCM's **state** decides, not the error: what an error means differs from driver to driver and
/// from plugin to plugin, the state does not. And a PCM is believed to have recovered when frames come,
/// not when a call returns 0: there are devices that can be started again and again and never deliver.
struct Recovery {
  enum Step: Hashable {
    /// Read again.
    case carryOn
    /// `snd_pcm_resume`: continues a suspended PCM, with what is in its buffer.
    case resume
    /// Prepare and start: begins with an empty buffer.
    case restart
    /// Close, and open when it can be opened.
    case reopen
  }

  /// Steps without a frame after which a PCM is opened anew, about half a second.
  static let patience = 8
  /// A PCM that runs may be silent so long: a sound server sends nothing while its source sleeps. ns.
  static let silenceLimit: Int64 = 5_000_000_000

  /// Steps since frames came.
  private var steps = 0
  /// Times that the PCM could not be opened or was of no use, since frames came.
  private var reopenings = 0
  private var canResume = true

  mutating func framesCame() {
    steps = 0
    reopenings = 0
    canResume = true
  }

  /// - Parameter error: What a call returned, negative, or 0 if the state is all that is wrong.
  mutating func step(state: snd_pcm_state_t, error: Int32) -> Step {
    steps += 1
    if state == SND_PCM_STATE_DISCONNECTED || error == -ENODEV { return .reopen }
    if steps > Self.patience { return .reopen }
    if state == SND_PCM_STATE_SUSPENDED && canResume { return .resume }
    // An error that left the PCM running may be over: reading again loses nothing.
    if state == SND_PCM_STATE_RUNNING && steps == 1 { return .carryOn }
    return .restart
  }

  /// - Parameters:
  ///   - result: What `snd_pcm_resume` returned.
  ///   - state: The state after it: some plugins return 0 and stay suspended.
  mutating func resumed(_ result: Int32, state: snd_pcm_state_t) {
    canResume = result == -EAGAIN || (result == 0 && state != SND_PCM_STATE_SUSPENDED)
  }

  /// The step that was decided is the first since frames came.
  var isFirstStep: Bool { steps == 1 }

  /// How long to wait before the step that was decided, ms. The first is taken at once.
  var pause: Int32 { steps < 2 ? 0 : min(10 << Int32(steps - 2), 100) }

  /// How long to wait before the device is opened once more, ms: a plug that is pulled and put back is
  /// found soon, and one that stays away costs a try a second.
  mutating func reopenPause() -> Int32 {
    defer { reopenings = min(reopenings + 1, 4) }
    steps = 0
    canResume = true
    return min(100 << Int32(reopenings), 1000)
  }
}
