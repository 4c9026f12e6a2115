import Annotations
import AudioInput
import RealTime
import VoiceActivity

/// A setting in JSON: its name, and how its value is written and read. Results, `--show-config` and `--config` share
/// these keys, and only this type knows the names.
struct SettingKey<Value> {
  let name: String
  /// The values that are allowed, as they follow "write" in messages.
  let values: String
  let json: (Value) -> JSONValue
  /// Returns the value, or `nil` if it is not allowed.
  let read: (JSONValue) -> Value?
}

extension SettingKey where Value: CaseIterable & RawRepresentable<String> {
  fileprivate static func word(_ name: String, read: @escaping (String) -> Value?) -> Self {
    let names = Value.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    return Self(
      name: name, values: "one of \(names)", json: { .string($0.rawValue) },
      read: { $0.string.flatMap(read) })
  }
}

extension SettingKey {
  /// The same setting, which may also be null.
  fileprivate var orNull: SettingKey<Value?> {
    SettingKey<Value?>(
      name: name, values: "\(values), or null", json: { $0.map(json) ?? .null },
      read: { $0 == .null ? .some(nil) : read($0).map(Optional.some) })
  }
}

extension RunConfiguration.Setting {
  init<Value>(_ key: SettingKey<Value>, _ value: Value) {
    self.init(name: key.name, json: key.json(value))
  }
}

// MARK: The detector

extension SettingKey where Value == VoiceActivityDetector.Configuration.Preset {
  static var preset: Self { word("preset", read: Value.init(rawValue:)) }
}

extension SettingKey where Value == Float {
  static var onsetThreshold: Self { probability("onset_threshold") }
  static var offsetThreshold: Self { probability("offset_threshold") }

  private static func probability(_ name: String) -> Self {
    Self(
      name: name, values: "a number above 0 and below 1", json: { .float($0) },
      read: { value in value.float.flatMap { 0 < $0 && $0 < 1 ? $0 : nil } })
  }

  /// The margin in dB; infinite, which is null, if it is off.
  static var speakerMargin: Self {
    let widest = MarginArgument.widest
    return Self(
      name: "speaker_margin_db", values: "a number of dB from 0 to \(widest), or null for off",
      json: { $0.isFinite ? .float($0) : .null },
      read: { value in
        if value == .null { return .infinity }
        return value.float.flatMap { 0...widest.decibels ~= $0 ? $0 : nil }
      })
  }
}

extension SettingKey where Value == Duration {
  // contract: length
  static var onsetDebounce: Self { length("onset_debounce_ms") }
  static var hangover: Self { length("hangover_ms") }
  static var muteGrace: Self { length("mute_grace_ms") }
  static var muteCarryOver: Self { length("mute_carry_over_ms") }
  static var mutedSpeechHold: Self { length("muted_speech_hold_ms") }
  static var mutedSpeechRelease: Self { length("muted_speech_release_ms") }
  // contract end
  static var pad: Self { length("pad_ms") }
  static var minSpeech: Self { length("min_speech_ms") }
  static var minSilence: Self { length("min_silence_ms") }
  static var from: Self { length("from_ms", atMost: MediaTime.latestTime) }

  fileprivate static func length(
    _ name: String, atMost longest: Duration = VoiceActivityDetector.Configuration.longestDuration
  ) -> Self {
    let whole = SettingKey<Int>.whole(name, 0...Int(longest / .milliseconds(1)), " of ms")
    return Self(
      name: name, values: whole.values + ", or a length such as \"80ms\"",
      json: { .integer(MediaTime($0).milliseconds) },
      read: { value in
        let given = value.string.flatMap { try? LengthArgument(parsing: $0).duration }
        return given.map { $0 <= longest ? $0 : nil } ?? whole.read(value).map { .milliseconds($0) }
      })
  }
}

extension SettingKey where Value == Bool {
  static var offsetFollowsOnset: Self { flag("offset_follows_onset") }
  static var muted: Self { flag("muted") }
  static var invert: Self { flag("invert") }

  private static func flag(_ name: String) -> Self {
    Self(
      name: name, values: "true or false", json: { .bool($0) },
      read: { if case .bool(let flag) = $0 { flag } else { nil } })
  }
}

// MARK: The input

extension SettingKey where Value == Int {
  static var rawRate: Self { whole("raw_rate_hz", supportedSampleRates, " of Hz") }
  static var rawChannels: Self { whole("raw_channels", supportedChannelCounts) }

