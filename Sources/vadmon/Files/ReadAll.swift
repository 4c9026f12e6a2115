import Annotations
import RealTime
import SystemPackage

// Reading files to the end.

extension FilePath {
  /// Returns the contents of the file, or throws an error whose message states why it cannot be read. It stops reading
  /// after `limit` bytes, and returns more than that of a longer file.
  func contents(atMost limit: Int = .max) throws(RunError) -> [UInt8] {
    do {
      return try readAll(atMost: limit)
    } catch {
      throw RunError(cannotRead: self, error)
    }
  }

  /// Returns the contents of a file of text or, with the fault, their beginning if they go beyond ``TextBounds``.
  func textContents() throws(RunError) -> (bytes: [UInt8], fault: LineFault?) {
    var (bytes, block, bounds) = ([UInt8](), [UInt8](), TextBounds())
    do throws(Errno) {
      let descriptor = try open()
      defer { try? descriptor.close() }
      var file = OpenedFile(descriptor)
      while try file.read(onto: &block) {
        do throws(LineFault) { try bounds.add(block) } catch {
          return (bytes.isEmpty ? block : bytes, error)
        }
        bytes += block
        block.removeAll(keepingCapacity: true)
      }
    } catch {
      throw RunError(cannotRead: self, error)
    }
    return (bytes, nil)
  }

  func readAll(atMost limit: Int = .max) throws(Errno) -> [UInt8] {
    let descriptor = try open()
    defer { try? descriptor.close() }
    var file = OpenedFile(descriptor)
    var bytes: [UInt8] = []
    while bytes.count <= limit, try file.read(onto: &bytes) {}
    return bytes
  }

  /// Opens the file for reading.
  func open() throws(Errno) -> FileDescriptor {
    try catching { try FileDescriptor.open(self, .readOnly) }
  }
}

extension RunError {
  init(cannotRead path: FilePath, _ errno: Errno) {
    let reason =
      switch errno {
      case .isDirectory: "it is a folder; name a file in it"
      case .noSuchFileOrDirectory: "\(errno); check its name"
      case .staleNFSFileHandle:
        "it was replaced or became shorter meanwhile; try again once it is complete"
      default:
        "\(errno); "
          + (errno.remedyForLimit
            ?? "check that it is \(path.isStandardStream ? "open" : "a file that you may read")")
      }
    self.init(
      "cannot read \(path.nameAsInput): \(reason)",
      exitCode: errno == .noSuchFileOrDirectory ? ExitStatus.noInput : ExitStatus.inputOutput)
  }
}

/// A file that is read from front to back, as long as it was when this was made, or a pipe to its end.
///
/// What other programs append meanwhile is not read. If they make the file shorter, reading fails, because half of the
/// labels or of a trace gives wrong results.
struct OpenedFile {
  private let descriptor: FileDescriptor
  /// The number of bytes of a file that are still to be read; `nil` for everything else, and for the kernel's files,
  /// which state no size.
  private var left: Int64?

  init(_ descriptor: FileDescriptor) {
    self.descriptor = descriptor
    guard let status = try? descriptor.stat(), status.type == .regular, status.size > 0,
      let position = try? descriptor.seek(offset: 0, from: .current)
    else { return }
    left = max(0, status.size - position)
  }

  /// Appends the bytes that are available, waiting for some if necessary. Returns `false` at the end. A file that has
  /// become shorter is `staleNFSFileHandle`, as if a server had it and had replaced it.
  mutating func read(onto bytes: inout [UInt8]) throws(Errno) -> Bool {
    let room = Int(min(left ?? .max, 1 << 16))
    if room == 0 { return false }
    let block = try descriptor.read(atMost: room)
    if left != nil, block.isEmpty { throw .staleNFSFileHandle }
    left = left.map { $0 - Int64(block.count) }
    bytes += block
    return !block.isEmpty
  }
}

extension FileDescriptor {
  /// Returns the bytes that are available, at most `count`, waiting for some if necessary; none at the end.
  func read(atMost count: Int) throws(Errno) -> [UInt8] {
    try catching {
      try [UInt8](unsafeUninitializedCapacity: count) { buffer, count in
        count = try read(into: UnsafeMutableRawBufferPointer(buffer))
      }
    }
  }
}
