// Pause traces, as `vadmon pause` replays them: any bytes are a trace, or refused line by line.
//
// The records are JSON that reads back as it was written, in the order of time.

import PauseTrace
import VideoPause

@testable import Annotations

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var player = TracePlayer(name: "input")
  var events = Events()
  do throws(TraceError) {
    for line in TextLines(bytes(start, count)) {
      player.read(line.bytes, number: line.number)
      guard try events.take(from: &player) else { return 0 }
    }
    try player.finish()
    _ = try events.take(from: &player)
  } catch {
    require(!error.sentences.isEmpty || events.faultCount > 0, "a bad trace has a message")
  }
  return 0
}

private struct Events {
  private(set) var faultCount = 0
  private let records = TraceRecords(generator: "fuzz")
  private var last: Timestamp?
  private var count = 0
  /// A trace that goes on for days has shown enough.
  private static let enough = 2000

  /// Checks the events so far, and returns whether there can be more.
  mutating func take(from player: inout TracePlayer) throws(TraceError) -> Bool {
    while let event = try player.next() {
      check(event)
      count += 1
      if count > Self.enough { return false }
    }
    return true
  }

  private mutating func check(_ event: TraceEvent) {
    if let value = records.json(event) { check(value) }
    switch event {
    case .state(let state):
      require(last.map { $0 <= state.at } ?? true, "time goes back to \(state.at)")
      last = state.at
    case .fault(let sentence):
      require(!sentence.isEmpty, "a fault has a sentence")
      faultCount += 1
    default: break
    }
  }

  private func check(_ value: JSONValue) {
    do throws(LineFault) {
      let read = try JSONReader.value(of: Array(value.text.utf8)[...])
      require(read == value, "\(value.text) reads as \(read)")
    } catch {
      require(false, "\(value.text): \(error.message)")
    }
  }
}