  fileprivate static func whole(
    _ name: String, _ range: ClosedRange<Int>, _ unit: String = ""
  ) -> Self {
    Self(
      name: name,
      values: "a whole number\(unit) from \(range.lowerBound) to \(range.upperBound)",
      json: { .integer($0) }, read: { $0.int.flatMap { range ~= $0 ? $0 : nil } })
  }
}

extension SettingKey where Value == RawSampleFormat {
  static var rawSampleFormat: Self { word("raw_sample_format") { try? Value(parsing: $0) } }
}

extension SettingKey where Value == ChannelSelection {
  static var channel: Self {
    Self(
      name: "channel", values: "\"mix\", \"each\", \"any\" or a channel's number from 1 in quotes",
      json: { .string($0.description) }, read: { $0.string.flatMap(Value.init) })
  }
}

/// What a configuration names as the reference.
enum ReferenceSetting: Hashable {
  /// A file, a folder or, live, a device.
  case name(String)
  /// A channel of the recording itself, counted from 1.
  case channel(Int)
}

extension SettingKey where Value == ReferenceSetting? {
  static var reference: Self {
    let channel = SettingKey<Int>.whole("", supportedChannelCounts)
    return SettingKey<ReferenceSetting>(
      name: "reference", values: "a name in quotes, a channel's number from 1",
      json: { setting in
        switch setting {
        case .name(let name): .string(name)
        case .channel(let number): .integer(number)
        }
      },
      read: { value in
        if case .string(let name) = value, !name.isEmpty { return .name(name) }
        return channel.read(value).map { .channel($0) }
      }
    ).orNull
  }
}

extension SettingKey where Value == Duration? {
  static var referenceLatency: Self {
    SettingKey<Duration>.length(
      "reference_latency_ms", atMost: LiveOptions.Reference.longestLatency
    ).orNull
  }
  static var split: Self { SettingKey<Duration>.length("split_ms").orNull }
  static var to: Self {
    SettingKey<Duration>.length("to_ms", atMost: MediaTime.latestTime).orNull
  }
}

extension SettingKey where Value == Float? {
  static var speakerLevel: Self {
    let range = VoiceActivityDetector.SpeakerLevel.range
    let ends = "\(Int(range.lowerBound)) to \(Int(range.upperBound))"
    return SettingKey<Float>(
      name: "speaker_level_dbfs", values: "a number of dBFS from \(ends)", json: { .float($0) },
      read: { $0.float.flatMap { range ~= $0 ? $0 : nil } }
    ).orNull
  }
}

extension SettingKey where Value == MuteTimeline {
  /// Pairs of seconds; an open end is null.
  static var muteTimeline: Self {
    Self(
      name: "mute_timeline",
      values: "pairs of seconds in order, like [[0, 3.5], [10, null]], or [] for never muted",
      json: { .array($0.intervals.map(\.json)) }, read: { MuteTimeline($0) })
  }
}

extension MuteTimeline {
  /// Reads the JSON of ``SettingKey/muteTimeline`` by the rules of `--mute-timeline`.
  fileprivate init?(_ value: JSONValue) {
    guard case .array(let pairs) = value else { return nil }
    if pairs.isEmpty {
      self = .never
      return
    }
    let parts = pairs.compactMap { pair -> String? in
      guard case .array(let ends) = pair, ends.count == 2, case .number(let start) = ends[0] else {
        return nil
      }
      switch ends[1] {
      case .number(let end): return "\(start)-\(end)"
      case .null: return "\(start)-"
      default: return nil
      }
    }
    guard parts.count == pairs.count,
      let timeline = try? Self(parsing: parts.joined(separator: ","))
    else { return nil }
    self = timeline
  }
}

extension MuteTimeline.Interval {
  fileprivate var json: JSONValue { .array([.seconds(start), end.map { .seconds($0) } ?? .null]) }
}

// MARK: Values

extension JSONValue {
  fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }

  /// A finite number.
  fileprivate var float: Float? {
    guard case .number(let digits) = self, let number = Float(digits), number.isFinite else {
      return nil
    }
    return number
  }

  /// A whole number, which may be written with an exponent.
  fileprivate var int: Int? {
    guard case .number(let digits) = self else { return nil }
    return Int(digits) ?? Double(digits).flatMap { Int(exactly: $0) }
  }
}
