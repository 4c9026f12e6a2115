import Annotations
import SystemPackage
import TestSupport
import Testing

@testable import vadmon

@Suite struct FrameTableTests {
  @Test func rowsAreWrittenToTheLetter() throws {
    let folder = TemporaryFolder()
    let table = try FrameTableFile(OutputFile(path: FilePath(folder / "a.csv")), hasLive: true)
    let probabilities: [Float] = [0, 1, 0.5, 0.000_000_4, 0.000_000_6, 0.123_456_7, .nan, -1, 2]
    for (index, probability) in probabilities.enumerated() {
      table.append(probability: probability, isLive: index.isMultiple(of: 2))
    }
    table.add(segmentFrom: MediaTime(milliseconds: 10), to: MediaTime(milliseconds: 30))
    try table.finish()
    #expect(
      try folder.text(of: "a.csv") == """
        time,probability,speech,live
        0.000,0.000000,0,1
        0.010,1.000000,1,0
        0.020,0.500000,1,1
        0.030,0.000000,0,0
        0.040,0.000001,0,1
        0.050,0.123457,0,0
        0.060,0.000000,0,1
        0.070,0.000000,0,0
        0.080,1.000000,0,1

        """)
  }

  /// The table exceeds the block that is written at once, and passes 100 s, 1000 s and 10,000 s.
  @Test func longTablesAreWhole() throws {
    let folder = TemporaryFolder()
    let table = try FrameTableFile(OutputFile(path: FilePath(folder / "a.csv")))
    let count = 1_000_101
    for _ in 0..<count { table.append(probability: 0.25, isLive: false) }
    try table.finish()
    let lines = try folder.text(of: "a.csv").split(separator: "\n")
    #expect(lines.count == count + 1)
    #expect(lines[10_001] == "100.000,0.250000,0")
    #expect(lines.last == "10001.000,0.250000,0")
  }

  /// Segments and boundaries are random. The oracle checks every row against every segment.
  @Test func rowsSayWhetherTheirMiddleLiesInASegment() throws {
    for seed: UInt64 in 1...40 {
      var random = SeededGenerator(seed: seed)
      let folder = TemporaryFolder()
      let file = try OutputFile(path: FilePath(folder / "a.csv"))
      let table = FrameTableFile(file)
      var (segments, rows, time): ([Range<UInt64>], UInt64, UInt64) = ([], 0, 0)
      while rows < 400 {
        let start = time + UInt64.random(in: 0...120, using: &random)
        let end = start + UInt64.random(in: 0...300, using: &random)
        // A segment becomes known while some of its rows are still to come, or long afterwards.
        let hops = UInt64.random(in: 0...60, using: &random)
        for _ in 0..<hops { table.append(probability: 0.5, isLive: false) }
        rows += hops
        if Bool.random(using: &random) {
          table.add(segmentFrom: MediaTime(milliseconds: start), to: MediaTime(milliseconds: end))
          segments.append(start..<end)
        } else {
          table.know(until: MediaTime(milliseconds: end))
        }
        time = end
      }
      try table.finish()
      let lines = try folder.text(of: "a.csv").split(separator: "\n")
      #expect(lines[0] == "time,probability,speech" && lines.count == Int(rows) + 1)
      for row in 0..<rows {
        let isInside = segments.contains { $0.contains(row * 10 + 5) }
        #expect(lines[Int(row) + 1].hasSuffix(isInside ? ",1" : ",0"), "seed \(seed), \(row)")
      }
    }
  }

  @Test func nothingIsLeftOfATableThatWasNotFinished() throws {
    let folder = TemporaryFolder()
    var table: FrameTableFile? = try FrameTableFile(OutputFile(path: FilePath(folder / "a.csv")))
    table?.append(probability: 0.5, isLive: true)
    table = nil
    #expect(try folder.names.isEmpty)
  }
}
