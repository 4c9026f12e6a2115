import Glibc

/// What the environment says of a terminal.
enum Terminal {
  /// https://no-color.org: present and not empty.
  static func wantsColor(_ choice: ColorChoice, descriptor: Int32) -> Bool {
    switch choice {
    case .always: true
    case .never: false
    case .auto: canMoveCursor(descriptor) && (environment("NO_COLOR") ?? "").isEmpty
    }
  }

  /// The descriptor is a terminal that understands more than text.
  static func canMoveCursor(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1 && environment("TERM") != "dumb"
  }

  /// Columns of a terminal; 80 if it does not say.
  static func columns(_ descriptor: Int32) -> Int { size(descriptor).columns }

  /// 80 × 24 if it does not say.
  static func size(_ descriptor: Int32) -> (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (80, 24) }
    return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
  }

  /// The locale's characters are UTF-8's, as POSIX ranks the variables that name it; without one it is C, whose
  /// characters are ASCII's. The locale itself need not be installed.
  static var isUTF8: Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap(environment)
    guard let locale = names.first(where: { !$0.isEmpty }) else { return false }
    // language_TERRITORY.codeset@modifier
    let codeset = locale.split(separator: "@")[0].split(separator: ".").dropFirst().first ?? ""
    return codeset.lowercased().filter { $0 != "-" } == "utf8"
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
