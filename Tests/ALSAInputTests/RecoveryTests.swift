import CALSA
import Testing

@testable import ALSAInput

/// The steps for every state and error, including those that only a driver can cause.
@Suite struct RecoveryTests {
  typealias Step = Recovery.Step

  @Test func eachErrorHasItsFirstStep() {
    let table: [(snd_pcm_state_t, Int32, Step)] = [
      (SND_PCM_STATE_RUNNING, -EIO, .carryOn),
      (SND_PCM_STATE_XRUN, -EPIPE, .restart),
      (SND_PCM_STATE_XRUN, -EIO, .restart),
      (SND_PCM_STATE_SUSPENDED, -ESTRPIPE, .resume),
      (SND_PCM_STATE_SUSPENDED, -EBADFD, .resume),
      (SND_PCM_STATE_DISCONNECTED, -EIO, .reopen),
      (SND_PCM_STATE_RUNNING, -ENODEV, .reopen),
      (SND_PCM_STATE_SETUP, -EBADFD, .restart),
      (SND_PCM_STATE_PREPARED, -EBADFD, .restart),
      (SND_PCM_STATE_PAUSED, -EBADFD, .restart),
      (SND_PCM_STATE_OPEN, -EBADFD, .restart),
    ]
    for (state, error, expected) in table {
      var recovery = Recovery()
      #expect(recovery.step(state: state, error: error) == expected, "\(state), \(error)")
      #expect(recovery.isFirstStep && recovery.pause == 0)
    }
  }

  /// A device that can be restarted again and again but never delivers is not restarted forever.
  @Test(arguments: [
    (SND_PCM_STATE_XRUN.rawValue, -EPIPE, Step.restart),
    (SND_PCM_STATE_RUNNING.rawValue, -EIO, .restart),
    (SND_PCM_STATE_SUSPENDED.rawValue, -ESTRPIPE, .resume),
  ])
  func aDeviceIsNotRestartedForever(_ state: UInt32, error: Int32, step: Step) {
    var recovery = Recovery()
    let steps = (0..<Recovery.patience).map { _ in
      recovery.step(state: snd_pcm_state_t(state), error: error)
    }
    #expect(steps.dropFirst() == Array(repeating: step, count: 7)[...])
    #expect(recovery.step(state: snd_pcm_state_t(state), error: error) == .reopen)
  }

  @Test func pausesGrow() {
    var recovery = Recovery()
    let pauses = (0..<8).map { _ in
      _ = recovery.step(state: SND_PCM_STATE_XRUN, error: -EPIPE)
      return recovery.pause
    }
    #expect(pauses == [0, 10, 20, 40, 80, 100, 100, 100])
    #expect((0..<6).map { _ in recovery.reopenPause() } == [100, 200, 400, 800, 1000, 1000])
    recovery.framesCame()
    #expect(recovery.reopenPause() == 100)
  }

  /// Only frames count as a recovery.
  @Test func onlyFramesCountAsARecovery() {
    var recovery = Recovery()
    for _ in 0..<100 {
      for _ in 0..<Recovery.patience {
        #expect(recovery.step(state: SND_PCM_STATE_XRUN, error: -EPIPE) == .restart)
      }
      recovery.framesCame()
    }
  }

  /// A driver that cannot resume (ENOSYS), one that is not ready yet (EAGAIN), and a plugin that returns 0 and stays
  /// suspended.
  @Test(arguments: [
    (-ENOSYS, SND_PCM_STATE_SUSPENDED.rawValue, Step.restart),
    (-EAGAIN, SND_PCM_STATE_SUSPENDED.rawValue, .resume),
    (0, SND_PCM_STATE_SUSPENDED.rawValue, .restart),
    (0, SND_PCM_STATE_RUNNING.rawValue, .resume),
  ])
  func aFailedResumeIsFollowedUp(_ result: Int32, state: UInt32, step: Step) {
    var recovery = Recovery()
    #expect(recovery.step(state: SND_PCM_STATE_SUSPENDED, error: -ESTRPIPE) == .resume)
    recovery.resumed(result, state: snd_pcm_state_t(state))
    #expect(recovery.step(state: SND_PCM_STATE_SUSPENDED, error: -ESTRPIPE) == step)
    recovery.framesCame()
    #expect(recovery.step(state: SND_PCM_STATE_SUSPENDED, error: -ESTRPIPE) == .resume)
  }
}
