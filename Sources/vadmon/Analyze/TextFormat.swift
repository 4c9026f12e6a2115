import Annotations
import Charts

/// Text for people: each input's name, its segments as they arrive (with a mute, at the end), and a summary.
struct TextFormat: RecordFormat {
  let style: TextStyle
  private var isFirst = true
  private var strip = ActivityStrip()
  private var order: SpanOrder?

  init(style: TextStyle) { self.style = style }

  mutating func begin(_ run: RunConfiguration, into text: inout String) { order = SpanOrder(run) }

  mutating func write(_ record: Record, into text: inout String) {
    for record in order?.take(record) ?? [record] { add(record, to: &text) }
  }

  private mutating func add(_ record: Record, to text: inout String) {
    switch record {
    case .input(let input):
      text += (isFirst ? "" : "\n") + heading(input)
      isFirst = false
      strip = ActivityStrip()
    case .segment(let span):
      strip.add(from: span.start, to: span.end)
      text += line(span, note: "")
    case .mutedSpeech(let span): text += line(span, note: style.warning("  speaking while muted"))
    case .gap(let span): text += line(span, note: style.warning("  missing"))
    case .error: break
    case .file(let file): text += summary(file)
    }
  }

  private func heading(_ input: InputRecord) -> String {
    let name = FileNames.asInput(input.file)
    let channels = input.channels == 1 ? "mono" : "\(input.channels) channels"
    return style.strong(name) + style.faint("  \(input.sampleRate) Hz, \(channels)") + "\n"
  }

  private func line(_ span: SpanRecord, note: String) -> String {
    let times = rightAligned(span.start.clock, 12) + " – " + leftAligned(span.end.clock, 12)
    let length = style.faint(rightAligned(span.duration.seconds + " s", 10))
    let channel = span.channel.map { "  channel \($0)" } ?? ""
    return times + length + channel + note + "\n"
  }

  private func summary(_ file: FileRecord) -> String {
    let total = file.duration.clock
    guard file.segmentCount > 0 else { return style.faint("  no speech in \(total)") + "\n" }
    var text = "  " + style.good(strip.text(duration: file.duration)) + "\n"
    text += "  speech \(file.speech.clock) of \(total)\(share(file)) in \(file.segmentCount) "
    text += file.segmentCount == 1 ? "segment" : "segments"
    if file.mutedSpeech > .zero {
      text += style.warning(", \(file.mutedSpeech.clock) of speaking while muted")
    }
    return text + "\n"
  }

  /// Returns the share of speech in all analysed channels together, such as ` (39.7 %)`.
  private func share(_ file: FileRecord) -> String {
    let whole = file.duration.milliseconds * UInt64(file.analysedChannels)
    guard whole > 0 else { return "" }
    let permille = (file.speech.milliseconds * 1000 + whole / 2) / whole
    return " (\(permille / 10).\(permille % 10) %)"
  }
}

private func rightAligned(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(0, width - text.count)) + text
}

private func leftAligned(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}
