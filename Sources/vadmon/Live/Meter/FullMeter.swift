import VoiceActivity

/// The whole meter: always as many lines, so that it can be drawn in place.
struct FullMeter {
  let state: MeterState
  let style: TextStyle
  let columns: Int

  static let lineCount = 10

  /// Of the labels in front of the bars.
  private static let labelWidth = 13

  var lines: [String] {
    [
      head,
      "",
      row("level", LevelScale.bar(state.reading), LevelScale.text(state.reading)),
      legend,
      row("probability", posterior, state.reading.map { "  " + $0.value } ?? ""),
      indented(reason),
      strip,
      banner,
      totals,
      style.faint(keys),
    ].map { MeterText.cut($0, to: columns) }
  }

  // MARK: Head and foot

  private var head: String {
    let recording =
      switch state.recording {
      case .off: ""
      case .on: style.bad("● REC") + "  "
      case .failed: style.warning("recording ended") + "  "
      }
    let clock = String(state.elapsed.clock.dropLast(4))
    return MeterText.spread(style.strong(state.input), recording + clock, columns: columns)
  }

  /// What must not be overlooked, one thing at a time.
  private var banner: String {
    if state.showsNotice { return notice }
    if let trouble = state.troubles.first { return style.warning(trouble) }
    if state.isMuted { return style.alert(" MUTED ") }
    return ""
  }

  private var notice: String {
    let full = " \(MeterState.notice) "
    return style.alert(MeterText.fitting(columns, full, " You are muted. "))
  }

  private var totals: String {
    let segments = state.segmentCount == 1 ? "1 segment" : "\(state.segmentCount) segments"
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

  /// Bars need room to tell anything.
  private var hasLabels: Bool { columns >= 36 }
  private var labelWidth: Int { hasLabels ? Self.labelWidth : 0 }
  private var barWidth: Int { columns - labelWidth - Self.valueWidth - 1 }
  /// `-127.0 dBFS`, the longest.
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
    return indented(
      style.faint(
        MeterText.fitting(
          columns - labelWidth, "│ peak \(peak)   ┊ noise floor \(floor)",
          "│ \(peak)  ┊ \(floor)")))
  }

  private var reason: String {
    let text = MeterText.fitting(columns - labelWidth, state.reason, state.shortReason)
    switch state.reading?.state {
    case .speech: return style.strong(style.good(text))
    case .hangover, .pendingOnset: return style.good(text)
    default: return text
    }
  }

  /// Where speech was, from the beginning to now.
  private var strip: String {
    let columns = min(Self.longestStrip, columns - labelWidth)
    return labelled(
      "speech", style.good(state.strip.text(duration: state.elapsed, columns: columns)))
  }

  /// More columns tell no more.
  private static let longestStrip = 120

  private func indented(_ text: String) -> String { labelled("", text) }

  private func labelled(_ label: String, _ text: String) -> String {
    guard hasLabels else { return text }
    return label + String(repeating: " ", count: labelWidth - label.count) + text
  }
}

extension MeterState.Reading {
  /// The posterior with two digits.
  var value: String { fixed(Double(posterior), places: 2) }
}

extension String {
  fileprivate var trimmingBlanks: String { String(drop { $0 == " " }) }
}
