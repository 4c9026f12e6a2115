import Annotations
import Charts
import Testing

/// Speech as a line of characters.
@Suite struct ActivityStripTests {
  private func strip(_ spans: [(UInt64, UInt64)], length: UInt64) -> String {
    var strip = ActivityStrip()
    for span in spans {
      strip.add(
        from: MediaTime(milliseconds: span.0), to: MediaTime(milliseconds: span.1))
    }
    return strip.text(duration: MediaTime(milliseconds: length))
  }

  @Test func speechIsWhereItIs() {
    let half = String(repeating: "█", count: 30) + String(repeating: "▁", count: 30)
    #expect(strip([(0, 300)], length: 600) == half)
    #expect(strip([(10, 20)], length: 40) == "▁█▁▁")
    #expect(strip([(0, 5)], length: 20) == "▅▁")
    #expect(strip([], length: 30) == "▁▁▁")
  }

  @Test func anEmptyRecordingHasAStrip() { #expect(strip([], length: 0) == "▁") }

  /// The length does not matter: speech in the second half of a hundred hours.
  @Test func longRecordingsAreDrawnInFixedMemory() {
    let hour: UInt64 = 3_600_000
    let spans = (50..<100).map { (UInt64($0) * hour, UInt64($0 + 1) * hour) }
    let text = strip(spans, length: 100 * hour)
    #expect(text.count == 60)
    #expect(text.prefix(29).allSatisfy { $0 == "▁" })
    #expect(text.suffix(29).allSatisfy { $0 == "█" })
  }
}
