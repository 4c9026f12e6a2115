/// The length of each recording: NIST's un-partitioned evaluation map, lines of `FILE CHANNEL START END` in seconds
/// (RT-09 evaluation plan, appendix B). Only whole recordings are scored, so START must be 0.
public struct EvaluationMap {
  /// The end of each recording in seconds, by name.
  public private(set) var ends: [String: Double] = [:]

  /// Reads a map. Lines that are wrong are added to `faults`.
  public init(_ bytes: [UInt8], faults: inout LineFaults) {
    let lines = TextLines(bytes).lazy.filter { !$0.isBlank && !$0.hasPrefix(";;") }
    faults.collect(lines) { line throws(LineFault) in try add(line.fields) }
  }

  private mutating func add(_ fields: [ArraySlice<UInt8>]) throws(LineFault) {
    guard fields.count == 4 else {
      throw LineFault(
        "the line has \(counted(fields.count, "field")) instead of 4: write FILE CHANNEL START END")
    }
    guard try seconds(fields[2], "start") == 0 else {
      throw LineFault(
        "the start \(quoted(fields[2])) is not 0: write 0, because whole recordings are scored")
    }
    let name = String(decoding: fields[0], as: UTF8.self)
    let end = try seconds(fields[3], "end")
    guard ends.updateValue(end, forKey: name) == nil else {
      throw LineFault("\(quoted(fields[0])) already has a line above: delete one of them")
    }
  }
}
