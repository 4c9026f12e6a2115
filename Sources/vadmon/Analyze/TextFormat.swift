import Annotations
import Charts
import SystemPackage

/// Text for people: each input's name, its segments as they arrive (with a mute, at the end), and a summary.
struct TextFormat: RecordFormat {
  let style: TextStyle
  /// Where the waveforms are; `nil` for a line instead.
  private let pictures: PictureShelf?
  private let dash = ASCII.results(" – ")
  private var isFirst = true
  private var strip = ActivityStrip()
  private var order: SpanOrder?
  private var isInverted = false
  /// Where the part begins that is analysed.
  private var start = MediaTime.zero

  init(style: TextStyle, pictures: PictureShelf? = nil) {
    (self.style, self.pictures) = (style, pictures)
  }

  mutating func begin(_ run: RunConfiguration, into text: inout String) {
    (order, isInverted, start) = (SpanOrder(run), run.isInverted, run.start)
  }

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
      strip.add(from: span.start - start, to: span.end - start)
      text += line(span, note: span.saved.map { style.faint("  \(RecordingName.shown($0))") } ?? "")
    case .mutedSpeech(let span): text += line(span, note: style.warning("  speaking while muted"))
    case .gap(let span): text += line(span, note: style.warning("  missing"))
    case .error: break
    case .file(let file): text += ASCII.results(summary(file))
    }
  }

  private func heading(_ input: InputRecord) -> String {
    let name = RecordingName.shown(input.file)
    let channels = input.channels == 1 ? "mono" : "\(input.channels) channels"
    return style.strong(name) + style.faint("  \(input.sampleRate) Hz, \(channels)") + "\n"
  }

  private func line(_ span: SpanRecord, note: String) -> String {
    let times = span.start.clock.padded(to: 12, right: true) + dash + span.end.clock.padded(to: 12)
    let length = style.faint((span.duration.seconds + " s").padded(to: 10, right: true))
    let channel = span.channelText.map { "  \($0)" } ?? ""
    return times + length + channel + note + "\n"
  }

  private func summary(_ file: FileRecord) -> String {
    guard file.speech > .zero else {
      return style.faint("  no speech in \(file.duration.clock)") + "\n"
    }
    var text = waveform(file) ?? "  " + style.good(strip.text(duration: file.duration)) + "\n"
    let channels = file.analysedChannels == 1 ? "" : "\(file.analysedChannels) × "
    text += "  "
    text += speechText(
      file.speech, of: file.analysedLength, as: channels + file.duration.clock,
      beside: file.segmentCount, isInverted: isInverted)
    if file.mutedSpeech > .zero {
      text += style.warning(", \(file.mutedSpeech.clock) of speaking while muted")
    }
    return text + "\n"
  }

  /// Returns the waveform of each channel with what was found under it, as wide as the terminal.
  private func waveform(_ file: FileRecord) -> String? {
    guard let recordings = pictures?.next, !recordings.isEmpty else { return nil }
    let drawing = WaveformText(
      columns: Terminal.size(FileDescriptor.standardOutput.rawValue).columns - 4)
    func lines(_ lines: [String], _ tint: TextStyle.Tint) -> String {
      lines.map { line in
        let line = style.isASCII ? ASCII.text(line) : line
        return "  " + style.tinted(line, tint) + "\n"
      }.joined()
    }
    return recordings.compactMap { recording in
      guard let picture = recording.picture else { return nil }
      let shown = recording.start..<recording.end
      let muted = drawing.lane(recording.mutedSpeech, "╍", in: shown)
      return lines(drawing.waveform(picture), .info)
        + lines([drawing.lane(recording.segments, "━", in: shown)], .good)
        + (muted.isEmpty ? "" : lines([muted], .warning))
        + lines([drawing.times(of: shown)], .faint)
    }.joined()
  }
}
