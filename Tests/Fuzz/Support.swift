// What the fuzz targets in Swift share: an input as a file with a name, and a check that ends the run.

import Glibc
import SystemPackage

/// Hides ffmpeg, which starts slowly and finds sound in noise, and keeps temporary files beside the input.
@_cdecl("LLVMFuzzerInitialize")
public func begin(_: UnsafeMutablePointer<CInt>?, _: UnsafeMutableRawPointer?) -> CInt {
  signal(SIGPIPE, SIG_IGN)
  setenv("PATH", "/nowhere", 1)
  setenv("TMPDIR", InputFile.makeFolder("spool"), 1)
  return 0
}

/// The bytes that libFuzzer passes to a target.
func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
  Array(UnsafeBufferPointer(start: start, count: count))
}

/// Not `precondition`: a find must say what it is in an optimised build too.
func require(_ holds: Bool, _ what: @autoclosure () -> String) {
  if holds { return }
  let line = Array("does not hold: \(what())\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
  abort()
}

/// A file that holds the input, in a folder that goes away with the process.
struct InputFile {
  let path: FilePath

  private static let folder: String = {
    var template = Array("/tmp/vadmon-fuzz-XXXXXX".utf8CString)
    guard let folder = mkdtemp(&template) else { fatalError("no temporary folder") }
    return String(cString: folder)
  }()

  /// A folder beside the files.
  static func makeFolder(_ name: String) -> String {
    let path = "\(folder)/\(name)"
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { fatalError("no folder \(path)") }
    return path
  }

  /// The same name is the same file.
  init(_ name: String, holding bytes: some Collection<UInt8>) {
    path = FilePath("\(Self.folder)/\(name)")
    let flags: FileDescriptor.OpenOptions = [.create, .truncate]
    do {
      let file = try FileDescriptor.open(
        path, .writeOnly, options: flags, permissions: .ownerReadWrite)
      defer { try? file.close() }
      _ = try file.writeAll(bytes)
    } catch {
      fatalError("\(path): \(error)")
    }
  }
}
