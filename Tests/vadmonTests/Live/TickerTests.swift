import Testing

@testable import vadmon

/// The times at which actions are due.
@Suite struct TickerTests {
  private let start = ContinuousClock.now

  /// A single delay does not shift later times; missed times are skipped.
  @Test func theTickerKeepsItsTimes() {
    var ticker = Ticker(every: .milliseconds(50), from: start)
    var times: [Int] = []
    // Queried every 7 ms, and once 130 ms late.
    for milliseconds in Array(stride(from: 0, to: 300, by: 7)) + [430, 431, 479, 480] {
      let isDue = ticker.takeIfDue(at: start + .milliseconds(milliseconds))
      if isDue { times.append(milliseconds) }
    }
    #expect(times == [0, 56, 105, 154, 203, 252, 430, 480])
  }

  @Test func theTickerReportsWhenToAskAgain() {
    var ticker = Ticker(every: .milliseconds(50), from: start)
    #expect(ticker.next == start)
    let isDue = ticker.takeIfDue(at: start + .milliseconds(10))
    #expect(isDue)
    #expect(ticker.next == start + .milliseconds(50))
    ticker.postpone(to: start + .milliseconds(50))
    #expect(ticker.next == start + .microseconds(62_500))
  }
}
