import Annotations
import SystemPackage
import VoiceActivity
import VoiceMonitor

/// Live events as JSON Lines.
extension LiveEvent {
  var json: JSONValue {
    let head: JSONValue = [
      "type": .string(name.rawValue), "time": .seconds(time), "decided_at": .seconds(decidedAt),
    ]
    let message: JSONValue? = message.map { ["message": .string($0)] }
    return head + .object(members) + (message ?? [:])
  }

  /// The environment variables of `--on-event` programs.
  var facts: EventHook.Facts {
    EventHook.Variable.allCases.map { variable in
      let fact =
        switch variable {
        case .event: name.rawValue
        case .time: time.seconds
        case .decidedAt: decidedAt.seconds
        case .value: value
        case .message: text
        }
      return (variable.rawValue, fact)
    }
  }

  /// The state that the event reports, for `--on-event`; `nil` if it reports none.
  var standing: EventHook.Standing? {
    name.isState ? EventHook.Standing(name: name.rawValue, value: value) : nil
  }

  private var value: String { members.first?.value.plainText ?? "" }

  /// The members that distinguish the event from others of its type, the most important first.
  private var members: [JSONValue.Member] {
    switch kind {
    case .onset, .offset: []
    case .mutedSpeech(let isSpeaking): [.init(name: "speaking", value: .bool(isSpeaking))]
    case .mute(let isMuted): [.init(name: "muted", value: .bool(isMuted))]
    case .gap(let length): [.init(name: "length", value: .seconds(length))]
    case .health(let health): [.init(name: "health", value: .string(health.name))]
    case .device(let change): [.init(name: "state", value: .string(change.state.name))]
    case .reference(let change):
      [.init(name: "health", value: .string(change.name))]
        + (change.device.map { [.init(name: "device", value: .string($0))] } ?? [])
    case .otherInput(let input):
      [
        .init(name: "device", value: .string(input.device)),
        .init(name: "title", value: .string(input.title)),
      ]
    case .clock(let shift):
      [
        .init(name: "wall_clock", value: .duration(shift.wallClock)),
        .init(name: "asleep", value: .duration(shift.asleep)),
      ]
    case .segment(let start, let end, let samples, let path):
      [
        .init(name: "saved", value: .string(path.string)),
        .init(name: "start", value: .seconds(start)), .init(name: "end", value: .seconds(end)),
        .init(name: "start_sample", value: .integer(samples.lowerBound)),
        .init(name: "end_sample", value: .integer(samples.upperBound)),
      ]
    case .recordingEnded: [.init(name: "state", value: "ended")]
    case .dropped(let count, let who):
      [
        .init(name: "count", value: .integer(count)),
        .init(name: "by", value: .string(who.rawValue)),
      ]
    }
  }

  private var message: String? {
    switch kind {
    case .health, .device, .reference, .otherInput, .clock, .recordingEnded, .dropped: text
    default: nil
    }
  }
}

extension JSONValue {
  /// Returns seconds, which may be negative.
  fileprivate static func duration(_ value: Duration) -> JSONValue {
    .number(fixed(value / .seconds(1), places: 3))
  }

  /// A string without its quotes, or the text of any other value.
  fileprivate var plainText: String { if case .string(let value) = self { value } else { text } }
}

extension LiveInput.Description {
  var json: JSONValue {
    let timing: JSONValue? = timing.map {
      [
        "period_ms": .integer($0.period.milliseconds),
        "buffer_ms": .integer($0.buffer.milliseconds),
      ]
    }
    return [
      "kind": .string(kind.rawValue), "name": .string(name), "sample_rate": .integer(sampleRate),
      "channels": .integer(channelCount), "format": .string(format),
    ] + (timing ?? [:])
  }
}

/// The records that are not events.
enum LiveRecords {
  /// Returns the record that states by how much the times of records lag behind `started_at`.
  static func soundBegan(after delay: Duration) -> JSONValue {
    [
      "type": "clock", "time": .seconds(.zero), "decided_at": .seconds(.zero),
      "wall_clock": .duration(delay), "asleep": .duration(.zero),
      "message": .string(
        "the first sound came \(fixed(delay / .seconds(1), places: 1)) s after listening began"),
    ]
  }

  static func config(
    _ options: LiveOptions, _ input: LiveInput.Description, startedAt: WallClock
  ) -> JSONValue {
    ["type": "config"] + RunConfiguration(options).json + [
      "started_at": .string(startedAt.text), "input": input.json,
    ]
  }

  static func level(
    _ hop: VoiceActivityHop, beside reference: ReferenceStatus?,
    _ speaker: VoiceActivityDetector.SpeakerLevel?, rate: Int
  ) -> JSONValue {
    let echo: JSONValue? = reference.map { ["echo": json(of: $0.echo, isEcho: hop.isEcho)] }
    let level: JSONValue = [
      "type": "level",
      "time": .seconds(MediaTime(samples: hop.position, rate: rate)),
      "level_dbfs": .decibels(hop.levelDBFS),
      "peak_dbfs": .decibels(hop.peakDBFS),
      "noise_floor_dbfs": .decibels(hop.backgroundDBFS),
      "probability": .number(fixed(Double(hop.posterior), places: 3)),
      "state": .string(hop.state.name),
      "muted": .bool(hop.isMuted),
    ]
    return level + json(of: speaker) + (echo ?? [:])
  }

  /// What was learned of the user's own level.
  private static func json(of speaker: VoiceActivityDetector.SpeakerLevel?) -> JSONValue {
    [
      "speaker_level_dbfs": speaker.map { .decibels($0.dBFS) } ?? .null,
      "speaker_learned_ms": .integer(MediaTime(speaker?.learned ?? .zero).milliseconds),
    ]
  }

  private static func json(of echo: EchoStatus, isEcho: Bool) -> JSONValue {
    EchoRecord(echo).json + ["only_echo": .bool(isEcho)]
  }

  static func error(_ error: RunError) -> JSONValue {
    let record = ErrorRecord(
      file: "", message: error.messages.joined(separator: "; "), exitCode: error.exitCode)
    return ["type": "error"] + record.json
  }

  /// Returns the last record: that of a recording, with the losses and what was learned added.
  static func summary(
    _ file: FileRecord, _ tally: LiveTally, _ speaker: VoiceActivityDetector.SpeakerLevel?
  ) -> JSONValue {
    (Record.file(file).jsonLine ?? [:]) + [
      "gap_count": .integer(tally.gapCount), "lost_seconds": .seconds(tally.lost),
    ] + (tally.savedCount.map { ["saved_count": .integer($0)] } ?? [:]) + json(of: speaker)
  }
}

extension SpeechState {
  fileprivate var name: String {
    switch self {
    case .silence: "silence"
    case .pendingOnset: "pending_onset"
    case .speech: "speech"
    case .hangover: "hangover"
    }
  }
}

extension SignalHealth {
  /// The name in JSON.
  var name: String {
    switch self {
    case .starting: "starting"
    case .good: "good"
    case .digitalSilence: "digital_silence"
    case .deadLine: "dead_line"
    case .clipping: "clipping"
    case .noData: "no_data"
    case .cancelling: "cancelling"
    }
  }
}
