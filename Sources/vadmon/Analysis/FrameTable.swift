/// What a live host had for every hop, as a CSV file: `time,probability,speech`, and `segment` if asked for.
///
/// One row for each whole hop; `time` is the start of the hop in seconds. `speech`, 1 or 0, is the raw decision of the
/// hop: neither debounce nor hangover nor shaping shift anything there. `segment` is 1 where the middle of the hop lies in
/// a segment, shaping included. Such rows wait until it is known which segment they belong to: 8 bytes for each hop of the
/// segment that is still open.
///
/// Rows are collected and written in blocks, so that a hop costs no system call.
final class FrameTable {
  private struct Hop {
    /// The probability in millionths.
    var score: UInt32
    var isSpeech: Bool
  }

  private let file: OutputFile
  private let hasSegments: Bool
  private var text: [UInt8]
  /// Hops written.
  private var hops: UInt64 = 0
  private var waiting: [Hop] = []
  /// Segments that waiting rows may lie in, in order.
  private var segments: [(start: Timestamp, end: Timestamp)] = []
  /// Every segment that begins before this is among them.
  private var known = Timestamp.zero
  /// The first failure; what comes after it is not written.
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

  /// Takes a segment; they come in order.
  func add(segmentFrom start: Timestamp, to end: Timestamp) {
    guard hasSegments else { return }
    segments.append((start, end))
    know(until: end)
  }

  /// Says that no further segment begins before `time`.
  func know(until time: Timestamp) {
    guard hasSegments else { return }
    known = max(known, time)
    let first = Self.middle(hops)
    guard known.milliseconds > first else { return }
    write(waiting: min(waiting.count, Int(clamping: (known.milliseconds - first + 9) / 10)))
  }

  /// Writes the rest and puts the file in its place.
  func finish() throws(OutputError) {
    write(waiting: waiting.count)
    drain()
    if let failure { throw failure }
    try file.commit()
  }

  /// In milliseconds.
  private static func middle(_ hop: UInt64) -> UInt64 { hop * 10 + 5 }

  /// Writes the first so many rows that wait.
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

  /// Rows come in order, so that segments before them are forgotten.
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

  /// `number` / 10^`places`, without floating point.
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
