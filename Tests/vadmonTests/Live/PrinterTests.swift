import Annotations
import AudioInput
import Foundation
import RealTime
import SystemPackage
import TestSupport
import Testing

@testable import vadmon

/// Printing for threads that must not wait.
@Suite struct PrinterTests {
  private let pipe = Pipe()
  private let failures = Guarded<[OutputError]>([])
  private let patience = Patience(.milliseconds(250))

  private func printer() throws -> Printer {
    // EPIPE is an error of write, as in the program.
    signal(SIGPIPE, SIG_IGN)
    return try Printer(FileDescriptor(rawValue: pipe.fileHandleForWriting.fileDescriptor)) {
      [failures] error in failures.change { $0.append(error) }
    }
  }

  private func output(_ printer: Printer) -> LiveOutput {
    LiveOutput(
      form: .json, style: .plain, screen: nil, printer: printer,
      descriptor: FileDescriptor(rawValue: pipe.fileHandleForWriting.fileDescriptor))
  }

  private func gap(_ milliseconds: Int) -> LiveEvent {
    let time = MediaTime(milliseconds: UInt64(milliseconds))
    return LiveEvent(kind: .gap(time), time: time, decidedAt: time)
  }

  /// Lets the printer's thread wait for a reader of the full pipe, so that it frees no place in the queue.
  private func waitForReader(_ printer: Printer) throws {
    let isWaiting = Guarded(false)
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    #expect(
      printer.put {
        isWaiting.change { $0 = true }
        _ = write(descriptor, "\n", 1)
      })
    try blockUntil("the printer waits") { isWaiting.change { $0 } }
  }

  @Test func everythingIsWrittenInOrder() throws {
    let printer = try printer()
    let output = output(printer)
    for number in 1...100 { output.write(gap(number)) }
    #expect(try output.finish(patience) == 0)
    try pipe.fileHandleForWriting.close()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(
      try text.jsonLines.map { $0["length"] as? Double } == (1...100).map { Double($0) / 1000 })
  }

  /// Lines that do not fit into the queue behind a full pipe are counted: at the end and, as soon as the pipe is read,
  /// in a record. Of levels, only the newest waits.
  @Test func withoutAReaderEventsWaitAndTheRestIsCounted() throws {
    pipe.fill()
    let printer = try printer()
    let output = output(printer)
    try waitForReader(printer)
    let count = 20_000
    for number in 1...count {
      output.write(gap(number))
      if number % 100 == 0 { output.write(level: ["type": "level", "number": .integer(number)]) }
    }
    let unwritten = try output.finish(patience)
    #expect(unwritten > count - Printer.capacity - 4096)

    let reader = JoinableReader(pipe.fileHandleForReading)
    try blockUntil("the last record is read") {
      reader.text.contains("\"number\": \(count)}")
    }
    output.write(gap(count + 1))
    _ = try output.finish(patience)
    try pipe.fileHandleForWriting.close()
    let records = try reader.rest().jsonLines
    let dropped = records.ofType("dropped")
    #expect(dropped.count == 1)
    #expect(dropped.first?["by"] as? String == "output")
    let gaps = records.ofType("gap")
    #expect(gaps.count + (dropped.first?["count"] as? Int ?? 0) == count + 1)
    #expect(gaps.last?["length"] as? Double == Double(count + 1) / 1000)
    #expect(dropped.first?["time"] as? Double == Double(count) / 1000)
    let levels = records.ofType("level")
    #expect(levels.last?["number"] as? Int == count)
  }

  /// Levels that newer ones replaced count as well, unless nothing else is missing.
  @Test func unwrittenRecordsAndLevelsAreCounted() throws {
    pipe.fill()
    let output = output(try printer())
    for number in 1...7 { output.write(level: ["type": "level", "number": .integer(number)]) }
    #expect(try output.finish(Patience(.zero)) == 0)
    for number in 1...10 {
      output.write(gap(number))
      output.write(level: ["type": "level", "number": .integer(7 + number)])
    }
    #expect(try output.finish(Patience(.zero)) == 27)
    // After an error, the printer writes no more to a descriptor that another test may get.
    try pipe.fileHandleForReading.close()
    try blockUntil("the failure is reported") { !failures.change { $0.isEmpty } }
  }

  @Test func aReaderThatIsGoneIsReportedOnce() throws {
    let printer = try printer()
    let output = output(printer)
    try pipe.fileHandleForReading.close()
    for number in 1...10 { output.write(gap(number)) }
    #expect(throws: OutputError.closedPipe) { _ = try output.finish(patience) }
    try blockUntil("the failure is reported") { !failures.change { $0.isEmpty } }
    #expect(failures.change { $0 } == [.closedPipe])
  }
}

extension PrinterTests {
  /// poll(2) reports a file as ready whatever its disk does. The job stands for a write to a disk that hangs, and ends
  /// only when the wait is over or far too long.
  @Test func aFileWhoseDiskHangsIsNotWaitedFor() throws {
    let folder = TemporaryFolder()
    let descriptor = try FileDescriptor.open(
      FilePath(try folder.write("", to: "file")), .writeOnly)
    let printer = try Printer(descriptor)
    let disk = try WakeEvent()
    _ = printer.put { () throws(OutputError) in disk.wait(atMost: 4000) }
    #expect(try printer.finish(Patience(.zero)) == 1)
    disk.signal()
  }
}

/// Reads to the end on a separate thread.
private final class JoinableReader: Sendable {
  private let state = Guarded((text: "", isOver: false))

  init(_ handle: FileHandle) {
    let descriptor = handle.fileDescriptor
    _ = JoinableThread.startDetached { [state] in
      var bytes = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return state.change { $0.isOver = true } }
        state.change { $0.text += String(decoding: bytes[..<count], as: UTF8.self) }
      }
    }
  }

  var text: String { state.change { $0.text } }

  func rest() -> String { state.wait { $0.isOver ? $0.text : nil } }
}
