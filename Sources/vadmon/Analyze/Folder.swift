import Glibc
import SystemPackage

/// Access to the files in a folder and its sub-folders.
enum Folder {
  struct ReadError: Error, Hashable {
    var path: FilePath
    var errno: Errno
  }

  /// An item in a folder.
  enum Item {
    case file(FilePath)
    /// A symbolic link whose target does not exist.
    case lostLink(FilePath)
    /// A named pipe. A writer may open it at any time, or never.
    case pipe(FilePath)
    /// A link to a folder that has been visited under another name.
    case repeated(FilePath)
    /// An item that is not visited: a name that begins with a dot, a socket or a device.
    case other(FilePath)
    /// A folder that cannot be read.
    case failure(ReadError)
  }

  /// Returns the regular files under `folder`, sorted by bytes within each folder.
  ///
  /// Names that begin with a dot are hidden and left out. Symbolic links are followed. Folders behind links come last,
  /// so that a folder that is reached without a link keeps its own name. Each folder is visited once, so the walk
  /// always ends.
  static func files(under folder: FilePath) throws(ReadError) -> [FilePath] {
    var files: [FilePath] = []
    var failure: ReadError?
    walk(folder) { item in
      switch item {
      case .file(let path): files.append(path)
      case .failure(let error): failure = failure ?? error
      case .lostLink, .pipe, .repeated, .other: break
      }
    }
    if let failure { throw failure }
    return files
  }

  /// Visits every item under `folder`, in the same order as `files(under:)`.
  static func walk(_ folder: FilePath, _ visit: (Item) -> Void) {
    var progress = Progress(waiting: [folder])
    while !progress.waiting.isEmpty { enter(progress.waiting.removeFirst(), &progress, visit) }
  }

  private struct Progress {
    /// The folder that the walk begins with, or the links to folders that it has found.
    var waiting: [FilePath]
    var visited: Set<Identity> = []
  }

  private struct Identity: Hashable {
    let device: DeviceID
    let inode: Inode
  }

  private static func enter(
    _ folder: FilePath, _ progress: inout Progress, _ visit: (Item) -> Void
  ) {
    if let status = try? folder.stat() {
      let identity = Identity(device: status.deviceID, inode: status.inode)
      guard progress.visited.insert(identity).inserted else { return visit(.repeated(folder)) }
    }
    let paths: [FilePath]
    do {
      paths = try entries(of: folder)
    } catch {
      return visit(.failure(error))
    }
    for path in paths {
      switch path.type {
      case _ where path.isHidden: visit(.other(path))
      case .directory? where path.isLink: progress.waiting.append(path)
      case .directory?: enter(path, &progress, visit)
      case .regular?: visit(.file(path))
      case .fifo?: visit(.pipe(path))
      case nil: visit(.lostLink(path))
      default: visit(.other(path))
      }
    }
  }

  /// Returns the direct entries of a folder, sorted by bytes.
  static func entries(of folder: FilePath) throws(ReadError) -> [FilePath] {
    guard let stream = folder.withPlatformString({ opendir($0) }) else {
      throw ReadError(path: folder, errno: Errno(rawValue: errno))
    }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
    }
    names.sort { $0.lexicographicallyPrecedes($1) }
    return names.map(folder.appending(bytes:))
  }
}

extension FilePath {
  fileprivate var isHidden: Bool { lastComponent?.string.hasPrefix(".") == true }

  fileprivate var isLink: Bool {
    (try? stat(followTargetSymlink: false).type) == .symbolicLink
  }
}
