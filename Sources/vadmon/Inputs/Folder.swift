import Glibc
import SystemPackage

/// The files of a folder and of those in it.
enum Folder {
  struct ReadError: Error, Hashable {
    var path: FilePath
    var errno: Errno
  }

  /// What a folder holds.
  enum Item {
    case file(FilePath)
    /// A symbolic link that leads nowhere.
    case lostLink(FilePath)
    /// A named pipe, which somebody may write into some day.
    case pipe(FilePath)
    /// What is not looked into: names that begin with a dot, links to folders, sockets and devices.
    case other(FilePath)
    /// A folder that cannot be read.
    case failure(ReadError)
  }

  /// Regular files, sorted by their bytes, folder by folder. Names that begin with a dot are hidden and left
  /// out. Symbolic links lead to files but not to folders, so that no circle has no end.
  static func files(under folder: FilePath) throws(ReadError) -> [FilePath] {
    var files: [FilePath] = []
    var failure: ReadError?
    walk(folder) { item in
      switch item {
      case .file(let path): files.append(path)
      case .failure(let error): failure = failure ?? error
      case .lostLink, .pipe, .other: break
      }
    }
    if let failure { throw failure }
    return files
  }

  /// Everything, in the same order.
  static func walk(_ folder: FilePath, _ visit: (Item) -> Void) {
    let paths: [FilePath]
    do {
      paths = try entries(of: folder)
    } catch {
      return visit(.failure(error))
    }
    for path in paths {
      switch path.type {
      case _ where path.isHidden: visit(.other(path))
      case .directory? where !path.isLink: walk(path, visit)
      case .regular?: visit(.file(path))
      case .fifo?: visit(.pipe(path))
      case nil: visit(.lostLink(path))
      default: visit(.other(path))
      }
    }
  }

  /// What is in the folder itself, sorted by bytes.
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
