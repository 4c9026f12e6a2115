import TestSupport
import Testing
import VoiceMonitor

@testable import VoiceActivity

/// The notices shown for a sequence of rises, and their times, where each is dismissed punctually.
struct NoticeTimeline {
  var rule = MutedNoticeRule()
  /// The times of the notices in ms.
  var shown: [Range<Int>] = []
  var ids: Set<MutedNotice.ID> = []
  private var dueAt: Int?

  /// Rises at each time and falls 5 ms later, and finally dismisses everything.
  mutating func play(rises: [Int], unmutedAt: [Int] = []) {
    let edges = rises.flatMap { [($0, true), ($0 + 5, false)] }.sorted { $0.0 < $1.0 }
    var unmutes = unmutedAt[...]
    for (time, isSpeaking) in edges {
      while let unmute = unmutes.first, unmute <= time {
        rule.microphoneUnmuted()
        unmutes.removeFirst()
      }
      dismissDue(at: time)
      take(rule.update(isSpeakingWhileMuted: isSpeaking, at: .milliseconds(time)), at: time)
    }
    dismissDue(at: .max)
  }

  private mutating func take(_ notice: MutedNotice?, at time: Int) {
    guard let notice else { return }
    ids.insert(notice.id)
    let end = time + Int(rule.configuration.duration / .milliseconds(1))
    shown.append(time..<end)
    dueAt = end
  }

  private mutating func dismissDue(at time: Int) {
    guard let due = dueAt, due <= time, let notice = rule.notice else { return }
    rule.dismiss(notice.id)
    #expect(rule.notice == nil)
    dueAt = nil
  }
}

@Suite struct MutedNoticeRuleTests {
  @Test(
    "SM-12 SM-13 SM-15 Stream's sequences: 2.0 s, not extended by a second rise, and again after it",
    arguments: [
      ([0], [0..<2000]),
      ([0, 500], [0..<2000]),
      ([0, 2100], [0..<2000, 2100..<4100]),
      ([0, 500, 1990, 2000], [0..<2000, 2000..<4000]),
    ])
  func sequencesMatchStreams(rises: [Int], shown: [Range<Int>]) {
    var timeline = NoticeTimeline()
    timeline.play(rises: rises)
    #expect(timeline.shown == shown)
    #expect(timeline.ids.count == shown.count)
  }

