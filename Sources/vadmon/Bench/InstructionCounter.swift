import CLinux
import Glibc
import SystemPackage

/// A counter of the instructions that this thread executes, if the system allows it.
struct InstructionCounter {
  private let descriptor: FileDescriptor

  /// Why there is none, and what to do, as one sentence.
  struct Missing: Error {
    let reason: String
  }

  init() throws(Missing) {
    let opened = va_open_instruction_counter()
    guard opened >= 0 else { throw Missing(Errno(rawValue: errno)) }
    descriptor = FileDescriptor(rawValue: opened)
  }

  /// Returns how many instructions `body` takes; `nil` if the counter cannot be read.
  func count(_ body: () -> Void) -> Double? {
    guard let before = value else { return nil }
    body()
    return value.map { Double($0 - before) }
  }

  private var value: UInt64? {
    var value: UInt64 = 0
    let size = MemoryLayout<UInt64>.size
    let count = withUnsafeMutableBytes(of: &value) { buffer in
      (try? descriptor.read(into: buffer)) ?? 0
    }
    return count == size ? value : nil
  }
}

extension InstructionCounter.Missing {
  fileprivate init(_ errno: Errno) {
    switch errno {
    case .permissionDenied, .notPermitted:
      reason =
        "the system does not allow to count instructions: run sysctl kernel.perf_event_paranoid=2 as root, outside a container"
    case .noSuchFileOrDirectory, .noSuchAddressOrDevice, .notSupported, .noFunction:
      reason = "this machine does not count instructions: most virtual machines cannot"
    default: reason = "instructions cannot be counted: \(errno)"
    }
  }
}
