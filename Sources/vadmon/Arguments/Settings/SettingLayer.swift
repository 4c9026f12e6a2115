import Annotations
import SystemPackage

/// The settings that one origin gives: a file, the environment or the options.
struct SettingLayer: Sendable {
  enum Origin: Sendable, Hashable {
    case file(FilePath)
    case environment
    case options
  }

  let origin: Origin
  /// The settings in their order, under their names in JSON.
  var members: [JSONValue.Member]

  init(_ origin: Origin, _ members: [JSONValue.Member] = []) {
    (self.origin, self.members) = (origin, members)
  }

  /// Returns the value of a setting; `nil` if this origin does not give it.
  subscript<Value>(key: SettingKey<Value>) -> Value? {
    members.first { $0.name == key.name }.flatMap { key.read($0.value) }
  }

  func gives(_ name: String) -> Bool { members.contains { $0.name == name } }

  /// What messages call the origin.
  var name: String {
    switch origin {
    case .file(let path): printable(path)
    case .environment: "the environment"
    case .options: "the options"
    }
  }

  /// What `--show-config` prints as the source of a setting.
  func source(of setting: String) -> String {
    switch origin {
    case .file(let path): printable(path)
    case .environment: Self.variable(of: setting)
    case .options: "option"
    }
  }

  /// How a setting is spelled here.
  func spelling(of setting: String) -> String {
    switch origin {
    case .file: setting
    case .environment: Self.variable(of: setting)
    case .options: option(of: setting)
    }
  }

  /// The beginning of a message about a setting.
  func label(of setting: String) -> String {
    if case .file(let path) = origin { return "\(printable(path)): \(setting)" }
    return spelling(of: setting)
  }

  /// What a message calls a setting in the middle of its sentence.
  func phrase(of setting: String) -> String {
    if case .file(let path) = origin { return "\(setting) of \(printable(path))" }
    return spelling(of: setting)
  }

  private func option(of setting: String) -> String {
    if let length = LengthSetting.all.first(where: { $0.key.name == setting }) {
      return length.option
    }
    if setting == SettingKey.reference.name, case .channel?? = self[.reference] {
      return "--reference-channel"
    }
    var words = setting.split(separator: "_")
    if ["ms", "db", "dbfs", "hz"].contains(words.last) { words.removeLast() }
    if words.first == "raw" { words.removeFirst() }
    return "--" + words.joined(separator: "-")
  }
}

extension JSONValue.Member {
  /// Creates a setting that an option gives; `nil` if it does not.
  init?<Value>(_ key: SettingKey<Value>, given value: Value?) {
    guard let value else { return nil }
    self.init(name: key.name, value: key.json(value))
  }
}
