import Annotations
import VoiceActivity

/// The meter as one line: the most important first, and the level in the remaining room.
struct LineMeter {
  let state: MeterState
  let style: TextStyle
  let columns: Int

  var line: String { style.isASCII ? ASCII.text(unicodeLine) : unicodeLine }

  private var unicodeLine: String {
    let tail = tail
    // The level needs at least 12 columns. Without them it is left out; if there is still not enough room, the tail is
    // left out before the head.
    let room = columns - MeterText.width(head) - MeterText.width(tail) - 2
    guard room >= 12 else { return MeterText.spread(head, tail, columns: columns) }
    return [head, level(room), tail].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The most urgent text.
  private var head: String {
    if state.isFrozen { return style.faint("frozen (space)") }
    if state.showsNotice { return style.alert(" \(MeterState.notice) ") }
    if let trouble = state.troubles.first { return style.warning(trouble) }
    return state.isMuted
      ? style.alert(" MUTED ") + " "
        + (state.isStillSpeaking ? style.warning(MeterState.stillSpeaking) : reason)
      : reason
  }

  /// The reason, padded to a constant width so that the level does not move.
  private var reason: String {
    let text = state.shortReason
    let padded = text.padded(to: 20)
    switch state.reading?.state {
    case .speech, .hangover: return style.good(padded)
    default: return padded
    }
  }

  private func level(_ room: Int) -> String {
    let value = LevelScale.text(state.reading)
    let width = room - value.count - 1
    guard width >= 8 else { return value }
    return LevelScale.bar(state).text(width: width, style: style) + " " + value
  }

  private var tail: String {
    let gaps = state.gapCount == 0 ? "" : style.warning("gaps \(state.gapCount)")
    return [gaps, state.recording.text(style), state.elapsed.wholeClock]
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
