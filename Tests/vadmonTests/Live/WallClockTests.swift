import Testing

@testable import vadmon

@Suite struct WallClockTests {
  /// Python: datetime.fromtimestamp(t, timezone.utc).isoformat()
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (951_782_400_001, "2000-02-29T00:00:00.001Z"),
    (1_700_000_000_123, "2023-11-14T22:13:20.123Z"),
    (4_102_444_799_999, "2099-12-31T23:59:59.999Z"),
  ])
  func timesAreRFC3339(milliseconds: Int64, text: String) {
    #expect(WallClock(milliseconds: milliseconds).text == text)
  }
}
