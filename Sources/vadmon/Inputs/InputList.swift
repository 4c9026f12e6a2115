import AudioInput
import SystemPackage

/// Turns names of files, folders and lists into inputs, in order.
struct InputList {
  private(set) var inputs: [Input] = []

  init(_ options: AnalyzeOptions) {
    for path in options.inputs { add(path) }
    if let list = options.filesFrom { add(namesIn: list) }
  }

  private mutating func add(_ path: FilePath) {
    if path.isStandardStream {
      inputs.append(.standardInput)
    } else if path.isFolder {
      add(folder: path)
    } else {
      inputs.append(.file(path))
    }
  }

  private mutating func add(folder: FilePath) {
    do {
      // By content, so that labels and notes beside the recordings are passed over.
      let recordings = try Folder.files(under: folder).filter(AudioFileSource.recognises)
      inputs += recordings.map(Input.file)
      if recordings.isEmpty {
        fail(folder, "no audio in the folder \(folder): name another folder or a file")
      }
    } catch {
      fail(
        folder,
        "cannot read the folder \(error.path): \(error.errno); check your permission to read it")
    }
  }

  private mutating func add(namesIn list: FilePath) {
    do {
      let names = try NameList.read(list)
      for name in names { add(name) }
      if names.isEmpty { fail(list, "the list \(list) names no file: put one name on each line") }
    } catch {
      fail(list, "cannot read the list \(list): \(error); check its name")
    }
  }

  private mutating func fail(_ path: FilePath, _ message: String) {
    inputs.append(
      .unusable(
        ErrorRecord(file: path.string, message: message, exitCode: ExitStatus.noInput)))
  }
}
