import Testing

@testable import vadmon

/// How often things are done.
@Suite struct TickerTests {
  private let start = ContinuousClock.now

  @Test func neverSoonerThanAnIntervalAfterTheLastTime() {
    var ticker = Ticker(every: .milliseconds(50), from: start)
    var times: [Int] = []
    // Asked every 7 ms, and once 130 ms late.
    for milliseconds in Array(stride(from: 0, to: 300, by: 7)) + [430, 431, 479, 480] {
      if ticker.isDue(at: start + .milliseconds(milliseconds)) { times.append(milliseconds) }
    }
    #expect(times == [0, 56, 112, 168, 224, 280, 430, 480])
  }

  @Test func itTellsWhenToAskAgain() {
    var ticker = Ticker(every: .milliseconds(50), from: start)
    #expect(ticker.next == start)
    let isDue = ticker.isDue(at: start + .milliseconds(10))
    #expect(isDue)
    #expect(ticker.next == start + .milliseconds(60))
  }
}
