import Glibc
import SystemPackage

// What swift-system has no short call for.

extension FilePath {
  init(bytes: some Sequence<UInt8>) {
    self.init(platformString: bytes.map { CInterop.PlatformChar(bitPattern: $0) } + [0])
  }

  /// What is there; `nil` if nothing is, or nothing that can be asked.
  var type: FileType? { try? stat().type }

  var isFolder: Bool { type == .directory }

  /// A regular file, or nothing yet.
  var isReplaceable: Bool { type == .regular || type == nil }

  /// Something has this name that a new file would replace. Devices and pipes are written to and lose nothing; a link
  /// to nowhere is a name too.
  var isTaken: Bool {
    guard (try? stat(followTargetSymlink: false)) != nil else { return false }
    return isReplaceable || isFolder
  }

  /// The file that symbolic links lead to; the path itself where there is none.
  var resolvingLinks: FilePath {
    guard let resolved = withPlatformString({ realpath($0, nil) }) else { return self }
    defer { free(resolved) }
    return FilePath(platformString: resolved)
  }

  func rename(to target: FilePath) throws(Errno) {
    let result = withPlatformString { from in target.withPlatformString { Glibc.rename(from, $0) } }
    if result != 0 { throw Errno(rawValue: errno) }
  }

  /// Gives a file a name that nothing has; throws `fileExists` if something has it by now.
  func rename(toNew target: FilePath) throws(Errno) {
    if withPlatformString({ from in target.withPlatformString { link(from, $0) } }) == 0 {
      return unlink()
    }
    let reason = Errno(rawValue: errno)
    guard reason != .fileExists else { throw reason }
    try rename(toReserved: target)
  }

  /// The same on a file system without hard links: an empty file of our own holds the name first. It goes away if the
  /// renaming fails.
  func rename(toReserved target: FilePath) throws(Errno) {
    let reserved: FileIdentity?
    do {
      let descriptor = try FileDescriptor.open(
        target, .writeOnly, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
      reserved = FileIdentity(descriptor)
      try descriptor.close()
    } catch {
      throw error as? Errno ?? .ioError
    }
    do {
      try rename(to: target)
    } catch {
      if FileIdentity(target) == reserved { target.unlink() }
      throw error
    }
  }

  func unlink() { _ = withPlatformString { Glibc.unlink($0) } }

  /// Makes a folder and those above it; no error if it is there.
  func makeFolder() throws(Errno) {
    if isFolder || isEmpty { return }
    try removingLastComponent().makeFolder()
    guard withPlatformString({ mkdir($0, 0o777) }) != 0 else { return }
    let reason = Errno(rawValue: errno)
    // Somebody else may have made it meanwhile.
    guard reason == .fileExists else { throw reason }
    guard isFolder else { throw .notDirectory }
  }

  func appending(bytes: [UInt8]) -> FilePath {
    FilePath.Component(platformString: bytes.map { CInterop.PlatformChar(bitPattern: $0) } + [0])
      .map(appending) ?? self
  }
}
