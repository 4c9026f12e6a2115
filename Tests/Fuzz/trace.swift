// Pause traces, as `vadmon pause` replays them: any bytes are a trace, or refused line by line.
//
// What is told is JSON that reads back as it was written, in the order of time, and each decision keeps to its budget.

import SystemPackage
import VideoPause

@testable import Annotations
@testable import vadmon

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var player = TracePlayer(name: "input", listener: Listener())
  do throws(RunError) {
    for line in TextLines(bytes(start, count)) { try player.take(line) }
    try player.finish()
  } catch {
    require(
      error.exitCode == ExitStatus.badData || error.exitCode == Listener.enough,
      "a bad trace ends with 65: \(error)")
    require(
      !error.messages.isEmpty || player.listener.faultCount > 0, "a bad trace has a message")
  }
  return 0
}

private struct Listener: TraceListener {
  /// Not an exit code: the target has seen enough of a trace that goes on for days.
  static let enough: Int32 = -1
  private var last: Timestamp?
  private var count = 0
  private(set) var faultCount = 0

  mutating func begin(_ configuration: VideoPauseConfiguration) throws(RunError) {
    check(TraceRecords.config(configuration))
  }

  mutating func take(_ event: TraceEvent) throws(RunError) {
    if let value = TraceRecords.json(event) { check(value) }
    if case .state(let state) = event {
      require(last.map { $0 <= state.at } ?? true, "time goes back to \(state.at)")
      last = state.at
    }
    count += 1
    if count > 2000 { throw RunError("enough", exitCode: Self.enough) }
  }

  mutating func take(fault sentence: String) {
    require(!sentence.isEmpty, "a fault has a sentence")
    faultCount += 1
  }

  private func check(_ value: JSONValue) {
    var text = ""
    value.write(into: &text)
    do throws(LineFault) {
      let read = try JSONReader.value(of: Array(text.utf8)[...])
      require(read == value, "\(text) reads as \(read)")
    } catch {
      require(false, "\(text): \(error.message)")
    }
  }
}
