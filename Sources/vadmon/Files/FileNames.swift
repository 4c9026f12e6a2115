import Annotations
import SystemPackage

/// Returns the name on one line, with control characters escaped.
func printable(_ path: FilePath) -> String { printable(path.string) }

extension FilePath {
  /// The name of this input for messages.
  var nameAsInput: String { RecordingName.shown(string) }
}
