import Testing

@testable import vadmon

@Suite struct ProgressLineTests {
  @Test(arguments: [
    (0.0, "░░░░░░░░░░░░░░░░   0 %"), (0.5, "████████░░░░░░░░  50 %  0:03 left"),
    (1.0, "████████████████ 100 %  0:00 left"),
  ])
  func theBarIsAsLongAsTheWork(row: (fraction: Double, beginning: String)) {
    let line = ProgressBar.line(
      fraction: row.fraction, finished: 0, count: 1, elapsed: 3, analysed: 3661)
    #expect(line == row.beginning + "  1:01:01 analysed, 1220× real time")
  }

  @Test func aTerminalWithoutUnicodeHasABarToo() {
    let line = ProgressBar.line(fraction: 0.5, finished: 0, count: 1, elapsed: 3, analysed: 3661)
    #expect(
      ASCII.text(line) == "########........  50 %  0:03 left  1:01:01 analysed, 1220x real time")
  }

  @Test func finishedInputsAreCounted() {
    let line = ProgressBar.line(fraction: 0.3, finished: 2, count: 7, elapsed: 0.5, analysed: 5.9)
    #expect(line.hasSuffix("  30 %  2 of 7  0:05 analysed, 11× real time"))
  }

  /// A quarter of the work took 40 minutes and a bit.
  @Test func theTimeLeftFollowsFromTheWorkDone() {
    let line = ProgressBar.line(fraction: 0.25, finished: 0, count: 1, elapsed: 2400.1, analysed: 0)
    #expect(line.contains("  25 %  2:00:01 left  "))
  }
}
