import Annotations
import Glibc
import RealTime
import SystemPackage

// Operations for which swift-system has no short form.

extension FilePath {
  init(bytes: some Sequence<UInt8>) {
    self.init(platformString: bytes.map { CInterop.PlatformChar(bitPattern: $0) } + [0])
  }

  /// The bytes of the path, which need not be UTF-8.
  var bytes: [UInt8] {
    withPlatformString { path in
      UnsafeBufferPointer(start: path, count: length).map(UInt8.init(bitPattern:))
    }
  }

  /// The path as text that keeps every byte, as ``ArgumentBytes`` does. It is not for display.
  var text: String { ArgumentBytes.string(from: bytes) }

  /// The last component as such text; empty if there is none.
  var nameText: String { FilePath(root: nil, components.suffix(1)).text }

  /// The same without its extension (``RecordingName/stem(_:)``).
  var stemText: String { RecordingName.stem(text) }

  /// Returns a file or folder in this one, by such text.
  func appending(text: String) -> FilePath {
    appending(bytes: ArgumentBytes.bytes(of: text))
  }

  /// The type of the file; `nil` if it does not exist or cannot be queried.
  var type: FileType? { try? stat().type }

  /// The size of the file in bytes; 0 if it cannot be queried.
  var size: Int64 { (try? stat().size) ?? 0 }

  var isFolder: Bool { type == .directory }

  /// Whether the path is a regular file or a name not in use.
  var isReplaceable: Bool {
    // Asked once: another process may make the file between two questions.
    let type = type
    return type == nil || type == .regular
  }

  /// Whether a new file of this name would replace something. Devices and pipes are written to directly and lose
  /// nothing. A symbolic link whose target does not exist counts as taken.
  var isTaken: Bool {
    guard (try? stat(followTargetSymlink: false)) != nil else { return false }
    return isReplaceable || isFolder
  }

  /// The path with its symbolic links followed; the last one may lead to a name not in use.
  var resolvingLinks: FilePath { real ?? links.last ?? self }

  /// The open descriptor of this process that the path names: /dev/stdout, /dev/fd/1, /proc/self/fd/1 or a link to one.
  var namedDescriptor: FileDescriptor? {
    guard let descriptors = FilePath("/proc/self/fd").real else { return nil }
    let named = ([self] + links).first { $0.parent.real == descriptors }
    return named?.lastComponent.flatMap { Int32($0.string) }.map(FileDescriptor.init(rawValue:))
  }

  private var parent: FilePath {
    let parent = removingLastComponent()
    return parent.isEmpty ? "." : parent
  }

  /// Returns why this file or folder could not be made. In /proc and the like, where nobody can make any, the system
  /// says that it does not exist.
  func reason(_ errno: Errno) -> Errno {
    errno == .noSuchFileOrDirectory && parent.isFolder ? .notSupported : errno
  }

  /// The path without symbolic links; `nil` if it does not exist.
  private var real: FilePath? {
    guard let resolved = withPlatformString({ realpath($0, nil) }) else { return nil }
    defer { free(resolved) }
    return FilePath(platformString: resolved)
  }

  /// Where the link leads, and if that is a link, where that leads, and so on. The system follows 40
  /// (path_resolution(7)).
  private var links: [FilePath] {
    var links: [FilePath] = []
    while links.count < 40, let next = (links.last ?? self).linkTarget { links.append(next) }
    return links
  }

  private var linkTarget: FilePath? {
    var buffer = [CInterop.PlatformChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = withPlatformString { readlink($0, &buffer, Int(PATH_MAX)) }
    return count > 0 ? removingLastComponent().pushing(FilePath(platformString: buffer)) : nil
  }

  /// Throws if the file exists and must not be written. Renaming another file to its name would replace it
  /// nevertheless.
  func checkMayBeReplaced() throws(Errno) {
    let result = withPlatformString { faccessat(AT_FDCWD, $0, W_OK, AT_EACCESS) }
    if result != 0, errno != ENOENT { throw Errno(rawValue: errno) }
  }

  /// Gives a new file the owner and the permissions of this one, if it exists. Without the right to set its group, the
  /// new file's group may do no more than others.
  func copyPermissions(to descriptor: FileDescriptor) {
    guard let status = try? stat() else { return }
    let (file, group) = (descriptor.rawValue, status.groupID.rawValue)
    let hasGroup =
      fchown(file, status.userID.rawValue, group) == 0 || fchown(file, .max, group) == 0
    let mode = status.permissions.rawValue & 0o777
    let others = (mode & 0o007) << 3 | 0o707
    // A file system without permissions refuses this, and then has none to keep.
    _ = fchmod(file, hasGroup ? mode : mode & others)
  }

  func rename(to target: FilePath) throws(Errno) {
    let result = withPlatformString { from in target.withPlatformString { Glibc.rename(from, $0) } }
    if result != 0 { throw Errno(rawValue: errno) }
  }

  /// Renames the file to a name not in use. Throws `fileExists` if the name has been taken meanwhile.
  func rename(toNew target: FilePath) throws(Errno) {
    if withPlatformString({ from in target.withPlatformString { link(from, $0) } }) == 0 {
      return unlink()
    }
    let reason = Errno(rawValue: errno)
    guard reason != .fileExists else { throw reason }
    try rename(toReserved: target)
  }

  /// Does the same on a file system without hard links: creates an empty file to reserve the name, then renames over
  /// it. The empty file is removed if renaming fails.
  func rename(toReserved target: FilePath) throws(Errno) {
    let reserved = try catching {
      let descriptor = try FileDescriptor.open(
        target, .writeOnly, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
      return try descriptor.closeAfter { FileIdentity(descriptor) }
    }
    do {
      try rename(to: target)
    } catch {
      if FileIdentity(target) == reserved { target.unlink() }
      throw error
    }
  }

  /// Opens a device or a pipe for writes that wait, but does not wait for the reader of a pipe.
  func openNow() throws(Errno) -> FileDescriptor {
    try catching {
      let descriptor = try FileDescriptor.open(
        self, .writeOnly, options: [.closeOnExec, .nonBlocking])
      let flags = fcntl(descriptor.rawValue, F_GETFL)
      _ = fcntl(descriptor.rawValue, F_SETFL, flags & ~O_NONBLOCK)
      return descriptor
    }
  }

  func unlink() { _ = withPlatformString { Glibc.unlink($0) } }

  /// Creates a folder and its missing parents. An existing folder is not an error.
  func makeFolder() throws(Errno) {
    if isFolder || isEmpty { return }
    try removingLastComponent().makeFolder()
    guard withPlatformString({ mkdir($0, 0o777) }) != 0 else { return }
    let reason = reason(Errno(rawValue: errno))
    // Another process may have created it meanwhile.
    guard reason == .fileExists else { throw reason }
    guard isFolder else { throw .notDirectory }
  }

  func appending(bytes: [UInt8]) -> FilePath {
    FilePath.Component(platformString: bytes.map { CInterop.PlatformChar(bitPattern: $0) } + [0])
      .map(appending) ?? self
  }
}
