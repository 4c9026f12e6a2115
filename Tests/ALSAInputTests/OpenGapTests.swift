import Testing

@testable import ALSAInput

@Suite struct OpenGapTests {
  @Test func frontOfAGapIsReadFirst() {
    var gap = OpenGap.none
    gap.approach(by: 5)
    #expect(gap == .none)
    gap.open(behind: 30)
    gap.approach(by: 10)
    #expect(gap == .behind(frames: 20))
    gap.approach(by: 20)
    #expect(gap == .here)
    gap.approach(by: 1)
    #expect(gap == .here)
  }

  @Test func aGapMovesOnlyNearer() {
    var gap = OpenGap.behind(frames: 20)
    gap.open(behind: 30)
    #expect(gap == .behind(frames: 20))
    gap.open(behind: 7)
    #expect(gap == .behind(frames: 7))
    gap.open(behind: 0)
    #expect(gap == .here)
    gap.open(behind: 9)
    #expect(gap == .here)
  }

  @Test func withNothingUnreadTheGapIsHere() {
    var gap = OpenGap.none
    gap.open(behind: 0)
    #expect(gap == .here)
  }
}
