import Testing

@testable import vadmon

@Suite struct ProgressLineTests {
  @Test(arguments: [
    (0.0, "░░░░░░░░░░░░░░░░░░░░░░░░   0 %"), (0.5, "████████████░░░░░░░░░░░░  50 %"),
    (1.0, "████████████████████████ 100 %"),
  ])
  func theBarIsAsLongAsTheWork(row: (fraction: Double, beginning: String)) {
    let line = ProgressBar.line(
      fraction: row.fraction, finished: 0, count: 1, speed: 1234.5, analysed: 3661)
    #expect(line == row.beginning + "  1:01:01 analysed, 1234× real time")
  }

  @Test func finishedInputsAreCounted() {
    let line = ProgressBar.line(fraction: 0.3, finished: 2, count: 7, speed: 1, analysed: 5.9)
    #expect(line.hasSuffix("  30 %  2 of 7  0:05 analysed, 1× real time"))
  }
}
