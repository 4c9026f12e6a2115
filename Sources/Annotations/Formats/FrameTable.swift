/// A reader of frames as comma-separated values, `time,probability,speech` and optionally a second decision: the format
/// that ``FrameTableWriter`` writes, and that other detectors can write too, at any step.
///
/// If there is a column `live`, or `segment` in a table of an earlier build, it is the decision that counts.
enum FrameTableReader {
  static let header = "time,probability,speech"

  static func recognises(_ line: TextLines.Line) -> Bool { columnCount(line) != nil }

  /// Returns the number of columns, or `nil` if the line is not a header of frames.
  private static func columnCount(_ line: TextLines.Line) -> Int? {
    let names = line.bytes.filter { $0 != UInt8(ascii: " ") }
    if names.elementsEqual(header.utf8) { return 3 }
    return ["live", "segment"].contains { names.elementsEqual("\(header),\($0)".utf8) } ? 4 : nil
  }

  /// Reads `lines`, which must begin with the header.
  static func read(_ lines: TextLines, faults: inout LineFaults) -> FrameTrack {
    var (frames, lines) = (FrameTrack(), lines)
    let count = lines.next().flatMap(columnCount) ?? 3
    faults.collect(lines.lazy.filter { !$0.isBlank }) { line throws(LineFault) in
      try read(line.bytes, columnCount: count, into: &frames)
    }
    return frames
  }

  private static func read(
    _ line: ArraySlice<UInt8>, columnCount: Int, into frames: inout FrameTrack
  ) throws(LineFault) {
    let fields = line.split(separator: comma, omittingEmptySubsequences: false)
    guard fields.count == columnCount else {
      throw LineFault(
        "\(quoted(line)) has \(counted(fields.count, "field")) instead of \(columnCount): complete or delete the line"
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
    for (name, field) in zip(["speech", "second decision"], fields[2...]) where !isFlag(field) {
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

/// A writer of the frames of one recording as comma-separated values: `time,probability,speech` and, on request,
/// `live`.
///
/// There is one row for each whole hop; `time` is the start of the hop in seconds. `speech` is 1 if the
/// middle of the hop lies in a segment, after shaping. Rows wait until their segment is known, which takes 8 bytes for
/// each hop of a segment that is still open. `live` is 1 while a live host reports speech: from the decision on an
/// onset to the end of the hangover.
public struct FrameTableWriter: Sendable {
  private struct Hop {
    /// The probability in millionths.
    var score: UInt32
    var isLive: Bool
  }

  /// The extension of frame tables.
  public static let fileExtension = AnnotationFormat.csv.fileExtension

  /// The length of a hop, in ms.
  static let hop: UInt64 = 10

  private let hasLive: Bool
  /// The time of the first hop. All other times count from it.
  private let start: MediaTime
  /// The text that ``takeText()`` has not returned yet.
  public private(set) var text: [UInt8]
  /// The number of hops written.
  private var hops: UInt64 = 0
  private var waiting: [Hop] = []
  /// The segments, in order, that waiting rows may lie in.
  private var segments: [(start: MediaTime, end: MediaTime)] = []
  /// The time before which the start of every segment is known.
  private var known = MediaTime.zero

  /// Creates a table that begins with its header.
  public init(hasLive: Bool = false, start: MediaTime = .zero) {
    (self.hasLive, self.start) = (hasLive, start)
    text = Array("\(FrameTableReader.header)\(hasLive ? ",live" : "")\n".utf8)
  }

  /// Returns the text written since the last call.
  public mutating func takeText() -> [UInt8] {
    defer { text.removeAll(keepingCapacity: true) }
    return text
  }

  /// Adds the next hop. A probability that is NaN counts as 0, and others are limited to 0 … 1.
  public mutating func append(probability: Float, isLive: Bool) {
    let limited = probability.isNaN ? 0 : min(max(probability, 0), 1)
    waiting.append(Hop(score: UInt32((limited * 1_000_000).rounded()), isLive: isLive))
  }

  /// Adds a segment. Segments must arrive in order.
  public mutating func add(segmentFrom start: MediaTime, to end: MediaTime) {
    segments.append((start, end))
    know(until: end)
  }

  /// Declares that no further segment begins before `time`.
  public mutating func know(until time: MediaTime) {
    known = max(known, time)
    let first = Self.middle(hops)
    guard known.milliseconds > first else { return }
    write(
      waiting: min(
        waiting.count, Int(clamping: (known.milliseconds - first + Self.hop - 1) / Self.hop)))
  }

  /// Writes the remaining rows.
  public mutating func finish() { write(waiting: waiting.count) }

  /// Returns the middle of a hop, in ms.
  private static func middle(_ hop: UInt64) -> UInt64 { hop * Self.hop + Self.hop / 2 }

  /// Writes the first `count` waiting rows.
  private mutating func write(waiting count: Int) {
    for hop in waiting.prefix(count) { write(hop) }
    waiting.removeFirst(count)
  }

  private mutating func write(_ hop: Hop) {
    appendDecimal(start.milliseconds + hops * Self.hop, places: 3)
    text.append(UInt8(ascii: ","))
    appendDecimal(UInt64(hop.score), places: 6)
    append(flag: isInSegment(Self.middle(hops)))
    if hasLive { append(flag: hop.isLive) }
    text.append(UInt8(ascii: "\n"))
    hops += 1
  }

  private mutating func append(flag: Bool) {
    text.append(UInt8(ascii: ","))
    text.append(UInt8(ascii: flag ? "1" : "0"))
  }

  /// Returns whether a time lies in a segment. Rows arrive in order, so earlier segments are dropped.
  private mutating func isInSegment(_ middle: UInt64) -> Bool {
    while let segment = segments.first, segment.end.milliseconds <= middle {
      segments.removeFirst()
    }
    return segments.first.map { $0.start.milliseconds <= middle } ?? false
  }

  /// Appends `number` / 10^`places`, without floating-point arithmetic.
  private mutating func appendDecimal(_ number: UInt64, places: Int) {
    var rest = number
    var digits: InlineArray<24, UInt8> = .init(repeating: UInt8(ascii: "0"))
    var count = 0
    while rest > 0 || count <= places {
      digits[count] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
      count += 1
    }
    for index in stride(from: count - 1, through: 0, by: -1) {
      text.append(digits[index])
      if index == places { text.append(UInt8(ascii: ".")) }
    }
  }
}
