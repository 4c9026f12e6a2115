import Annotations
import SystemPackage

/// File names as text for messages.
enum FileNames {
  /// Returns the name of an input for messages. Records write standard input as `-`.
  static func asInput(_ file: String) -> String {
    file == "-" ? "standard input" : printable(file)
  }
}

/// Returns the name on one line, with control characters escaped.
func printable(_ path: FilePath) -> String { printable(path.string) }

extension FilePath {
  /// The name of this input for messages.
  var nameAsInput: String { FileNames.asInput(string) }
}
