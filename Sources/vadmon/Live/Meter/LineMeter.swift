import VoiceActivity

/// The meter as one line: what matters most first, and the level in what room is left.
struct LineMeter {
  let state: MeterState
  let style: TextStyle
  let columns: Int

  var line: String { style.isASCII ? ASCII.text(unicodeLine) : unicodeLine }

  private var unicodeLine: String {
    let tail = tail
    // Levels want at least so much room; without it they go, and the tail before what is urgent.
    let room = columns - MeterText.width(head) - MeterText.width(tail) - 2
    guard room >= 12 else { return MeterText.spread(head, tail, columns: columns) }
    return [head, level(room), tail].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The most urgent thing.
  private var head: String {
    if state.isFrozen { return style.faint("frozen (space)") }
    if state.showsNotice { return style.alert(" \(MeterState.notice) ") }
    if let trouble = state.troubles.first { return style.warning(trouble) }
    return state.isMuted
      ? style.alert(" MUTED ") + " "
        + (state.isStillSpeaking ? style.warning(MeterState.stillSpeaking) : reason)
      : reason
  }

  /// Always as wide, so that the level stands still.
  private var reason: String {
    let text = state.shortReason
    let padded = text + String(repeating: " ", count: max(0, 20 - text.count))
    switch state.reading?.state {
    case .speech, .hangover: return style.good(padded)
    default: return padded
    }
  }

  private func level(_ room: Int) -> String {
    let value = LevelScale.text(state.reading)
    let width = room - value.count - 1
    guard width >= 8 else { return value }
    return LevelScale.bar(state.reading).text(width: width, style: style) + " " + value
  }

  private var tail: String {
    let recording =
      switch state.recording {
      case .off: ""
      case .on: style.bad("● REC")
      case .failed: style.warning("recording ended")
      }
    let gaps = state.gapCount == 0 ? "" : style.warning("gaps \(state.gapCount)")
    return [gaps, recording, String(state.elapsed.clock.dropLast(4))]
      .filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension MeterState {
  /// The state and the number that decided it, in at most 19 columns.
  var shortReason: String {
    guard let reading else { return noReading }
    return switch reading.state {
    case .silence: "silence: \(reading.value)"
    case .pendingOnset: "speech? \(reading.value)"
    case .speech: "speech: \(reading.value)"
    case .hangover: "hangover: \(reading.hangoverLeft.milliseconds) ms"
    }
  }
}
