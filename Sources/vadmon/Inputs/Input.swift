import AudioInput
import Logging
import SystemPackage

/// One thing to analyse.
enum Input: Sendable, Hashable {
  case file(FilePath)
  /// A file in a folder, where a video without sound is none of the recordings that were meant.
  case found(FilePath)
  /// A file out of a list: only if it is a regular one. A named pipe, say, could keep the names behind it waiting for
  /// ever.
  case listed(FilePath)
  /// A recording or raw PCM on standard input.
  case standardInput
  /// A folder or list that gives nothing; reported in its turn, so that the others are done.
  case unusable(ErrorRecord)

  /// In records and messages; not the exact bytes of a name that is no UTF-8.
  var name: String {
    switch self {
    case .file(let path), .found(let path), .listed(let path): path.string
    case .standardInput: "-"
    case .unusable(let error): error.file
    }
  }

  /// What is read; `nil` if nothing is.
  var path: FilePath? {
    switch self {
    case .file(let path), .found(let path), .listed(let path): path
    case .standardInput: "-"
    case .unusable: nil
    }
  }

  var isFound: Bool { if case .found = self { true } else { false } }

  /// What files made from this input are called; `nil` if there will be none.
  var stem: String? {
    if case .unusable = self { nil } else { FileNames.stem(name) }
  }
}
