import VoiceActivity

/// Something that happened, as it is told to people, in JSON and to the programs of `--on-event`.
struct LiveEvent: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case onset
    case offset
    /// Somebody speaks while muted, or no longer does.
    case mutedSpeech(Bool)
    case mute(Bool)
    /// So much sound is missing.
    case gap(Timestamp)
    case health(SignalHealth)
    case device(DeviceChange)
    /// The wall clock and the times of events have moved apart.
    case clock(ClockShift)
  }

  var kind: Kind
  /// When it happened.
  var time: Timestamp
  /// How much input there was when it was known.
  var decidedAt: Timestamp
}

extension LiveEvent {
  /// `nil` for events that are told of otherwise.
  init?(_ event: MonitorEvent, rate: Int) {
    switch event.kind {
    case .onset: kind = .onset
    case .offset: kind = .offset
    case .speakingWhileMuted(let speaking): kind = .mutedSpeech(speaking)
    case .muted(let isMuted): kind = .mute(isMuted)
    case .discontinuity(let missing): kind = .gap(Timestamp(samples: missing, rate: rate))
    case .health(let health): kind = .health(health)
    case .clock(let shift): kind = .clock(shift)
    case .sourceReplaced, .dropped: return nil
    }
    time = Timestamp(samples: event.position, rate: rate)
    decidedAt = Timestamp(samples: event.decidedAt, rate: rate)
  }

  /// The type of the JSON record, and what `--on-event` programs are told.
  var name: String {
    switch kind {
    case .onset: "onset"
    case .offset: "offset"
    case .mutedSpeech: "muted_speech"
    case .mute: "mute"
    case .gap: "gap"
    case .health: "health"
    case .device: "device"
    case .clock: "clock"
    }
  }

  /// For people.
  var text: String {
    switch kind {
    case .onset: "onset"
    case .offset: "offset"
    case .mutedSpeech(true): "speaking while muted"
    case .mutedSpeech(false): "no longer speaking while muted"
    case .mute(let isMuted): isMuted ? "muted" : "unmuted"
    case .gap(let length): "gap of \(length.seconds) s"
    case .health(let health): health.description
    case .device(let change): change.sentence
    case .clock(let shift): shift.sentence
    }
  }
}

extension ClockShift {
  /// For people.
  fileprivate var sentence: String {
    let (seconds, slept) = (fixed(abs(wallClock / .seconds(1)), places: 1), asleep > .zero)
    if slept { return "the computer slept for \(fixed(asleep / .seconds(1), places: 1)) s" }
    return "the wall clock was set \(wallClock < .zero ? "back" : "forward") by \(seconds) s"
  }
}
