import Annotations
import ArgumentParser
import SystemPackage

/// The options that say where settings come from.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    "Read all or some settings from FILE, in the JSON form that results use. Options override them.",
    value: "FILE")
  var config: PathArgument?

  @Flag(
    help: ArgumentHelp(
      "Ignore the user's own settings: ~/.config/vadmon/config.json (in $XDG_CONFIG_HOME, if that is set), and "
        + "variables such as \(SettingLayer.variable(of: SettingKey.pad.name))."))
  var noConfig = false

  @Flag(help: "Write the settings, each with its source, and exit.")
  var showConfig = false

  /// Returns the settings of all origins.
  func given(_ options: [JSONValue.Member?]) throws(RunError) -> GivenSettings {
    var layers: [SettingLayer] = []
    if !noConfig {
      if let path = SettingLayer.userFile, let user = try SettingLayer(ofUser: path) {
        layers.append(user)
      }
      layers.append(try .environment())
    }
    let ownCount = layers.count
    if let config { layers.append(try SettingLayer(named: config.input())) }
    let layer = SettingLayer(.options, options.compactMap(\.self))
    precondition(
      layer.members.allSatisfy(SettingRule.allow), "options are checked as they are read")
    layers.append(layer)
    return GivenSettings(layers: layers, ownCount: ownCount)
  }
}

/// What files, the environment and the options give. What they leave out is a preset's or a default.
struct GivenSettings: Sendable {
  /// From the least important to the most.
  let layers: [SettingLayer]
  /// The number of layers that are the user's own, which `--no-config` leaves out.
  fileprivate let ownCount: Int

  fileprivate init(layers: [SettingLayer], ownCount: Int) {
    (self.layers, self.ownCount) = (layers, ownCount)
  }

  /// No settings.
  static let none = GivenSettings(layers: [], ownCount: 0)

  /// Returns these without some of the settings, by their names.
  func leaving(out names: Set<String>) -> Self {
    let layers = layers.map { layer in
      SettingLayer(layer.origin, layer.members.filter { !names.contains($0.name) })
    }
    return GivenSettings(layers: layers, ownCount: ownCount)
  }

  /// Returns the most important value of a setting; `nil` if none is given.
  subscript<Value>(key: SettingKey<Value>) -> Value? { layer(giving: key.name)?[key] }

  /// The files that were read.
  var files: [FilePath] {
    layers.compactMap { if case .file(let path) = $0.origin { path } else { nil } }
  }

  /// Throws if results would replace or change a file that was read.
  func check(_ results: [FilePath?]) throws(RunError) {
    for file in files {
      do throws(RunError) {
        try FileIdentity.check(results, replacing: [file])
      } catch {
        guard file == SettingLayer.userFile else { throw error }
        throw RunError(error.messages[0] + ", or add --no-config")
      }
    }
  }

  /// The settings of the file of `--config`.
  var named: [JSONValue.Member] {
    layers.dropFirst(ownCount).first { $0.origin != .options }?.members ?? []
  }

  /// Whether some settings are the user's own.
  var hasOwn: Bool { layers.prefix(ownCount).contains { !$0.members.isEmpty } }

  /// Returns the beginning of a message about a setting that was given.
  func label<Value>(_ key: SettingKey<Value>) -> String {
    layer(giving: key.name)?.label(of: key.name) ?? key.name
  }

  /// Returns what a message calls a setting that was given in the middle of its sentence.
  func phrase<Value>(_ key: SettingKey<Value>) -> String {
    layer(giving: key.name)?.phrase(of: key.name) ?? key.name
  }

  func layer(giving name: String) -> SettingLayer? { layers.last { $0.gives(name) } }

  /// Returns these with only one of `invert` and `split`, which exclude each other: the one that the more important
  /// origin gives.
  func separatingInversion() throws(RunError) -> Self {
    let (invert, split) = (SettingKey.invert, SettingKey.split)
    guard self[invert] == true, (self[split] ?? nil) != nil else { return self }
    let index = { (name: String) in layers.lastIndex { $0.gives(name) } }
    let (first, second) = (index(invert.name) ?? 0, index(split.name) ?? 0)
    guard first != second else {
      throw RunError(
        "\(label(split)) cuts speech, but \(phrase(invert)) lists the silence: choose one")
    }
    return leaving(out: [first < second ? invert.name : split.name])
  }
}
