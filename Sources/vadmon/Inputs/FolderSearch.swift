import AudioInput
import SystemPackage

/// The recordings in a folder: what looks like one, by the ending of its name or by its first bytes, whether or not it
/// can be read. What is plainly none, such as labels and pictures, is passed over and counted.
struct FolderSearch {
  /// Recordings, and folders that cannot be read, in the order of their names.
  private(set) var inputs: [Input] = []
  /// How many files were passed over, by their kind.
  private var passedOver: [String: Int] = [:]

  init(_ folder: FilePath) {
    Folder.walk(folder) { item in
      switch item {
      case .file(let path):
        if MediaName.isRecording(path) || Recording.recognises(path) {
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
      case .other: passOver("hidden or special")
      case .failure(let error): inputs.append(.unusable(ErrorRecord(error)))
      }
    }
  }

  /// "3 files that are no recordings: 2 .txt, 1 .png"; `nil` if there are none.
  var summary: String? {
    let count = passedOver.values.reduce(0, +)
    guard count > 0 else { return nil }
    let kinds = passedOver.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return "\(count) \(count == 1 ? "file that is no recording" : "files that are no recordings"): "
      + kinds.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
  }

  private mutating func passOver(_ kind: String) { passedOver[kind, default: 0] += 1 }
}

extension ErrorRecord {
  /// Nobody may be writing into it, and the run would wait for ever.
  fileprivate init(pipe path: FilePath) {
    self.init(
      file: path.string,
      message: """
        cannot read \(path): it is a named pipe, and those in folders are not waited for; give it \
        by name
        """,
      exitCode: ExitStatus.noInput)
  }

  fileprivate init(_ error: Folder.ReadError) {
    self.init(
      file: error.path.string,
      message:
        "cannot read the folder \(error.path): \(error.errno); check your permission to read it",
      exitCode: ExitStatus.noInput)
  }
}
