import Annotations

/// An input other than the chosen one, which has sound while that has none.
struct OtherInput: Sendable, Hashable {
  /// The ALSA name.
  var device: String
  /// May be empty.
  var title = ""

  /// The text for people.
  var sentence: String {
    let title = title.isEmpty ? "" : " (\(printable(title)))"
    return
      "The microphone is silent, but another input has sound: use --device \(argument)\(title)."
  }

  /// The name as an argument in a shell. ALSA's names may have apostrophes.
  private var argument: String {
    let name = printable(device)
    return name.contains { "' ();&|<>*?".contains($0) } ? "\"\(name)\"" : name
  }
}
