import Annotations
import SystemPackage
import VoiceActivity
import VoiceMonitor

/// An event as reported to people, in JSON and to the programs of `--on-event`.
struct LiveEvent: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case onset
    case offset
    /// The user began (`true`) or stopped (`false`) speaking while muted.
    case mutedSpeech(Bool)
    case mute(Bool)
    /// Sound of this length is missing.
    case gap(MediaTime)
    case health(SignalHealth)
    case device(DeviceChange)
    case reference(ReferenceChange)
    /// Another input has sound, and the chosen one has none.
    case otherInput(OtherInput)
    /// The wall clock and the times of events no longer agree: the clock was set, or the computer slept.
    case clock(ClockShift)
    /// Speech was saved in this file.
    case segment(from: MediaTime, to: MediaTime, samples: Range<UInt64>, FilePath)
    /// A recording had to end, for the reason given.
    case recordingEnded(String)
    /// This many events are missing here.
    case dropped(count: Int, by: DroppedBy)
  }

  /// The consumer that was too slow for the events.
  enum DroppedBy: String, Sendable {
    /// vadmon itself: events of its analysis were dropped.
    case analysis
    /// The reader of standard output.
    case output
    /// The program of `--on-event`.
    case onEvent = "on_event"
  }

  /// The name of an event: the type of its JSON record, and `VADMON_EVENT` for `--on-event` programs.
  enum Name: String, Sendable, CaseIterable {
    case onset, offset
    case mutedSpeech = "muted_speech"
    case mute, gap, health, device, reference
    case otherInput = "other_input"
    case clock, segment, recording, dropped

    /// Whether the event reports a state, of which a late reader needs only the newest value.
    var isState: Bool {
      switch self {
      case .mutedSpeech, .mute, .health, .device, .reference, .otherInput, .recording: true
      case .onset, .offset, .gap, .clock, .segment, .dropped: false
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
  /// The time of the event.
  var time: MediaTime
  /// How much input had been read when the event was decided.
  var decidedAt: MediaTime
}

extension LiveEvent {
  /// Creates an event from the monitor's, or returns `nil` if it is not reported here.
  init?(_ event: MonitorEvent, rate: Int) {
    switch event.kind {
    case .onset: kind = .onset
    case .offset: kind = .offset
    case .speakingWhileMuted(let speaking): kind = .mutedSpeech(speaking)
    case .muted(let isMuted): kind = .mute(isMuted)
    case .discontinuity(let missing):
      let length = MediaTime(samples: missing, rate: rate)
      if length == .zero { return nil }
      kind = .gap(length)
    case .health(let health): kind = .health(health)
    case .reference(let isDelivering): kind = .reference(.delivers(isDelivering))
    case .clock(let shift): kind = .clock(shift)
    case .dropped(let count): kind = .dropped(count: count, by: .analysis)
    // It is reported when its file is complete.
    case .segment, .sourceReplaced: return nil
    }
    time = MediaTime(samples: event.position, rate: rate)
    decidedAt = MediaTime(samples: event.decidedAt, rate: rate)
  }

  /// Creates the event of a segment that was saved.
  init(_ cut: SpeechCut, in path: FilePath, rate: Int) {
    let (start, end) = (
      MediaTime(samples: cut.start, rate: rate), MediaTime(samples: cut.end, rate: rate)
    )
    kind = .segment(from: start, to: end, samples: cut.start..<cut.end, path)
    time = end
    // Padding is sound from after the decision, which the file had to wait for.
    decidedAt = max(end, MediaTime(samples: cut.decidedAt, rate: rate))
  }

  static func dropped(_ count: Int, by: DroppedBy, at time: MediaTime) -> LiveEvent {
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
    case .reference: .reference
    case .otherInput: .otherInput
    case .clock: .clock
    case .segment: .segment
    case .recordingEnded: .recording
    case .dropped: .dropped
    }
  }

  /// The text for people.
  var text: String {
    switch kind {
    case .onset: "onset"
    case .offset: "offset"
    case .mutedSpeech(true): "speaking while muted"
    case .mutedSpeech(false): "no longer speaking while muted"
    case .mute(let isMuted): isMuted ? "muted" : "unmuted"
    case .gap(let length): "gap of \(length.seconds) s"
    case .health(let health): health.sentence
    case .device(let change): change.sentence
    case .reference(let change): change.sentence
    case .otherInput(let input): input.sentence
    case .clock(let shift): shift.sentence
    case .segment(_, _, _, let path): "saved \(path.nameAsInput)"
    case .recordingEnded(let sentence): sentence
    case .dropped(let count, let who):
      "\(counted(count, "event")) lost: \(who.reason)"
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
  /// The text for people.
  fileprivate var sentence: String {
    let (seconds, slept) = (fixed(abs(wallClock / .seconds(1)), places: 1), asleep > .zero)
    if slept { return "the computer slept for \(fixed(asleep / .seconds(1), places: 1)) s" }
    return "the wall clock was set \(wallClock < .zero ? "back" : "forward") by \(seconds) s"
  }
}