  @Test("SM-11 Only a rise shows the notice: a repeated true and false do not")
  func onlyARiseShowsTheNotice() throws {
    var rule = MutedNoticeRule()
    #expect(rule.update(isSpeakingWhileMuted: false, at: .zero) == nil)
    let notice = rule.update(isSpeakingWhileMuted: true, at: .seconds(1))
    #expect(rule.notice == notice)
    rule.dismiss(try #require(notice).id)
    #expect(rule.notice == nil)
    #expect(rule.update(isSpeakingWhileMuted: true, at: .seconds(9)) == nil)
    #expect(rule.notice == nil)
  }

  @Test("SM-13 A rise while the notice is shown is lost, not deferred")
  func aRiseWhileTheNoticeIsShownIsLost() throws {
    var rule = MutedNoticeRule()
    let firstShown = rule.update(isSpeakingWhileMuted: true, at: .zero)
    let first = try #require(firstShown)
    #expect(rule.update(isSpeakingWhileMuted: false, at: .seconds(1)) == nil)
    #expect(rule.update(isSpeakingWhileMuted: true, at: .seconds(1)) == nil)
    #expect(rule.notice == first)
    rule.dismiss(first.id)
    #expect(rule.update(isSpeakingWhileMuted: true, at: .seconds(3)) == nil)
  }

  @Test("SM-14 Each notice has its own id, and dismissing an earlier one does nothing")
  func dismissingAnEarlierNoticeDoesNothing() throws {
    var rule = MutedNoticeRule()
    let firstShown = rule.update(isSpeakingWhileMuted: true, at: .zero)
    let first = try #require(firstShown)
    let wasFirst = rule.dismiss(first.id)
    #expect(wasFirst)
    #expect(rule.update(isSpeakingWhileMuted: false, at: .seconds(1)) == nil)
    let secondShown = rule.update(isSpeakingWhileMuted: true, at: .seconds(1))
    let second = try #require(secondShown)
    #expect(first.id != second.id)
    let wasStale = !rule.dismiss(first.id)
    #expect(wasStale)
    #expect(rule.notice == second)
    let hides = [rule.dismiss(second.id), rule.dismiss(second.id)]
    #expect(hides == [true, false])
  }

  @Test("SM-16 Neither the fall nor unmuting hides the notice")
  func neitherAFallNorUnmutingHidesTheNotice() throws {
    var rule = MutedNoticeRule()
    let noticeShown = rule.update(isSpeakingWhileMuted: true, at: .zero)
    let notice = try #require(noticeShown)
    #expect(rule.update(isSpeakingWhileMuted: false, at: .milliseconds(10)) == nil)
    rule.microphoneUnmuted()
    #expect(rule.notice == notice)
  }

  @Test("SM-17 The text is Stream's unless replaced, and does not change while it is shown")
  func theTextCanBeReplaced() throws {
    var rule = MutedNoticeRule()
    let noticeShown = rule.update(isSpeakingWhileMuted: true, at: .zero)
    let notice = try #require(noticeShown)
    #expect(notice.text == "You are muted. Unmute to speak.")
    rule.configuration.text = "Mikrofon stumm"
    #expect(rule.notice == notice)
    rule.dismiss(notice.id)
    _ = rule.update(isSpeakingWhileMuted: false, at: .seconds(2))
    #expect(rule.update(isSpeakingWhileMuted: true, at: .seconds(3))?.text == "Mikrofon stumm")
  }

  @Test("SM-06 A disabled notice is not shown; enabled during speech, it waits for the next rise")
  func aDisabledNoticeIsNotShown() {
    var rule = MutedNoticeRule()
    rule.configuration.isEnabled = false
    #expect(rule.update(isSpeakingWhileMuted: true, at: .zero) == nil)
    rule.configuration.isEnabled = true
    #expect(rule.update(isSpeakingWhileMuted: true, at: .seconds(1)) == nil)
    #expect(rule.update(isSpeakingWhileMuted: false, at: .seconds(2)) == nil)
    #expect(rule.update(isSpeakingWhileMuted: true, at: .seconds(3)) != nil)
  }

  @Test func oncePerMuteShowsTheFirstRiseAfterEachUnmute() {
    var timeline = NoticeTimeline()
    timeline.rule.configuration.limit = .oncePerMute
    timeline.play(rises: [0, 3000, 10_000, 13_000], unmutedAt: [9000])
    #expect(timeline.shown.map(\.lowerBound) == [0, 10_000])
  }

  /// The first rise at least 30 s after the last showing shows it again.
  @Test func anIntervalLimitsHowOftenTheNoticeIsShown() {
    var timeline = NoticeTimeline()
    timeline.rule.configuration.limit = .every(.seconds(30))
    timeline.play(rises: [5000, 10_000, 34_990, 35_000, 64_000, 65_000], unmutedAt: [9000])
    #expect(timeline.shown.map(\.lowerBound) == [5000, 35_000, 65_000])
  }

  /// The naive way: of the sorted rises, keeps each one that no kept one forbids.
  @Test(
    "SM-11 SM-12 SM-13 SM-15 Random rises match a naive rule",
    arguments: 0..<20 as Range<UInt64>)
  func randomRisesMatchANaiveRule(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let rises = (0..<60).map { $0 * 400 + Int.random(in: 0..<300, using: &generator) }
    for interval in [0, 1500, 2000, 5000] {
      var timeline = NoticeTimeline()
      timeline.rule.configuration.limit = interval == 0 ? .none : .every(.milliseconds(interval))
      timeline.play(rises: rises)
      var expected: [Int] = []
      for rise in rises where expected.allSatisfy({ rise >= $0 + max(2000, interval) }) {
        expected.append(rise)
      }
      #expect(timeline.shown.map(\.lowerBound) == expected)
    }
  }
}
