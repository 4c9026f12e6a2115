import SystemPackage

/// The identity of the file that a path leads to, however the path is written and through hard or symbolic links. This
/// type alone decides whether two paths lead to the same file.
///
/// Only a path that results would replace has an identity: a regular file, or a name not in use. Devices and pipes are
/// written to directly and lose nothing.
struct FileIdentity: Hashable {
  /// The device and inode of the file itself or, if it does not exist, of the deepest existing folder on its path.
  private let device: DeviceID?
  private let inode: Inode?
  /// The components below that folder that do not exist, the last one first.
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

  /// Creates the identity of the file that a descriptor is open on.
  init?(_ descriptor: FileDescriptor) {
    guard let status = try? descriptor.stat(), status.type == .regular else { return nil }
    (device, inode) = (status.deviceID, status.inode)
  }

  /// Throws if results would replace a file that is read, or standard output would change it. A typing error must not
  /// cost a recording.
  static func check(_ results: [FilePath?], replacing inputs: [FilePath]) throws(RunError) {
    if let input = firstReplaced(of: inputs, by: results.compactMap(\.self)) {
      throw RunError("the results would replace \(input.nameAsInput): choose another name for them")
    }
    guard let output = FileIdentity(.standardOutput),
      let input = inputs.first(where: { FileIdentity(read: $0) == output })
    else { return }
    throw RunError("standard output goes to \(input.nameAsInput), which is read: send it elsewhere")
  }

  /// Returns the first of `paths` that is the same file as one of `results`.
  static func firstReplaced(of paths: [FilePath], by results: [FilePath]) -> FilePath? {
    let replaced = Set(results.compactMap { FileIdentity($0) })
    return paths.first { path in FileIdentity(read: path).map(replaced.contains) ?? false }
  }

  /// Throws if two results are the same file. `results` are options with their files.
  static func checkDistinct(_ results: [(option: String, file: FilePath?)]) throws(RunError) {
    var owners: [FileIdentity: String] = [:]
    for (option, file) in results {
      guard let identity = file.flatMap({ FileIdentity($0) }) else { continue }
      if let owner = owners.updateValue(option, forKey: identity) {
        throw RunError(
          "\(owner) and \(option) name the same file: choose another name for one")
      }
    }
  }

  /// Creates the identity of an input; `-` is the file that standard input was opened on.
  init?(read path: FilePath) {
    if path.isStandardStream { self.init(.standardInput) } else { self.init(path) }
  }
}
