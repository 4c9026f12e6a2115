import ArgumentParser

/// The search for an option with one value that is given several times. ArgumentParser would take the last value, and
/// would not mention the others.
struct RepeatedOption {
  private let options: [HelpEntry]

  /// Throws if an option is given more often than it may be. The arguments must be valid otherwise.
  static func check(
    _ arguments: [String], of command: any ParsableCommand.Type
  ) throws(RunError) {
    guard mayRepeat(arguments) else { return }
    let search = RepeatedOption(options: HelpEntry.all(of: command).filter(\.takesValue))
    for (index, names) in search.given(arguments) where names.count > 1 {
      if search.options[index].mayBeRepeated { continue }
      let others = names.filter { $0 != names[0] }
      if let other = others.first {
        throw RunError("\(names[0]) and \(other) are one option: give it once")
      }
      throw RunError("\(names[0]) is given \(names.count) times: give it once")
    }
  }

  /// Returns whether anything that looks like an option occurs twice. To write the help takes longer than all the rest
  /// of the start.
  private static func mayRepeat(_ arguments: [String]) -> Bool {
    let names = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("-") }.flatMap { word in
      word.hasPrefix("--") ? [String(word.prefix { $0 != "=" })] : word.dropFirst().map { "-\($0)" }
    }.map { otherNames[$0] ?? $0 }
    return Set(names).count < names.count
  }

  /// Returns the names under which each option is given, by the option's index, in the order of the options.
  private func given(_ arguments: [String]) -> [(Int, [String])] {
    var names: [Int: [String]] = [:]
    var rest = arguments[...]
    while let word = rest.popFirst(), word != "--" {
      guard let (name, hasValue) = option(in: word),
        let index = options.firstIndex(where: { $0.names.contains(name) })
      else { continue }
      names[index, default: []].append(name)
      if !hasValue { rest = rest.dropFirst() }
    }
    return names.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Returns the option in a word, and whether its value is in the same word.
  private func option(in word: String) -> (name: String, hasValue: Bool)? {
    if word.hasPrefix("--") { return (String(word.prefix { $0 != "=" }), word.contains("=")) }
    guard word.hasPrefix("-") else { return nil }
    // Flags may come before it, as in -qo FILE; a value may follow it, as in -j2.
    for (place, letter) in word.dropFirst().enumerated() {
      let name = "-\(letter)"
      guard options.contains(where: { $0.names.contains(name) }) else { continue }
      return (name, place == 0 && word.count > 2)
    }
    return nil
  }
}
