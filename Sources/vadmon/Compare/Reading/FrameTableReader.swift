/// A reader of frames as comma-separated values, `time,probability,speech` and optionally `segment`: the format that
/// ``FrameTable`` writes, and that other detectors can write too, at any step.
///
/// If there is a `segment` column, it is the decision that counts, so that frames agree with the segments.
enum FrameTableReader {
  static let header = "time,probability,speech"

  static func recognises(_ line: TextLines.Line) -> Bool { columnCount(line) != nil }

  /// Returns the number of columns, or `nil` if the line is not a header of frames.
  private static func columnCount(_ line: TextLines.Line) -> Int? {
    let names = line.bytes.filter { $0 != UInt8(ascii: " ") }
    if names.elementsEqual(header.utf8) { return 3 }
    return names.elementsEqual("\(header),segment".utf8) ? 4 : nil
  }

  /// Reads `lines`, which must begin with the header.
  static func read(_ lines: TextLines, faults: inout LineFaults) -> FrameTrack {
    var (frames, lines) = (FrameTrack(), lines)
    let count = lines.next().flatMap(columnCount) ?? 3
    for line in lines where !line.isBlank {
      do throws(LineFault) {
        try read(line.bytes, columnCount: count, into: &frames)
      } catch {
        faults.add(error, line: line.number)
      }
    }
    return frames
  }

  private static func read(
    _ line: ArraySlice<UInt8>, columnCount: Int, into frames: inout FrameTrack
  ) throws(LineFault) {
    let fields = line.split(separator: comma, omittingEmptySubsequences: false)
    guard fields.count == columnCount else {
      throw LineFault(
        "\(quoted(line)) has \(counted(fields)) instead of \(columnCount): complete or delete the line"
      )
    }
    let (first, second) = (fields[0], fields[1])
    let time = try seconds(first, "time")
    guard time >= frames.times.last ?? 0 else {
      throw LineFault(
        "the time \(quoted(first)) is earlier than the one above it: sort the lines by time")
    }
    guard let score = decimal(second) else {
      throw LineFault(
        "the probability \(quoted(second)) is not a finite number: write one, like 0.25")
    }
    for (name, field) in zip(["speech", "segment"], fields[2...]) where !isFlag(field) {
      throw LineFault(
        "the \(name) \(quoted(field)) is neither 0 nor 1: write 1 for speech and 0 for none")
    }
    frames.times.append(time)
    frames.scores.append(score)
    frames.decisions.append(decimal(fields[columnCount - 1]) == 1)
  }

  private static let comma = UInt8(ascii: ",")

  private static func isFlag(_ field: ArraySlice<UInt8>) -> Bool {
    decimal(field).map { $0 == 0 || $0 == 1 } ?? false
  }
}
