import VoiceActivity

/// Something that happened, as it is reported to people, in JSON and to the programs of `--on-event`.
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
    /// The recording had to end, for this reason.
    case recordingEnded(String)
    /// So many events are missing here.
    case dropped(count: Int, by: DroppedBy)
  }

  /// Who was too slow for events.
  enum DroppedBy: String, Sendable {
    /// vadmon itself, for those that its analysis found.
    case analysis
    /// Whoever reads standard output.
    case output
    /// The program of `--on-event`.
    case onEvent = "on_event"
  }

  /// The type of the JSON record, and what `--on-event` programs find.
  enum Name: String, Sendable, CaseIterable {
    case onset, offset
    case mutedSpeech = "muted_speech"
    case mute, gap, health, device, clock, recording, dropped

    /// How something stands, of which only the newest matters to whoever comes late.
    var isState: Bool {
      switch self {
      case .mutedSpeech, .mute, .health, .device, .recording: true
      case .onset, .offset, .gap, .clock, .dropped: false
      }
    }

    static var list: String { text(allCases) }
    static var stateList: String { text(allCases.filter(\.isState)) }

    private static func text(_ names: [Name]) -> String {
      let names = names.map(\.rawValue)
      return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    }
  }

  var kind: Kind
  /// When it happened.
  var time: Timestamp
  /// How much input there was when it was known.
  var decidedAt: Timestamp
}

extension LiveEvent {
  /// `nil` for what is no event of its own here.
  init?(_ event: MonitorEvent, rate: Int) {
    switch event.kind {
    case .onset: kind = .onset
    case .offset: kind = .offset
    case .speakingWhileMuted(let speaking): kind = .mutedSpeech(speaking)
    case .muted(let isMuted): kind = .mute(isMuted)
    case .discontinuity(let missing): kind = .gap(Timestamp(samples: missing, rate: rate))
    case .health(let health): kind = .health(health)
    case .clock(let shift): kind = .clock(shift)
    case .dropped(let count): kind = .dropped(count: count, by: .analysis)
    case .sourceReplaced: return nil
    }
    time = Timestamp(samples: event.position, rate: rate)
    decidedAt = Timestamp(samples: event.decidedAt, rate: rate)
  }

  static func dropped(_ count: Int, by: DroppedBy, at time: Timestamp) -> LiveEvent {
    LiveEvent(kind: .dropped(count: count, by: by), time: time, decidedAt: time)
  }

  var name: Name {
    switch kind {
    case .onset: .onset
    case .offset: .offset
    case .mutedSpeech: .mutedSpeech
    case .mute: .mute
    case .gap: .gap
    case .health: .health
    case .device: .device
    case .clock: .clock
    case .recordingEnded: .recording
    case .dropped: .dropped
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
    case .recordingEnded(let sentence): sentence
    case .dropped(let count, let who):
      "\(count) \(count == 1 ? "event" : "events") lost: \(who.reason)"
    }
  }
}

extension LiveEvent.DroppedBy {
  fileprivate var reason: String {
    switch self {
    case .analysis: "this program was too busy"
    case .output: "standard output was not read"
    case .onEvent: "the program of --on-event was too slow"
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
