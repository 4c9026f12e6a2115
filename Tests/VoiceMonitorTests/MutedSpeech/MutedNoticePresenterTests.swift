import Observation
import TestSupport
import Testing
import VoiceMonitor

@testable import VoiceActivity

/// The presenter with a clock that the test moves. The tests wait for what other tasks have to do first.
@Suite
@MainActor
struct MutedNoticePresenterTests {
  private let clock = HandDrivenClock()

  /// Sets false and then true, and waits until the notice's timer runs.
  private func raise(_ presenter: MutedNoticePresenter) async throws -> MutedNotice {
    let sleepers = clock.sleeperCount
    presenter.update(isSpeakingWhileMuted: false)
    presenter.update(isSpeakingWhileMuted: true)
    let notice = try #require(presenter.notice)
    try await waitUntil("the timer runs") { clock.sleeperCount == sleepers + 1 }
    return notice
  }

  @Test(
    "SM-11 SM-12 SM-15 SM-16 SM-17 A rise shows the notice for 2.0 s, and the next rise shows it again"
  )
  func theNoticeIsShownForTwoSeconds() async throws {
    let presenter = MutedNoticePresenter(clock: clock)
    #expect(presenter.notice == nil)
    let first = try await raise(presenter)
    #expect(first.text == "You are muted. Unmute to speak.")
    presenter.update(isSpeakingWhileMuted: false)
    clock.advance(to: .milliseconds(1999))
    #expect(clock.sleeperCount == 1)
    #expect(presenter.notice == first)
    clock.advance(to: .seconds(2))
    try await waitUntil("the end of the notice") { presenter.notice == nil }
    clock.advance(to: .milliseconds(2100))
    let second = try await raise(presenter)
    #expect(second.id != first.id)
    clock.advance(to: .milliseconds(4099))
    #expect(clock.sleeperCount == 1)
    clock.advance(to: .milliseconds(4100))
    try await waitUntil("the end of the notice") { presenter.notice == nil }
  }

  @Test("SM-13 A rise while the notice is shown starts no second timer and does not extend it")
  func aRiseDoesNotExtendTheNotice() async throws {
    let presenter = MutedNoticePresenter(clock: clock)
    let notice = try await raise(presenter)
    clock.advance(to: .milliseconds(500))
    presenter.update(isSpeakingWhileMuted: false)
    presenter.update(isSpeakingWhileMuted: true)
    #expect(presenter.notice == notice)
    clock.advance(to: .seconds(2))
    try await waitUntil("the end of the notice") { presenter.notice == nil }
    #expect(clock.sleeperCount == 0)
  }

  @Test("SM-14 Closing the notice cancels its timer, and the next one is shown for its whole time")
  func closingTheNoticeCancelsItsTimer() async throws {
    let presenter = MutedNoticePresenter(clock: clock)
    let first = try await raise(presenter)
    presenter.dismiss(first.id)
    #expect(presenter.notice == nil)
    try await waitUntil("the timer has ended") { clock.sleeperCount == 0 }
    clock.advance(to: .seconds(1))
    let second = try await raise(presenter)
    presenter.dismiss(first.id)
    #expect(presenter.notice == second)
    clock.advance(to: .milliseconds(2999))
    #expect(clock.sleeperCount == 1)
    clock.advance(to: .seconds(3))
    try await waitUntil("the end of the notice") { presenter.notice == nil }
  }

