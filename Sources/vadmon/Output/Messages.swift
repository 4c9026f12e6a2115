import SystemPackage

/// What vadmon says on standard error: one line each, never mixed with the progress bar.
final class Messages: Sendable {
  private let isQuiet: Bool
  private let progress: ProgressBar?

  init(isQuiet: Bool, progress: ProgressBar?) {
    self.isQuiet = isQuiet
    self.progress = progress
  }

  func error(_ message: String) { line("vadmon: \(message)") }

  /// Left out with --quiet.
  func warning(_ message: String) {
    if !isQuiet { line("vadmon: warning: \(message)") }
  }

  private func line(_ text: String) {
    let text = FileNames.printable(text) + "\n"
    let write = { _ = try? FileDescriptor.standardError.writeAll(text.utf8) }
    if let progress { progress.interrupted(by: write) } else { write() }
  }
}
