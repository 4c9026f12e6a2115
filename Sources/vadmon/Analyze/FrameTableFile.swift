import Annotations

/// A file with the probability and the decision of every hop. ``FrameTableWriter`` describes its rows.
///
/// Rows are collected and written in blocks, to avoid a system call for each hop.
final class FrameTableFile {
  private let file: OutputFile
  private var rows: FrameTableWriter
  /// The first failure, after which nothing more is written.
  private var failure: OutputError?

  private static let blockSize = 1 << 16

  /// - Parameter start: The time of the first hop. All other times count from it.
  init(_ file: OutputFile, hasLive: Bool = false, start: MediaTime = .zero) {
    self.file = file
    rows = FrameTableWriter(hasLive: hasLive, start: start)
  }

  func append(probability: Float, isLive: Bool) {
    rows.append(probability: probability, isLive: isLive)
    drainBlock()
  }

  /// Adds a segment. Segments must arrive in order.
  func add(segmentFrom start: MediaTime, to end: MediaTime) {
    rows.add(segmentFrom: start, to: end)
    drainBlock()
  }

  /// Declares that no further segment begins before `time`.
  func know(until time: MediaTime) {
    rows.know(until: time)
    drainBlock()
  }

  /// Writes the remaining rows and gives the file its name.
  func finish() throws(OutputError) {
    rows.finish()
    drain()
    if let failure { throw failure }
    try file.commit()
  }

  private func drainBlock() { if rows.text.count >= Self.blockSize { drain() } }

  private func drain() {
    let text = rows.takeText()
    do throws(OutputError) {
      if failure == nil { try file.write(text) }
    } catch {
      failure = error
    }
  }
}
