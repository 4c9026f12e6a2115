package import Annotations

/// A waveform in a few rows of text, with lanes for spans under it, and the time under those.
package struct WaveformText {
  private let columns: Int

  private static let rows = 4
  private static let blocks: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// Creates a drawing that is `columns` wide.
  package init(columns: Int) { self.columns = max(1, columns) }

  /// Returns the waveform, the highest row first. The loudest sample reaches the top; silence is a line.
  package func waveform(_ picture: ChannelPicture) -> [String] {
    let peaks = picture.peaks.peaks.map { max(Int($0.lowest.magnitude), Int($0.highest.magnitude)) }
    let loudest = max(peaks.max() ?? 0, 1)
    let steps = Self.blocks.count - 1
    let heights = (0..<columns).map { column in
      let first = column * peaks.count / columns
      let part = peaks[
        first..<min(peaks.count, max(first + 1, (column + 1) * peaks.count / columns))]
      return ((part.max() ?? 0) * Self.rows * steps + loudest / 2) / loudest
    }
    return (0..<Self.rows).reversed().map { row in
      trimmed(heights.map { Self.blocks[min(steps, max(row == 0 ? 1 : 0, $0 - row * steps))] })
    }
  }

  /// Returns spans as a line: a column is drawn with `symbol` if a span has a part of it. All spans are within `shown`.
  package func lane(
    _ spans: [SpanRecord], _ symbol: Character, in shown: Range<MediaTime>
  ) -> String {
    let start = shown.lowerBound.milliseconds
    let total = max(1, shown.upperBound.milliseconds - start)
    var line = [Character](repeating: " ", count: columns)
    for span in spans {
      let first = Int((span.start.milliseconds - start) * UInt64(columns) / total)
      let end = Int(
        ((span.end.milliseconds - start) * UInt64(columns) + total - 1) / total)
      for column in first..<max(first, min(end, columns)) {
        line[column] = symbol
      }
    }
    return trimmed(line)
  }

  /// Returns the times of the start, the middle and the end, as far as there is room.
  package func times(of shown: Range<MediaTime>) -> String {
    let ends = (shown.lowerBound.milliseconds, shown.upperBound.milliseconds)
    let middle = MediaTime(milliseconds: (ends.0 + ends.1) / 2).shortClock
    let (start, end) = (shown.lowerBound.shortClock, shown.upperBound.shortClock)
    var line = [Character](repeating: " ", count: columns)
    func write(_ text: String, at place: Int) {
      line.replaceSubrange(place..<place + text.count, with: text)
    }
    guard columns > start.count + end.count else { return String(start.prefix(columns)) }
    write(start, at: 0)
    write(end, at: columns - end.count)
    let place = (columns - middle.count) / 2
    if place > start.count + 1, place + middle.count < columns - end.count - 1 {
      write(middle, at: place)
    }
    return String(line)
  }

  private func trimmed(_ line: [Character]) -> String {
    String(line.prefix((line.lastIndex { $0 != " " } ?? -1) + 1))
  }
}

extension MediaTime {
  /// The time without thousandths.
  fileprivate var shortClock: String { String(clock.dropLast(2)) }
}
