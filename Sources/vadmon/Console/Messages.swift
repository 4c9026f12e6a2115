import Annotations
import SystemPackage

/// A display on the terminal that other lines must not interrupt.
protocol StatusDisplay: Sendable {
  /// Calls `print`, at once or on another thread, with the display cleared. The display returns with its next drawing.
  func interrupted(by print: @escaping @Sendable () -> Void)
}

/// The messages on standard error: one line each, never mixed with the progress bar or the meter.
final class Messages: Sendable {
  private let isQuiet: Bool
  private let progress: (any StatusDisplay)?

  init(isQuiet: Bool = false, progress: (any StatusDisplay)? = nil) {
    self.isQuiet = isQuiet
    self.progress = progress
  }

  func error(_ message: String) { line("vadmon: \(message)") }

  /// Writes a line for each reason.
  func report(_ error: RunError) { for message in error.messages { self.error(message) } }

  /// Writes a warning, unless `--quiet` was given.
  func warning(_ message: String) {
    if !isQuiet { line("vadmon: warning: \(message)") }
  }

  /// Writes a note, which is neither an error nor a warning, unless `--quiet` was given.
  func note(_ message: String) {
    if !isQuiet { line("vadmon: \(message)") }
  }

  private func line(_ text: String) {
    let text = printable(text) + "\n"
    let write: @Sendable () -> Void = {
      _ = try? FileDescriptor.standardError.writeAllWaiting(Array(text.utf8))
    }
    if let progress { progress.interrupted(by: write) } else { write() }
  }
}
