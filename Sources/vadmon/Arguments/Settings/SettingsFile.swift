import Annotations
import SystemPackage

/// Settings from files.
extension SettingLayer {
  /// Reads the file of `--config`.
  init(named path: FilePath) throws(RunError) {
    if path.isStandardStream {
      throw RunError("--config needs a file, not '-': write the settings to one")
    }
    try self.init(path, path.contents(atMost: Self.limit))
  }

  /// Reads the user's file; `nil` if there is none, or if it lies in a folder that is closed to this user.
  init?(ofUser path: FilePath) throws(RunError) {
    let bytes: [UInt8]
    do {
      // A pipe would make every run wait for a writer.
      if path.type == .fifo { throw Errno.illegalSeek }
      bytes = try path.readAll(atMost: Self.limit)
    } catch {
      if path.type == nil, !path.isTaken { return nil }
      throw RunError(
        "cannot read \(printable(path)): \(error); make it a file that you may read, or add --no-config",
        exitCode: ExitStatus.inputOutput)
    }
    try self.init(path, bytes)
  }

  /// Checks every setting, also those that only other commands have.
  private init(_ path: FilePath, _ bytes: [UInt8]) throws(RunError) {
    self.init(.file(path))
    members = try settings(try Self.object(bytes, of: path))
    for member in members { try check(member) }
  }

  /// More bytes than settings ever have. A device or a recording that was named by mistake may not end.
  private static let limit = 1 << 20

  private static func object(
    _ bytes: [UInt8], of path: FilePath
  ) throws(RunError) -> [JSONValue.Member] {
    let name = printable(path)
    guard bytes.count <= limit else {
      throw RunError(
        "\(path.nameAsInput) has more than \(limit >> 20) MB, which is too long for settings: check its name",
        exitCode: ExitStatus.badData)
    }
    let text = PlainText(bytes).bytes[...]
    guard text.first(where: { !JSONReader.isBlank($0) }) == UInt8(ascii: "{") else {
      throw RunError(
        "\(name) holds no settings: write them with vadmon analyze --show-config --format json")
    }
    do {
      guard case .object(let members) = try JSONReader.value(of: text) else { return [] }
      return members
    } catch {
      throw RunError("\(name), \(error.message)")
    }
  }

  /// Returns the settings of an object: those of its `config`, beside which only what vadmon writes there is skipped,
  /// or else its own.
  private func settings(
    _ object: [JSONValue.Member]
  ) throws(RunError) -> [JSONValue.Member] {
    let own = object.filter { $0.name != "config" && !Self.notUsed.contains($0.name) }
    guard let config = object.first(where: { $0.name == "config" }) else { return own }
    guard case .object(let settings) = config.value else { return own + [config] }
    if let stray = own.first {
      throw RunError("\(name) has \(printable(stray.name)) beside config: move it into config")
    }
    return settings
  }

  /// What vadmon writes beside `config` in its results and in its settings.
  private static let notUsed: Set = [
    "type", "schema_version", "generator", "lookahead_ms", "sources", "started_at", "input",
    "files",
  ]

  private func check(_ member: JSONValue.Member) throws(RunError) {
    guard let rule = SettingRule.all.first(where: { $0.name == member.name }) else {
      let known = SettingRule.all.map(\.name)
      let remedy =
        Spelling.similar(to: member.name, among: known).map { "did you mean \($0)?" }
        ?? "remove it; vadmon analyze --show-config lists those that exist"
      throw RunError("\(name) has the unknown setting \(printable(member.name)): \(remedy)")
    }
    guard !rule.allows(member.value) else { return }
    let shown = quoted(Array(member.value.text.utf8)[...])
    throw RunError("\(name): \(member.name) cannot be \(shown): write \(rule.values)")
  }
}
