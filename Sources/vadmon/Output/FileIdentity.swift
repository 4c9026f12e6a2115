import SystemPackage

/// Which file a path leads to, however the path is written and through whatever links, hard or symbolic: the one place
/// that decides whether two paths are the same file.
///
/// Only what results would replace has an identity: a regular file, or nothing yet. Devices and pipes are written to
/// and lose nothing.
struct FileIdentity: Hashable {
  /// What is there: the file itself, or the last folder on the way to it.
  private let device: DeviceID?
  private let inode: Inode?
  /// The names behind it that nothing has yet, the last one first.
  private var missing: [FilePath.Component] = []

  init?(_ path: FilePath) {
    guard path.isReplaceable else { return nil }
    var present = path
    var status = try? present.stat()
    while status == nil, let name = present.lastComponent {
      if name.kind != .currentDirectory { missing.append(name) }
      present.removeLastComponent()
      status = try? (present.isEmpty ? "." : present).stat()
    }
    (device, inode) = (status?.deviceID, status?.inode)
  }

  /// What a descriptor was opened on.
  init?(_ descriptor: FileDescriptor) {
    guard let status = try? descriptor.stat(), status.type == .regular else { return nil }
    (device, inode) = (status.deviceID, status.inode)
  }

  /// What is wrong with results that would replace something that is read; `nil` if they do not. A slip of the hand
  /// must not cost a recording.
  static func complaint(_ results: [FilePath], replacing inputs: [FilePath]) -> String? {
    firstReplaced(of: inputs, by: results).map { input in
      "the results would replace \(input.nameAsInput): choose another name for them"
    }
  }

  /// The first of `paths` that is the same file as one of `results`.
  static func firstReplaced(of paths: [FilePath], by results: [FilePath]) -> FilePath? {
    let replaced = Set(results.compactMap { FileIdentity($0) })
    return paths.first { path in FileIdentity(read: path).map(replaced.contains) ?? false }
  }

  /// `-` is whatever standard input was opened on.
  private init?(read path: FilePath) {
    if path.isStandardStream { self.init(.standardInput) } else { self.init(path) }
  }
}
