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
      ("250ms", 250), ("0ms", 0), ("0", 0), ("00", 0), ("0.25s", 250), ("1s", 1000), (".5s", 500),
      ("2m", 120_000), ("1h", 3_600_000), ("1m30s", 90_000), ("1h2m3s4ms", 3_723_004),
      ("1h.5m", 3_630_000), ("0.0001h", 360), ("1.2345h", 4_444_200), ("1s500ms", 1500),
      ("2.s", 2000), ("0.0019s", 1), ("00012ms", 12), ("0.25", 250), ("1.5", 1500), (".5", 500),
      ("3.", 3000),
    ] as [(String, UInt64)])
  func lengthsAreRead(length: (String, UInt64)) {
    #expect(MediaTime(parsingLength: length.0)?.milliseconds == length.1)
  }

  @Test(arguments: [
    "", "s", "ms", ".", ".s", "-1ms", "-0.2", "+1ms", "1.5ms", "1e3ms", "1 ms", " 1ms",
    "1,5s", "1", "250", "007", "1m30", "30s1m", "1s1s", "1m 30s", "1m-30s", "1d", "M", "1M", "1S",
    "m",
    "1000000h",
    "٣ms",
    "1.2.3s", "0x10", "9999999999999999999", "1000000000000s", "nan", "infs",
  ])
  func invalidLengthsAreRefused(text: String) {
    #expect(MediaTime(parsingLength: text) == nil)
  }

  @Test(
    arguments: [
      ("0:00", 0), ("1:30", 90_000), ("90:05.25", 5_405_250), ("1:02:03", 3_723_000),
      ("100:00:00.0019", 360_000_001), ("0:59.999", 59_999),
    ] as [(String, UInt64)])
  func clocksAreRead(clock: (String, UInt64)) {
    #expect(MediaTime(parsingClock: clock.0)?.milliseconds == clock.1)
  }

  @Test func whatAClockShowsIsRead() {
    for milliseconds: UInt64 in [0, 999, 61_042, 3_599_999, 3_600_000, 359_999_999] {
      let time = MediaTime(milliseconds: milliseconds)
      #expect(MediaTime(parsingClock: time.clock) == time)
    }
  }

  @Test(arguments: [
    "", ":", "1:", ":30", "1:60", "1:60:00", "1::2", "1:2:3:4", "-1:30", "1:-30", "1.5:30", "1:30s",
    " 1:30", "1:3 0", "1:nan", "99999999:00", "90",
  ])
  func invalidClocksAreRefused(text: String) {
    #expect(MediaTime(parsingClock: text) == nil)
  }

  /// All lengths of up to four parts in every order are read if the largest unit is first, as their sum.
  @Test func unitsAddUp() {
    let units = [("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)]
    var written: [(text: String, units: [Int], sum: Int)] = [("", [], 0)]
    for count in [7, 0, 59, 12] {
      written += written.flatMap { before in
        units.indices.map { unit in
          (
            before.text + "\(count)\(units[unit].0)", before.units + [unit],
            before.sum + count * units[unit].1
          )
        }
      }
    }
    for length in written.dropFirst() {
      let isInOrder = length.units == Array(Set(length.units)).sorted()
      let read = MediaTime(parsingLength: length.text)?.milliseconds
      #expect(read == (isInOrder ? UInt64(length.sum) : nil), "\(length.text)")
    }
  }
}
