import Annotations

/// What a setting may be, without the type of its value.
struct SettingRule {
  let name: String
  let values: String
  let allows: (JSONValue) -> Bool

  init<Value>(_ key: SettingKey<Value>) {
    (name, values) = (key.name, key.values)
    allows = { key.read($0) != nil }
  }

  /// Returns the value that a text without quotes stands for; `nil` if it is not allowed. A fraction is a number only:
  /// as a length it would be in seconds.
  func value(of text: String) -> JSONValue? {
    guard let json = try? JSONReader.value(of: Array(text.utf8)[...]) else {
      return allows(.string(text)) ? .string(text) : nil
    }
    if allows(json) { return json }
    return Int(text) != nil && allows(.string(text)) ? .string(text) : nil
  }

  /// Whether a setting has a value that it may have.
  static func allow(_ setting: JSONValue.Member) -> Bool {
    all.contains { $0.name == setting.name && $0.allows(setting.value) }
  }

  /// The settings of all commands.
  static var all: [Self] {
    [Self(.preset), Self(.onsetThreshold), Self(.offsetThreshold)]
      + LengthSetting.all.map { Self($0.key) } + [
        Self(.offsetFollowsOnset), Self(.pad), Self(.minSpeech), Self(.minSilence), Self(.split),
        Self(.invert), Self(.from), Self(.to),
        Self(.rawRate), Self(.rawSampleFormat), Self(.rawChannels), Self(.channel),
        Self(.reference), Self(.referenceLatency), Self(.muteTimeline), Self(.muted),
        Self(.speakerMargin), Self(.speakerLevel),
      ]
  }
}
