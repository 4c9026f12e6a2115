import Observation
import Testing
import VoiceMonitor

@testable import VoiceActivity

/// The presenter with a clock that the test moves. The tests wait for what other tasks have to do first.
@Suite("Muted notice: the presenter")
@MainActor
struct MutedNoticePresenterTests {
  private let clock = HandDrivenClock()

  /// Sets false and then true, and waits until the notice's timer runs.
  private func raise(_ presenter: MutedNoticePresenter) async throws -> MutedNotice {
    let sleepers = clock.sleeperCount
    presenter.update(isSpeakingWhileMuted: false)
    presenter.update(isSpeakingWhileMuted: true)
    let notice = try #require(presenter.notice)
    #expect(await eventually { clock.sleeperCount == sleepers + 1 })
    return notice
  }

  @Test("SM-11 SM-12 SM-15 SM-16 SM-17 Shown on a rise, for 2.0 s, and again on the next")
  func twoSeconds() async throws {
    let presenter = MutedNoticePresenter(clock: clock)
    #expect(presenter.notice == nil)
    let first = try await raise(presenter)
    #expect(first.text == "You are muted. Unmute to speak.")
    presenter.update(isSpeakingWhileMuted: false)
    clock.advance(to: .milliseconds(1999))
    #expect(clock.sleeperCount == 1)
    #expect(presenter.notice == first)
    clock.advance(to: .seconds(2))
    #expect(await eventually { presenter.notice == nil })
    clock.advance(to: .milliseconds(2100))
    let second = try await raise(presenter)
    #expect(second.id != first.id)
    clock.advance(to: .milliseconds(4099))
    #expect(clock.sleeperCount == 1)
    clock.advance(to: .milliseconds(4100))
    #expect(await eventually { presenter.notice == nil })
  }

  @Test("SM-13 A rise while it is shown starts no second timer and does not lengthen the first")
  func riseWhileShown() async throws {
    let presenter = MutedNoticePresenter(clock: clock)
    let notice = try await raise(presenter)
    clock.advance(to: .milliseconds(500))
    presenter.update(isSpeakingWhileMuted: false)
    presenter.update(isSpeakingWhileMuted: true)
    #expect(presenter.notice == notice)
    clock.advance(to: .seconds(2))
    #expect(await eventually { presenter.notice == nil })
    #expect(clock.sleeperCount == 0)
  }

  @Test("SM-14 Closed by hand, its timer is cancelled, and the next notice has its whole time")
  func closedByHand() async throws {
    let presenter = MutedNoticePresenter(clock: clock)
    let first = try await raise(presenter)
    presenter.dismiss(first.id)
    #expect(presenter.notice == nil)
    #expect(await eventually { clock.sleeperCount == 0 })
    clock.advance(to: .seconds(1))
    let second = try await raise(presenter)
    presenter.dismiss(first.id)
    #expect(presenter.notice == second)
    clock.advance(to: .milliseconds(2999))
    #expect(clock.sleeperCount == 1)
    clock.advance(to: .seconds(3))
    #expect(await eventually { presenter.notice == nil })
  }

  @Test("SM-14 A dismissal that was under way already does not hide the notice that came after")
  func staleDismissal() async throws {
    let stubborn = HandDrivenClock(heedsCancellation: false)
    let presenter = MutedNoticePresenter(clock: stubborn)
    presenter.update(isSpeakingWhileMuted: true)
    let first = try #require(presenter.notice)
    #expect(await eventually { stubborn.sleeperCount == 1 })
    presenter.dismiss(first.id)
    stubborn.advance(to: .seconds(1))
    presenter.update(isSpeakingWhileMuted: false)
    presenter.update(isSpeakingWhileMuted: true)
    let second = try #require(presenter.notice)
    #expect(await eventually { stubborn.sleeperCount == 2 })
    stubborn.advance(to: .seconds(2))
    for _ in 0..<100 { await Task.yield() }
    #expect(presenter.notice == second)
    stubborn.advance(to: .seconds(3))
    #expect(await eventually { presenter.notice == nil })
  }

  @Test("SM-01 A view that observes it is told when the notice comes and when it goes")
  func observation() async throws {
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

  @Test("SM-08 SM-11 SM-18 Follows states: true at once is a rise, and their end is a fall")
  func follows() async throws {
    let presenter = MutedNoticePresenter(clock: clock)
    for call in 1...2 {
      let (states, source) = AsyncStream<Bool>.makeStream()
      source.yield(true)
      let following = Task { await presenter.follow(states) }
      #expect(await eventually { presenter.notice != nil && clock.sleeperCount == 1 })
      source.finish()
      await following.value
      #expect(presenter.notice != nil)
      clock.advance(to: .seconds(2 * call))
      #expect(await eventually { presenter.notice == nil })
    }
  }

  @Test("SM-10 With no call there is nothing to follow: it returns at once and shows nothing")
  func nothingToFollow() async {
    let presenter = MutedNoticePresenter(clock: clock)
    await presenter.follow(AsyncStream<Bool> { $0.finish() })
    #expect(presenter.notice == nil)
    #expect(clock.sleeperCount == 0)
  }

  @Test("Cancelled, it follows no longer")
  func cancelled() async {
    let presenter = MutedNoticePresenter(clock: clock)
    let (states, source) = AsyncStream<Bool>.makeStream()
    let following = Task { await presenter.follow(states) }
    following.cancel()
    await following.value
    source.yield(true)
    #expect(presenter.notice == nil)
  }

  @Test("Nobody keeps the presenter: its timer is cancelled, and does not keep it either")
  func released() async throws {
    var presenter: MutedNoticePresenter? = MutedNoticePresenter(clock: clock)
    weak let gone = presenter
    _ = try await raise(presenter!)
    presenter = nil
    #expect(gone == nil)
    #expect(await eventually { clock.sleeperCount == 0 })
  }

  @Test("The limits hold: once per mute, and by the clock")
  func limits() async throws {
    let presenter = MutedNoticePresenter(clock: clock)
    presenter.configuration.limit = .oncePerMute
    presenter.dismiss(try await raise(presenter).id)
    presenter.update(isSpeakingWhileMuted: false)
    presenter.update(isSpeakingWhileMuted: true)
    #expect(presenter.notice == nil)
    presenter.microphoneUnmuted()
    #expect(await eventually { clock.sleeperCount == 0 })
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
