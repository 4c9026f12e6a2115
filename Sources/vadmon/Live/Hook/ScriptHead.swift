import Glibc
import SystemPackage

/// What the first bytes of an executable file say about how the kernel runs it (execve(2)).
enum ScriptHead: Hashable {
  /// A program in machine code.
  case program
  /// A script that begins with `#!`.
  case script(interpreter: FilePath)
  /// Neither. execve(2) fails with ENOEXEC.
  case unknown

  /// The kernel reads no more of the first line.
  private static let length = 256

  /// Reads the head of a file. Returns `nil` if the file cannot be read, or if other formats may be registered with the
  /// kernel (binfmt_misc).
  init?(_ path: FilePath) {
    guard let descriptor = try? path.open() else { return nil }
    defer { try? descriptor.close() }
    guard let bytes = try? descriptor.read(atMost: Self.length) else { return nil }
    self.init(bytes)
    if self == .unknown, Self.hasOtherFormats { return nil }
  }

  private init(_ bytes: [UInt8]) {
    if bytes.starts(with: [0x7F] + Array("ELF".utf8)) {
      self = .program
    } else if bytes.starts(with: Array("#!".utf8)) {
      let line = bytes.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
      let blanks = Array(" \t".utf8)
      let name = line.drop { blanks.contains($0) }.prefix { !blanks.contains($0) && $0 != 0 }
      self = name.isEmpty ? .unknown : .script(interpreter: FilePath(bytes: name))
    } else {
      self = .unknown
    }
  }

  /// Whether binfmt_misc has formats besides its two control files.
  private static var hasOtherFormats: Bool {
    (try? Folder.entries(of: "/proc/sys/fs/binfmt_misc"))?.contains {
      !["register", "status"].contains($0.lastComponent?.string)
    } ?? false
  }
}

extension FilePath {
  /// Whether this is a file that we may execute.
  var isExecutable: Bool {
    type == .regular && withPlatformString { faccessat(AT_FDCWD, $0, X_OK, AT_EACCESS) } == 0
  }
}
