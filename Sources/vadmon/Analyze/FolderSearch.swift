import Annotations
import AudioInput
import RealTime
import SystemPackage

/// The recordings in a folder: files that look like recordings by the extension of their names or by their first bytes,
/// whether or not they can be read. Other files, such as labels and pictures, are passed over and counted.
struct FolderSearch {
  /// The recordings, and the folders that cannot be read, in the order of their names.
  private(set) var inputs: [Input] = []
  /// The number of files passed over, by kind.
  private var passedOver: [String: Int] = [:]

  init(_ folder: FilePath) {
    Folder.walk(folder) { item in
      switch item {
      case .file(let path):
        if MediaName.isRecording(path) || Self.looksLikeRecording(path) {
          inputs.append(.found(path))
        } else {
          passOver(path.extension.map { ".\($0)" } ?? "without an ending")
        }
      case .lostLink(let path):
        if MediaName.isRecording(path) {
          inputs.append(.file(path))
        } else {
          passOver("links to nowhere")
        }
      case .pipe(let path):
        if MediaName.isRecording(path) {
          inputs.append(.unusable(ErrorRecord(pipe: path)))
        } else {
          passOver("hidden or special")
        }
      case .repeated: passOver("links to folders already read")
      case .other: passOver("hidden or special")
      case .failure(let error): inputs.append(.unusable(ErrorRecord(error)))
      }
    }
  }

  /// A summary such as "3 items that are not recordings: 2 .txt, 1 .png"; `nil` if nothing was passed over.
  var summary: String? {
    let count = passedOver.values.reduce(0, +)
    guard count > 0 else { return nil }
    let kinds = passedOver.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return
      counted(count, "item that is not a recording", "items that are not recordings") + ": "
      + kinds.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
  }

  /// A file that cannot be opened counts, so that the analysis reports why, unless its ending is that of something
  /// else.
  private static func looksLikeRecording(_ path: FilePath) -> Bool {
    do throws(AudioInputError) {
      return try AudioFileSource.looksLikeRecording(path)
    } catch .cannotOpen(_, let errno), .readFailed(_, let errno) {
      return path.extension == nil || errno.remedyForLimit != nil
    } catch {
      return false
    }
  }

  private mutating func passOver(_ kind: String) { passedOver[kind, default: 0] += 1 }
}

extension ErrorRecord {
  /// Creates a record for a pipe found in a folder. Opening it could block for ever if it has no writer.
  fileprivate init(pipe path: FilePath) {
    self.init(
      file: path.string,
      message: """
        cannot read \(path): it is a named pipe in a folder, which is not waited for; name it on the command line
        """,
      exitCode: ExitStatus.noInput)
  }

  init(_ error: Folder.ReadError) {
    let remedy = error.errno.remedyForLimit
    self.init(
      file: error.path.string,
      message:
        "cannot read the folder \(error.path): \(error.errno); \(remedy ?? "check your permission to read it")",
      exitCode: remedy == nil ? ExitStatus.noInput : ExitStatus.inputOutput)
  }
}