  @Test("SM-14 A dismissal that is under way does not hide a later notice")
  func aLateDismissalKeepsTheNextNotice() async throws {
    let stubborn = HandDrivenClock(heedsCancellation: false)
    let presenter = MutedNoticePresenter(clock: stubborn)
    presenter.update(isSpeakingWhileMuted: true)
    let first = try #require(presenter.notice)
    try await waitUntil("the timer runs") { stubborn.sleeperCount == 1 }
    presenter.dismiss(first.id)
    stubborn.advance(to: .seconds(1))
    presenter.update(isSpeakingWhileMuted: false)
    presenter.update(isSpeakingWhileMuted: true)
    let second = try #require(presenter.notice)
    try await waitUntil("the second timer runs") { stubborn.sleeperCount == 2 }
    stubborn.advance(to: .seconds(2))
    for _ in 0..<100 { await Task.yield() }
    #expect(presenter.notice == second)
    stubborn.advance(to: .seconds(3))
    try await waitUntil("the end of the notice") { presenter.notice == nil }
  }

  @Test("SM-01 An observer is notified when the notice appears and when it disappears")
  func anObserverSeesTheNoticeComeAndGo() async throws {
    let presenter = MutedNoticePresenter(clock: clock)
    for isShown in [true, false] {
      await confirmation { changed in
        withObservationTracking {
          _ = presenter.notice
        } onChange: {
          changed()
        }
        if isShown {
          presenter.update(isSpeakingWhileMuted: true)
        } else {
          presenter.dismiss(presenter.notice!.id)
        }
      }
    }
  }

  @Test(
    "SM-08 SM-11 SM-18 The presenter follows states: true at the beginning is a rise, their end is a fall"
  )
  func thePresenterFollowsStates() async throws {
    let presenter = MutedNoticePresenter(clock: clock)
    for call in 1...2 {
      let (states, source) = AsyncStream<Bool>.makeStream()
      source.yield(true)
      let following = Task { await presenter.follow(states) }
      try await waitUntil("a notice and its timer") {
        presenter.notice != nil && clock.sleeperCount == 1
      }
      source.finish()
      await following.value
      #expect(presenter.notice != nil)
      clock.advance(to: .seconds(2 * call))
      try await waitUntil("the end of the notice") { presenter.notice == nil }
    }
  }

  @Test("SM-10 Without a call, following returns at once and shows nothing")
  func withoutACallFollowingReturnsAtOnce() async {
    let presenter = MutedNoticePresenter(clock: clock)
    await presenter.follow(AsyncStream<Bool> { $0.finish() })
    #expect(presenter.notice == nil)
    #expect(clock.sleeperCount == 0)
  }

  @Test func aCancelledPresenterStopsFollowing() async {
    let presenter = MutedNoticePresenter(clock: clock)
    let (states, source) = AsyncStream<Bool>.makeStream()
    let following = Task { await presenter.follow(states) }
    following.cancel()
    await following.value
    source.yield(true)
    #expect(presenter.notice == nil)
  }

  /// Its timer is cancelled, and does not retain it.
  @Test func anUnusedPresenterIsReleased() async throws {
    var presenter: MutedNoticePresenter? = MutedNoticePresenter(clock: clock)
    weak let gone = presenter
    _ = try await raise(presenter!)
    presenter = nil
    #expect(gone == nil)
    try await waitUntil("the timer has ended") { clock.sleeperCount == 0 }
  }

  /// It shows the notice once per mute, or once per interval.
  @Test func thePresenterKeepsItsLimits() async throws {
    let presenter = MutedNoticePresenter(clock: clock)
    presenter.configuration.limit = .oncePerMute
    presenter.dismiss(try await raise(presenter).id)
    presenter.update(isSpeakingWhileMuted: false)
    presenter.update(isSpeakingWhileMuted: true)
    #expect(presenter.notice == nil)
    presenter.microphoneUnmuted()
    try await waitUntil("the timer has ended") { clock.sleeperCount == 0 }
    presenter.dismiss(try await raise(presenter).id)
    presenter.configuration.limit = .every(.seconds(10))
    for (second, isShown) in [(9, false), (10, true)] {
      clock.advance(to: .seconds(second))
      presenter.update(isSpeakingWhileMuted: false)
      presenter.update(isSpeakingWhileMuted: true)
      #expect((presenter.notice != nil) == isShown)
    }
  }
}
