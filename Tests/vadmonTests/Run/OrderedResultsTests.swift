import Testing
import VoiceActivity

@testable import vadmon

@Suite struct OrderedResultsTests {
  private func record(_ input: Int, _ number: Int) -> Record {
    .error(ErrorRecord(file: "\(input)", message: "", exitCode: Int32(number)))
  }

  /// Everything that the collector gets, in its order.
  private func collect(_ results: OrderedResults) -> [Record] {
    var records: [Record] = []
    while let batch = results.collect() { records += batch.records }
    return records
  }

  /// Threads that finish in any order, through a window of one record.
  @Test(arguments: [(1, 1, 1), (4, 1, 1), (4, 8, 1), (7, 3, 2), (3, 100, 4096)])
  func recordsComeInTheOrderOfInputs(row: (workers: Int, readAhead: Int, limit: Int)) {
    let count = 60
    let results = OrderedResults(
      count: count, readAhead: row.readAhead, recordLimit: row.limit)
    for _ in 0..<row.workers {
      Thread.start {
        while let input = results.take() {
          for number in 0..<(input * 7 % 11) { results.add(record(input, number), of: input) }
          results.finish(input)
        }
      }
    }
    let expected = (0..<count).flatMap { input in
      (0..<(input * 7 % 11)).map { record(input, $0) }
    }
    #expect(collect(results) == expected)
  }

  @Test func workersAreNotFurtherAheadThanAllowed() {
    let results = OrderedResults(count: 10, readAhead: 2)
    #expect(results.take() == 0)
    #expect(results.take() == 1)
    let third = Guarded<Int?>(nil)
    Thread.start {
      let input = results.take()
      third.change { $0 = input }
    }
    #expect(third.change { $0 } == nil)
    results.finish(0)
    #expect(results.collect()?.isLast == true)
    #expect(third.wait { $0 } == 2)
  }

  @Test func theHeadIsCollectedWhileItIsWorkedOn() {
    let results = OrderedResults(count: 2, readAhead: 2)
    _ = results.take()
    results.add(record(0, 1), of: 0)
    let batch = results.collect()
    #expect(batch?.records == [record(0, 1)])
    #expect(batch?.isLast == false)
  }

  @Test func closingLeavesOutWhatWasNotBegun() {
    let results = OrderedResults(count: 5, readAhead: 5)
    for _ in 0..<2 {
      let input = results.take()!
      results.add(record(input, 0), of: input)
    }
    results.close()
    #expect(results.take() == nil)
    for input in [1, 0] { results.finish(input) }
    #expect(collect(results) == [record(0, 0), record(1, 0)])
    #expect(results.takenCount == 2)
  }

  @Test func nothingToDoIsOverAtOnce() {
    let results = OrderedResults(count: 0, readAhead: 1)
    #expect(results.take() == nil)
    #expect(results.collect() == nil)
  }
}
