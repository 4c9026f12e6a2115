/// A CSV file with what a live host would have had for every hop: `time,probability,speech` and, on request, `segment`.
///
/// There is one row for each whole hop; `time` is the start of the hop in seconds. `speech`, 1 or 0, is the raw
/// decision of the hop, unaffected by debounce, hangover and shaping. `segment` is 1 if the middle of the hop lies in a
/// segment, after shaping. With this column, rows wait until their segment is known, which takes 8 bytes for each hop
/// of the segment that is still open.
///
/// Rows are collected and written in blocks, to avoid a system call for each hop.
final class FrameTable {
  private struct Hop {
    /// The probability in millionths.
    var score: UInt32
    var isSpeech: Bool
  }

  private let file: OutputFile
  private let hasSegments: Bool
  private var text: [UInt8]
  /// The number of hops written.
  private var hops: UInt64 = 0
  private var waiting: [Hop] = []
  /// The segments, in order, that waiting rows may lie in.
  private var segments: [(start: Timestamp, end: Timestamp)] = []
  /// The time before which the start of every segment is known.
  private var known = Timestamp.zero
  /// The first failure, after which nothing more is written.
  private var failure: OutputError?

  private static let blockSize = 1 << 16

  init(_ file: OutputFile, hasSegments: Bool = false) {
    self.file = file
    self.hasSegments = hasSegments
    text = Array("time,probability,speech\(hasSegments ? ",segment" : "")\n".utf8)
    text.reserveCapacity(Self.blockSize + 64)
  }

  func append(probability: Float, isSpeech: Bool) {
    let limited = probability.isNaN ? 0 : min(max(probability, 0), 1)
    waiting.append(Hop(score: UInt32((limited * 1_000_000).rounded()), isSpeech: isSpeech))
    if !hasSegments { write(waiting: 1) }
  }

  /// Adds a segment. Segments must arrive in order.
  func add(segmentFrom start: Timestamp, to end: Timestamp) {
    guard hasSegments else { return }
    segments.append((start, end))
    know(until: end)
  }

  /// Declares that no further segment begins before `time`.
  func know(until time: Timestamp) {
    guard hasSegments else { return }
    known = max(known, time)
    let first = Self.middle(hops)
    guard known.milliseconds > first else { return }
    write(waiting: min(waiting.count, Int(clamping: (known.milliseconds - first + 9) / 10)))
  }

  /// Writes the remaining rows and gives the file its name.
  func finish() throws(OutputError) {
    write(waiting: waiting.count)
    drain()
    if let failure { throw failure }
    try file.commit()
  }

  /// Returns the middle of a hop, in ms.
  private static func middle(_ hop: UInt64) -> UInt64 { hop * 10 + 5 }

  /// Writes the first `count` waiting rows.
  private func write(waiting count: Int) {
    for hop in waiting.prefix(count) { write(hop) }
    waiting.removeFirst(count)
  }

  private func write(_ hop: Hop) {
    appendDecimal(hops * 10, places: 3)
    text.append(UInt8(ascii: ","))
    appendDecimal(UInt64(hop.score), places: 6)
    append(flag: hop.isSpeech)
    if hasSegments { append(flag: isInSegment(Self.middle(hops))) }
    text.append(UInt8(ascii: "\n"))
    hops += 1
    if text.count >= Self.blockSize { drain() }
  }

  private func append(flag: Bool) {
    text.append(UInt8(ascii: ","))
    text.append(UInt8(ascii: flag ? "1" : "0"))
  }

  /// Returns whether a time lies in a segment. Rows arrive in order, so earlier segments are dropped.
  private func isInSegment(_ middle: UInt64) -> Bool {
    while let segment = segments.first, segment.end.milliseconds <= middle {
      segments.removeFirst()
    }
    return segments.first.map { $0.start.milliseconds <= middle } ?? false
  }

  private func drain() {
    do throws(OutputError) {
      if failure == nil { try file.write(text) }
    } catch {
      failure = error
    }
    text.removeAll(keepingCapacity: true)
  }

  /// Appends `number` / 10^`places`, without floating-point arithmetic.
  private func appendDecimal(_ number: UInt64, places: Int) {
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
