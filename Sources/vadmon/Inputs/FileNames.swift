import Annotations
import SystemPackage

/// File names as text for messages.
enum FileNames {
  /// Returns the text on one line, with control characters and other terminal commands escaped as `\n`, `\u{1B}`,
  /// `\u{202E}` and so on.
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

  /// Returns the name of an input for messages. Records write standard input as `-`.
  static func asInput(_ file: String) -> String {
    file == "-" ? "standard input" : printable(file)
  }
}

extension FilePath {
  /// The name of this input for messages.
  var nameAsInput: String { FileNames.asInput(string) }
}
