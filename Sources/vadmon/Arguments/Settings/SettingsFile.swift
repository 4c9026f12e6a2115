import Annotations
import SystemPackage

/// The settings that `--config` reads: those of a file, or none.
struct SettingsFile: Sendable {
  /// The file; `nil` without one.
  let path: FilePath?
  /// The settings in the order of the file.
  private(set) var members: [JSONValue.Member] = []

  /// No settings.
  static let none = SettingsFile()

  private init() { path = nil }

  /// Reads a file and checks every setting in it, also those that only other commands have.
  init(_ path: FilePath) throws(UsageError) {
    if path.isStandardStream {
      throw UsageError("--config needs a file, not '-': write the settings to one")
    }
    self.path = path
    members = try settings(try Self.object(in: path))
    for member in members { try check(member) }
  }

  /// The name of the file for messages.
  var name: String { path.map { printable($0) } ?? "" }

  /// Returns the value of a setting; `nil` if the file does not have it.
  subscript<Value>(key: SettingKey<Value>) -> Value? {
    members.first { $0.name == key.name }.flatMap { key.read($0.value) }
  }

  /// More bytes than settings ever have. A device or a recording that was named by mistake may not end.
  private static let limit = 1 << 20

  private static func object(in path: FilePath) throws(UsageError) -> [JSONValue.Member] {
    let name = printable(path)
    let bytes: [UInt8]
    do {
      bytes = try path.contents(atMost: limit)
    } catch {
      throw UsageError(error.messages[0], exitCode: error.exitCode)
    }
    guard bytes.count <= limit else {
      throw UsageError(
        "\(path.nameAsInput) has more than \(limit >> 20) MB, which is too long for settings: check its name",
        exitCode: ExitStatus.badData)
    }
    let text = PlainText(bytes).bytes[...]
    guard text.first(where: { !JSONReader.isBlank($0) }) == UInt8(ascii: "{") else {
      throw UsageError(
        "\(name) holds no settings: write them with vadmon analyze --show-config --format json")
    }
    do {
      guard case .object(let members) = try JSONReader.value(of: text) else { return [] }
      return members
    } catch {
      throw UsageError("\(name), \(error.message)")
    }
  }

  /// Returns the settings of an object: those of its `config`, beside which only what vadmon writes there is skipped,
  /// or else its own.
  private func settings(
    _ object: [JSONValue.Member]
  ) throws(UsageError) -> [JSONValue.Member] {
    let own = object.filter { $0.name != "config" && !Self.notUsed.contains($0.name) }
    guard let config = object.first(where: { $0.name == "config" }) else { return own }
    guard case .object(let settings) = config.value else { return own + [config] }
    if let stray = own.first {
      throw UsageError("\(name) has \(printable(stray.name)) beside config: move it into config")
    }
    return settings
  }

  /// What vadmon writes beside `config` in its results and in its settings.
  private static let notUsed: Set = [
    "type", "schema_version", "generator", "lookahead_ms", "started_at", "input", "files",
  ]

  private func check(_ member: JSONValue.Member) throws(UsageError) {
    guard let rule = SettingRule.all.first(where: { $0.name == member.name }) else {
      let known = SettingRule.all.map(\.name)
      let remedy =
        Spelling.similar(to: member.name, among: known).map { "did you mean \($0)?" }
        ?? "remove it; vadmon analyze --show-config lists those that exist"
      throw UsageError("\(name) has the unknown setting \(printable(member.name)): \(remedy)")
    }
    guard !rule.allows(member.value) else { return }
    let shown = quoted(Array(member.value.text.utf8)[...])
    throw UsageError("\(name): \(member.name) cannot be \(shown): write \(rule.values)")
  }
}

/// What a setting may be, without the type of its value.
private struct SettingRule {
  let name: String
  let values: String
  let allows: (JSONValue) -> Bool

  init<Value>(_ key: SettingKey<Value>) {
    (name, values) = (key.name, key.values)
    allows = { key.read($0) != nil }
  }

  /// The settings of all commands.
  static var all: [Self] {
    [Self(.preset), Self(.onsetThreshold), Self(.offsetThreshold)]
      + LengthSetting.all.map { Self($0.key) } + [
        Self(.offsetFollowsOnset), Self(.pad), Self(.minSpeech), Self(.minSilence), Self(.split),
        Self(.invert),
        Self(.from), Self(.to), Self(.rawRate), Self(.rawSampleFormat), Self(.rawChannels),
        Self(.channel),
        Self(.reference), Self(.referenceLatency), Self(.muteTimeline), Self(.muted),
        Self(.speakerMargin), Self(.speakerLevel),
      ]
  }
}
