internal import CALSA
internal import Glibc

/// Decides what to do when a PCM does not deliver.
///
/// This is a value: it decides and the capture thread acts, so errors that only a driver can cause are tested without a
/// driver.
///
/// The PCM's **state** decides, not the error: the meaning of an error differs from driver to driver and from plugin to
/// plugin, but that of the state does not. A PCM counts as recovered when frames arrive, not when a call returns 0,
/// because some devices can be restarted again and again and never deliver.
struct Recovery {
  enum Step: Hashable {
    /// Read again.
    case carryOn
    /// Call `snd_pcm_resume`, which continues a suspended PCM with the contents of its buffer.
    case resume
    /// Prepare and start the PCM, with an empty buffer.
    case restart
    /// Close the device, and open it again when that is possible.
    case reopen
  }

  /// The number of steps without a frame after which a PCM is opened anew, about half a second.
  static let patience = 8
  /// How long a running PCM may be silent, ns. A sound server sends nothing while its source sleeps.
  static let silenceLimit: Int64 = 5_000_000_000

  /// The number of steps since frames last arrived.
  private var steps = 0
  /// How often, since frames last arrived, the PCM could not be opened or was of no use.
  private var reopenings = 0
  private var canResume = true

  mutating func framesCame() {
    steps = 0
    reopenings = 0
    canResume = true
  }

  /// Returns the next step.
  ///
  /// - Parameter error: The negative value that a call returned, or 0 if only the state is wrong.
  mutating func step(state: snd_pcm_state_t, error: Int32) -> Step {
    steps += 1
    if state == SND_PCM_STATE_DISCONNECTED || error == -ENODEV { return .reopen }
    if steps > Self.patience { return .reopen }
    if state == SND_PCM_STATE_SUSPENDED && canResume { return .resume }
    // An error that left the PCM running may be over, and reading again loses nothing.
    if state == SND_PCM_STATE_RUNNING && steps == 1 { return .carryOn }
    return .restart
  }

  /// Records the result of a resume.
  ///
  /// - Parameters:
  ///   - result: What `snd_pcm_resume` returned.
  ///   - state: The state after it: some plugins return 0 and stay suspended.
  mutating func resumed(_ result: Int32, state: snd_pcm_state_t) {
    canResume = result == -EAGAIN || (result == 0 && state != SND_PCM_STATE_SUSPENDED)
  }

  /// Whether the latest step is the first since frames arrived.
  var isFirstStep: Bool { steps == 1 }

  /// How long to wait before taking the latest step, ms. The first step is taken at once.
  var pause: Int32 { steps < 2 ? 0 : min(10 << Int32(steps - 2), 100) }

  /// Returns how long to wait before opening the device again, ms: a plug that is pulled and put back is found soon,
  /// and a device that stays away costs one attempt a second.
  mutating func reopenPause() -> Int32 {
    defer { reopenings = min(reopenings + 1, 4) }
    steps = 0
    canResume = true
    return min(100 << Int32(reopenings), 1000)
  }
}

extension CaptureFault {
  /// Creates the fault that a PCM's state indicates.
  init(_ state: snd_pcm_state_t) {
    switch state {
    case SND_PCM_STATE_RUNNING: self = .error
    case SND_PCM_STATE_SUSPENDED: self = .suspended
    case SND_PCM_STATE_DISCONNECTED: self = .gone
    default: self = .stopped
    }
  }
}
