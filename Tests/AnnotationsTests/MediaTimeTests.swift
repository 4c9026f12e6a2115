import Foundation
import TestSupport
import Testing

@testable import Annotations

@Suite struct MediaTimeTests {
  @Test(arguments: [8000, 11_025, 16_000, 22_050, 44_100, 48_000, 192_000])
  func aSamplePositionBecomesTheNearestMillisecond(rate: Int) {
    var random = SeededGenerator(seed: UInt64(rate))
    for _ in 0..<1000 {
      let samples = UInt64.random(in: 0...(UInt64(rate) * 400_000), using: &random)
      let exact = Double(samples) * 1000 / Double(rate)
      let got = Double(MediaTime(samples: samples, rate: rate).milliseconds)
      #expect(abs(got - exact) <= 0.5)
    }
  }

  @Test func positionsBeyond32BitsKeepTheirMilliseconds() {
    let samples: UInt64 = 48_000 * 3600 * 24 * 365 * 100 + 24
    #expect(MediaTime(samples: samples, rate: 48_000).milliseconds == 3_153_600_000_001)
  }

  @Test(arguments: [8000, 16_000, 44_100, 48_000])
  func millisecondsSurviveTheWayThroughSamples(rate: Int) {
    for milliseconds in [0, 1, 9, 10, 999, 1000, 3_600_000, 360_000_001] as [UInt64] {
      let time = MediaTime(milliseconds: milliseconds)
      #expect(MediaTime(samples: time.samples(rate: rate), rate: rate) == time)
    }
  }

  @Test(
    arguments: [
      (0, "0.000", "0:00.000", "00:00:00,000"),
      (7, "0.007", "0:00.007", "00:00:00,007"),
      (59_999, "59.999", "0:59.999", "00:00:59,999"),
      (60_000, "60.000", "1:00.000", "00:01:00,000"),
      (3_599_999, "3599.999", "59:59.999", "00:59:59,999"),
      (3_600_000, "3600.000", "1:00:00.000", "01:00:00,000"),
      (359_999_999, "359999.999", "99:59:59.999", "99:59:59,999"),
      (360_000_000, "360000.000", "100:00:00.000", "100:00:00,000"),
    ] as [(UInt64, String, String, String)])
  func timesAreWritten(time: (UInt64, String, String, String)) {
    let stamp = MediaTime(milliseconds: time.0)
    #expect(stamp.seconds == time.1)
    #expect(stamp.clock == time.2)
    #expect(stamp.timecode(decimalMark: ",") == time.3)
  }

  @Test(
    arguments: [
      ("250ms", 250), ("0ms", 0), ("250", 250), ("0.25s", 250), ("1s", 1000), (".5s", 500),
      ("2.s", 2000), ("0.0019s", 1), ("00012ms", 12), ("0.25", 250), ("1.5", 1500), (".5", 500),
      ("3.", 3000),
    ] as [(String, UInt64)])
  func lengthsAreRead(length: (String, UInt64)) {
    #expect(MediaTime(parsingLength: length.0)?.milliseconds == length.1)
  }

  @Test(arguments: [
    "", "s", "ms", ".", ".s", "-1ms", "-0.2", "+1ms", "1.5ms", "1e3ms", "1 ms", " 1ms", "1m",
    "1,5s",
    "٣ms",
    "1.2.3s", "0x10", "9999999999999999999", "1000000000000s", "nan", "infs",
  ])
  func invalidLengthsAreRefused(text: String) {
    #expect(MediaTime(parsingLength: text) == nil)
  }
}
