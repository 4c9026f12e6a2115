import SystemPackage

/// What names of files are made of.
enum FileNames {
  /// The name without folders and without its last ending: `a/b.c.wav` gives `b.c`. Standard input's is
  /// `stdin`. A leading dot begins no ending.
  static func stem(_ path: String) -> String {
    if path == "-" { return "stdin" }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// On one line and without commands to whoever shows it: they become `\n`, `\u{1B}`, `\u{202E}` and so on.
  static func printable(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar.isCommand {
        result.append(contentsOf: scalar.escaped(asASCII: true).unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  static func printable(_ path: FilePath) -> String { printable(path.string) }

  /// What messages call something that is read, which records call `-` where it is standard input.
  static func asInput(_ file: String) -> String {
    file == "-" ? "standard input" : printable(file)
  }
}

extension FilePath {
  /// What messages call something that is read.
  var nameAsInput: String { FileNames.asInput(string) }
}
