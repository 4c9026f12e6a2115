import Glibc
import SystemPackage

/// The files of a folder and of those in it.
enum Folder {
  struct ReadError: Error, Hashable {
    var path: FilePath
    var errno: Errno
  }

  /// Regular files, sorted by their bytes, folder by folder. Names that begin with a dot are hidden and left
  /// out. Symbolic links lead to files but not to folders, so that no circle has no end.
  static func files(under folder: FilePath) throws(ReadError) -> [FilePath] {
    var files: [FilePath] = []
    for path in try entries(of: folder) {
      if path.isFolder, !path.isLink {
        files += try self.files(under: path)
      } else if path.type == .regular {
        files.append(path)
      }
    }
    return files
  }

  private static func entries(of folder: FilePath) throws(ReadError) -> [FilePath] {
    guard let stream = folder.withPlatformString({ opendir($0) }) else {
      throw ReadError(path: folder, errno: Errno(rawValue: errno))
    }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name.first != UInt8(ascii: ".") { names.append(name) }
    }
    names.sort { $0.lexicographicallyPrecedes($1) }
    return names.map(folder.appending(bytes:))
  }
}

extension FilePath {
  fileprivate var isLink: Bool {
    (try? stat(followTargetSymlink: false).type) == .symbolicLink
  }
}
