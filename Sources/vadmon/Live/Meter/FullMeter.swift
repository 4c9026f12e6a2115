import Annotations
import Charts
import VoiceActivity

/// The full meter, with as many lines as it has content for or as fit the screen.
struct FullMeter {
  let state: MeterState
  let style: TextStyle
  let columns: Int

  /// The width of the labels in front of the bars.
  private static let labelWidth = 13

  /// A line and its rank: if there is no room, lines of the highest rank go first; rank 0 never goes.
  private typealias Row = (text: String, rank: Int)

  /// All lines.
  var lines: [String] { lines(atMost: .max) ?? [] }

  /// Returns the most important lines that fit, or `nil` if the indispensable lines do not fit.
  func lines(atMost limit: Int) -> [String]? {
    var rows = rows
    while rows.count > limit {
      guard let next = rows.indices.max(by: { rows[$0].rank < rows[$1].rank }),
        rows[next].rank > 0
      else { return nil }
      rows.remove(at: next)
    }
    return rows.map { row in
      let line = MeterText.cut(row.text, to: columns)
      return style.isASCII ? ASCII.text(line) : line
    }
  }

  private var rows: [Row] {
    [
      (head, 2),
      ("", 8),
      (row("level", LevelScale.bar(state), LevelScale.text(state.reading)), 0),
      (indented(style.faint(LevelScale.text(width: barWidth))), 5),
      (legend, 6),
      (row("probability", posterior, state.reading.map { "  " + $0.value } ?? ""), 0),
      (indented(reason), 0),
    ] + (state.echo.map { [(labelled("reference", $0), 4)] } ?? []) + [
      (strip, 4)
    ] + banner + [(totals, 1), (style.faint(keys), 3)]
  }

  // MARK: Head and foot

  private var head: String {
    let foot = [state.recording.text(style), state.elapsed.wholeClock].filter { !$0.isEmpty }
    return MeterText.spread(
      style.strong(state.input), foot.joined(separator: "  "), columns: columns)
  }

  /// The most urgent notice, one at a time.
  private var banner: [Row] {
    if state.showsNotice { return [(notice, 0)] }
    if let trouble = state.troubles.first {
      return MeterText.wrapped(trouble, columns: columns).map { (style.warning($0), 0) }
    }
    guard state.isMuted else { return [("", 7)] }
    let speaking = state.isStillSpeaking ? " " + style.warning(MeterState.stillSpeaking) : ""
    return [(style.alert(" MUTED ") + speaking, 0)]
  }

  private var notice: String {
    let full = " \(MeterState.notice) "
    return style.alert(MeterText.fitting(columns, full, " You are muted. "))
  }

  private var totals: String {
    let segments = counted(state.segmentCount, "segment")
    let speech = "\(state.speech.seconds) s of speech in \(segments)"
    guard let losses = state.losses else { return speech }
    let (long, short) = (style.warning(losses), style.warning("\(state.lost.seconds) s lost"))
    return MeterText.fitting(columns, "\(speech)   \(long)", "\(segments)   \(long)", short)
  }

  private var keys: String {
    guard state.hasKeys else { return state.isFrozen ? "frozen" : "" }
    if state.isFrozen {
      return MeterText.fitting(
        columns, "frozen, listening goes on   space go on   q quit", "frozen   space go on",
        "frozen")
    }
    let mute = state.isMuted ? "m unmute" : "m mute"
    return MeterText.fitting(columns, "\(mute)   space freeze   q quit", "\(mute)  q quit")
  }

  // MARK: Bars

  /// Whether there is room for labels as well as useful bars.
  private var hasLabels: Bool { columns >= 36 }
  private var labelWidth: Int { hasLabels ? Self.labelWidth : 0 }
  private var barWidth: Int { columns - labelWidth - Self.valueWidth - 1 }
  /// The width of `-127.0 dBFS`, the longest value.
  private static let valueWidth = 11

  private func row(_ label: String, _ bar: MeterBar, _ value: String) -> String {
    guard barWidth >= 8 else { return value.trimmingBlanks }
    return labelled(label, bar.text(width: barWidth, style: style)) + " " + value
  }

  private var posterior: MeterBar {
    MeterBar(
      value: Double(state.reading?.posterior ?? 0),
      marks: [
        .init(place: Double(state.onsetThreshold), symbol: "┃"),
        .init(place: Double(state.offsetThreshold), symbol: "╎"),
      ],
      tint: { _ in .info })
  }

  private var legend: String {
    guard let reading = state.reading else { return "" }
    let peak = fixed(Double(reading.peakDBFS), places: 1)
    let floor = fixed(Double(reading.noiseFloorDBFS), places: 1)
    let own = state.ownLevelDBFS.map { fixed(Double($0), places: 1) }
    return indented(
      style.faint(
        MeterText.fitting(
          columns - labelWidth,
          "│ peak \(peak)   ┊ noise floor \(floor)" + (own.map { "   ┼ your level \($0)" } ?? ""),
          "│ \(peak)  ┊ \(floor)" + (own.map { "  ┼ \($0)" } ?? ""), "│ \(peak)  ┊ \(floor)")))
  }

  private var reason: String {
    let long = style.isASCII ? state.reason.replacing("≥", with: ">=") : state.reason
    let text = MeterText.fitting(columns - labelWidth, long, state.shortReason)
    switch state.reading?.state {
    case .speech: return style.strong(style.good(text))
    case .hangover, .pendingOnset: return style.good(text)
    default: return text
    }
  }

  /// The overview of speech and missing sound, from the beginning to now.
  private var strip: String {
    let columns = min(Self.longestStrip, columns - labelWidth)
    let cells = state.strip.columns(duration: state.elapsed, atMost: columns).map {
      (symbol: $0.symbol, tint: $0.hasGap ? TextStyle.Tint.bad : .good)
    }
    return labelled("speech", style.tinted(cells))
  }

  /// The maximum width; more columns would show no more detail.
  private static let longestStrip = 120

  private func indented(_ text: String) -> String { labelled("", text) }

  private func labelled(_ label: String, _ text: String) -> String {
    guard hasLabels else { return text }
    return label.padded(to: labelWidth) + text
  }
}

extension MeterState.Reading {
  /// The posterior with two decimals.
  var value: String { fixed(Double(posterior), places: 2) }
}

extension String {
  fileprivate var trimmingBlanks: String { String(drop { $0 == " " }) }
}
