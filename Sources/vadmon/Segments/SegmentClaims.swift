import RealTime
import SystemPackage

/// The names that no segment may take. `--force` lets a segment replace a file of an earlier run, but no recording that
/// is read, no other result, and no segment of the same run.
final class SegmentClaims: Sendable {
  private let used: Set<FileIdentity>
  /// As they are written, because the folder of a result may be made only now.
  private let names: Guarded<Set<FilePath>>

  /// Creates the names of a run, which reads and writes `files`.
  init(beside files: [FilePath]) {
    used = Set(files.compactMap { FileIdentity(read: $0) })
    names = Guarded(Set(files.map(\.absolute)))
  }

  /// Whether a file is read by this run, or one of its results.
  func contains(_ path: FilePath) -> Bool {
    isUsed(path) || names.change { $0.contains(path.absolute) }
  }

  private func isUsed(_ path: FilePath) -> Bool { FileIdentity(path).map(used.contains) ?? false }

  /// Takes a name for a segment. Throws if it is in use.
  func take(_ path: FilePath) throws(OutputError) {
    if isUsed(path) || !names.change({ $0.insert(path.absolute).inserted }) {
      throw .claimed(name: printable(path))
    }
  }
}
