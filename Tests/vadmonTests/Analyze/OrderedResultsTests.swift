import Annotations
import RealTime
import SystemPackage
import Testing

@testable import vadmon

@Suite struct OrderedResultsTests {
  private func record(_ input: Int, _ number: Int) -> Record {
    .error(ErrorRecord(file: "\(input)", message: "", exitCode: Int32(number)))
  }

  /// Returns results over the files "0", "1" … as inputs.
  private func results(
    count: Int, readAhead: Int, recordLimit: Int = 4096
  ) -> OrderedResults {
    let source = InputSource((0..<count).map { .file(FilePath("\($0)")) }, then: nil)
    return OrderedResults(readAhead: readAhead, recordLimit: recordLimit, nextInput: source.next)
  }

  /// Returns everything that the collector receives, in order.
  private func collect(_ results: OrderedResults) -> [Record] {
    var records: [Record] = []
    while let batch = results.collect() { records += batch.records }
    return records
  }

  /// Threads finish in any order, through a window of one record.
  @Test(arguments: [(1, 1, 1), (4, 1, 1), (4, 8, 1), (7, 3, 2), (3, 100, 4096)])
  func recordsComeInTheOrderOfInputs(row: (workers: Int, readAhead: Int, limit: Int)) {
    let count = 60
    let results = results(count: count, readAhead: row.readAhead, recordLimit: row.limit)
    for _ in 0..<row.workers {
      JoinableThread.startDetached {
        while let input = results.take()?.index {
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
    let results = results(count: 10, readAhead: 2)
    #expect(results.take()?.index == 0)
    #expect(results.take()?.index == 1)
    let third = Guarded<Int?>(nil)
    JoinableThread.startDetached {
      let input = results.take()?.index
      third.change { $0 = input }
    }
    #expect(third.change { $0 } == nil)
    results.finish(0)
    let batch = results.collect()
    #expect(batch?.isLast == true)
    #expect(batch?.input == .file("0"))
    #expect(third.wait { $0 } == 2)
  }

  @Test func theHeadIsCollectedWhileItIsWorkedOn() {
    let results = results(count: 2, readAhead: 2)
    _ = results.take()
    results.add(record(0, 1), of: 0)
    let batch = results.collect()
    #expect(batch?.records == [record(0, 1)])
    #expect(batch?.isLast == false)
  }

  @Test func closingLeavesOutWhatWasNotBegun() {
    let results = results(count: 5, readAhead: 5)
    for _ in 0..<2 {
      let input = results.take()!.index
      results.add(record(input, 0), of: input)
    }
    results.close()
    #expect(results.take() == nil)
    for input in [1, 0] { results.finish(input) }
    #expect(collect(results) == [record(0, 0), record(1, 0)])
    #expect(results.begunCount == 2)
  }

  /// Waiting for a name delays neither earlier results nor the end.
  @Test func theCollectorDoesNotWaitForTheNextInput() {
    let inputs = Guarded<[Input]>([.file("0")])
    let results = OrderedResults(readAhead: 8) {
      inputs.wait { $0.isEmpty ? nil : $0.removeFirst() }
    }
    for _ in 0..<2 {
      JoinableThread.startDetached {
        while let next = results.take() {
          results.add(record(next.index, 0), of: next.index)
          results.finish(next.index)
        }
      }
    }
    for index in 0..<3 {
      var found: [Record] = []
      while let batch = results.collect() {
        found += batch.records
        if batch.isLast { break }
      }
      #expect(found == [record(index, 0)])
      if index < 2 { inputs.change { $0.append(.file("next")) } }
    }
    results.close()
    #expect(results.collect() == nil)
    inputs.change { $0.append(.file("too late")) }
    #expect(results.begunCount == 3)
  }

  @Test func nothingToDoIsOverAtOnce() {
    let results = results(count: 0, readAhead: 1)
    #expect(results.take() == nil)
    #expect(results.collect() == nil)
  }
}
