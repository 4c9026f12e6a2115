import Annotations
import AudioInput
import Logging
import SystemPackage

/// One input of an analysis.
enum Input: Sendable, Hashable {
  case file(FilePath)
  /// A file found in a folder. If it is a video without sound, it is passed over, since the user did not name it.
  case found(FilePath)
  /// A file named in a list, which must be a regular file. A named pipe, for example, could block the names after it
  /// for ever.
  case listed(FilePath)
  /// A recording or raw PCM on standard input.
  case standardInput
  /// A folder or list that yields no recording. It is reported in its turn, so that the other inputs are analysed.
  case unusable(ErrorRecord)

  /// The name for records and messages. If the name is not valid UTF-8, these are not its exact bytes.
  var name: String {
    switch self {
    case .file(let path), .found(let path), .listed(let path): path.string
    case .standardInput: "-"
    case .unusable(let error): error.file
    }
  }

  /// The path that is read; `nil` for an unusable input.
  var path: FilePath? {
    switch self {
    case .file(let path), .found(let path), .listed(let path): path
    case .standardInput: "-"
    case .unusable: nil
    }
  }

  /// Whether two inputs are one file, under the same or different names.
  func isSameFile(as other: Input) -> Bool {
    if name == other.name { return true }
    guard let one = path.flatMap({ FileIdentity(read: $0) }) else { return false }
    return one == other.path.flatMap { FileIdentity(read: $0) }
  }

  var isFound: Bool { if case .found = self { true } else { false } }

  /// The stem for files made from this input, as ``FilePath/text`` writes it; `nil` if there are none.
  var stem: String? { path?.stemText }
}
