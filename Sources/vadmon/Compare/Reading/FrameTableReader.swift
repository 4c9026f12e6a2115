/// Frames as comma-separated values, `time,probability,speech`: what ``FrameTable`` writes, and what other
/// detectors can be made to write, at any step.
enum FrameTableReader {
  static let header = "time,probability,speech"

  static func recognises(_ line: TextLines.Line) -> Bool {
    line.bytes.filter { $0 != UInt8(ascii: " ") }.elementsEqual(header.utf8)
  }

  /// `lines` begin with the header.
  static func read(_ lines: TextLines, faults: inout LineFaults) -> FrameTrack {
    var frames = FrameTrack()
    for line in lines.dropFirst() where !line.isBlank {
      do throws(LineFault) {
        try read(line.bytes, into: &frames)
      } catch {
        faults.add(error, line: line.number)
      }
    }
    return frames
  }

  private static func read(
    _ line: ArraySlice<UInt8>, into frames: inout FrameTrack
  ) throws(LineFault) {
    var rest = line
    guard let first = field(&rest), let second = field(&rest), !rest.contains(comma) else {
      throw LineFault("\(quoted(line)) has not three fields: the line may be torn")
    }
    let time = try seconds(first, "time")
    guard time >= frames.times.last ?? 0 else {
      throw LineFault("the time \(quoted(first)) lies before the one above it: sort the frames")
    }
    guard let score = decimal(second) else {
      throw LineFault("the probability \(quoted(second)) is no finite number: write one")
    }
    guard let decision = decimal(rest), decision == 0 || decision == 1 else {
      throw LineFault("the speech \(quoted(rest)) is neither 0 nor 1: write the decision")
    }
    frames.times.append(time)
    frames.scores.append(score)
    frames.decisions.append(decision == 1)
  }

  private static let comma = UInt8(ascii: ",")

  /// Takes what stands before the next comma; `nil` if there is none.
  private static func field(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let end = rest.firstIndex(of: comma) else { return nil }
    defer { rest = rest[(end + 1)...] }
    return rest[..<end]
  }
}
