import Glibc

/// The properties of a terminal, as the environment states them.
enum Terminal {
  /// Returns whether to use colours. NO_COLOR counts if it is present and not empty (https://no-color.org).
  static func wantsColor(_ choice: AutoChoice, descriptor: Int32) -> Bool {
    switch choice {
    case .always: true
    case .never: false
    case .auto: canMoveCursor(descriptor) && (environment("NO_COLOR") ?? "").isEmpty
    }
  }

  /// Returns whether the descriptor is a terminal that supports more than plain text. One without a TERM does not.
  static func canMoveCursor(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1 && !["", "dumb"].contains(environment("TERM") ?? "")
  }

  /// Returns the size of a terminal, or 80 × 24 if it does not report it.
  static func size(_ descriptor: Int32) -> (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (80, 24) }
    return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
  }

  /// Whether the locale's encoding is UTF-8. Without a locale it is ASCII. The locale need not be installed.
  static var isUTF8: Bool { locale.map(isUTF8) ?? false }

  /// Whether there is a locale whose encoding is not UTF-8. Containers and services have none, and what shows their
  /// results takes UTF-8.
  static var refusesUTF8: Bool { locale.map { !isUTF8($0) } ?? false }

  /// The locale, by the variables that POSIX defines, in their order.
  private static var locale: String? {
    ["LC_ALL", "LC_CTYPE", "LANG"].compactMap(environment).first { !$0.isEmpty }
  }

  private static func isUTF8(_ locale: String) -> Bool {
    // language_TERRITORY.codeset@modifier
    let codeset = locale.split(separator: "@")[0].split(separator: ".").dropFirst().first ?? ""
    return codeset.lowercased().filter { $0 != "-" } == "utf8"
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
