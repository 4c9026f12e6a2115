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

  func unlink() { _ = withPlatformString { Glibc.unlink($0) } }

  /// Makes a folder and those above it; no error if it is there.
  func makeFolder() throws(Errno) {
    if isFolder || isEmpty { return }
    try removingLastComponent().makeFolder()
    if withPlatformString({ mkdir($0, 0o777) }) != 0, errno != EEXIST {
      throw Errno(rawValue: errno)
    }
  }

  func appending(bytes: [UInt8]) -> FilePath {
    FilePath.Component(platformString: bytes.map { CInterop.PlatformChar(bitPattern: $0) } + [0])
      .map(appending) ?? self
  }
}
