import Annotations
import Glibc
import SystemPackage

/// Settings from the environment, and what it says about the user's file.
extension SettingLayer {
  private static let prefix = "VADMON_"

  /// Returns the variable that gives a setting.
  static func variable(of setting: String) -> String { prefix + setting.uppercased() }

  /// Reads the variables of the process. Empty ones count as unset.
  static func environment() throws(RunError) -> Self {
    var layer = Self(.environment)
    var next = environ
    while let variable = next.pointee {
      next += 1
      guard strncmp(variable, prefix, prefix.utf8.count) == 0 else { continue }
      let bytes = UnsafeRawBufferPointer(start: variable, count: strlen(variable))
      let parts = bytes.split(separator: UInt8(ascii: "="), maxSplits: 1)
      guard parts.count == 2 else { continue }
      if let member = try member(ArgumentBytes.string(from: parts[0]), Array(parts[1])) {
        layer.members.append(member)
      }
    }
    return layer
  }

  private static func member(
    _ variable: String, _ bytes: [UInt8]
  ) throws(RunError) -> JSONValue.Member? {
    if EventHook.Variable(rawValue: variable) != nil || isOfService(variable) { return nil }
    guard let rule = SettingRule.all.first(where: { self.variable(of: $0.name) == variable }) else {
      throw RunError("\(printable(variable)) gives no setting: \(remedy(for: variable))")
    }
    guard let text = String(validating: bytes, as: UTF8.self), let value = rule.value(of: text)
    else {
      // A variable has no quotes.
      let values = rule.values.filter { $0 != "\"" }.replacing(" in quotes", with: "")
      throw RunError("\(variable) cannot be \(quoted(bytes[...])): write \(values)")
    }
    return JSONValue.Member(name: rule.name, value: value)
  }

  /// Whether Kubernetes sets a variable, in every container beside a service that is called vadmon (Kubernetes,
  /// "Service", section "Environment variables").
  private static func isOfService(_ variable: String) -> Bool {
    ["VADMON_SERVICE_", "VADMON_PORT"].contains { variable.hasPrefix($0) }
  }

  private static func remedy(for variable: String) -> String {
    let name = variable.dropFirst(prefix.count).lowercased()
    let similar = Spelling.similar(to: name, among: SettingRule.all.map(\.name))
    let remedy =
      similar.map {
        "did you mean \(prefix)\($0.uppercased().replacing(" OR ", with: " or \(prefix)"))?"
      }
      ?? "unset it; vadmon analyze --show-config lists the settings, such as pad_ms for \(Self.variable(of: SettingKey.pad.name));"
    return "\(remedy) --no-config ignores all variables"
  }

  /// The user's file by the XDG Base Directory Specification, which ignores folders that are not absolute; `nil` if the
  /// environment names none.
  static var userFile: FilePath? {
    let base = folder("XDG_CONFIG_HOME") ?? folder("HOME")?.appending(".config")
    return base?.appending("vadmon").appending("config.json")
  }

  private static func folder(_ variable: String) -> FilePath? {
    getenv(variable).map { FilePath(platformString: $0) }.flatMap { $0.isAbsolute ? $0 : nil }
  }
}
