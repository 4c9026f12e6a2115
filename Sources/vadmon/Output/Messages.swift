import SystemPackage

/// Something on a terminal that other lines must not be mixed with.
protocol StatusDisplay: Sendable {
  /// Prints something else, with the display out of the way.
  func interrupted(by print: @escaping @Sendable () -> Void)
}

/// What vadmon says on standard error: one line each, never mixed with the progress bar or the meter.
final class Messages: Sendable {
  private let isQuiet: Bool
  private let progress: (any StatusDisplay)?

  init(isQuiet: Bool, progress: (any StatusDisplay)?) {
    self.isQuiet = isQuiet
    self.progress = progress
  }

  func error(_ message: String) { line("vadmon: \(message)") }

  /// Left out with --quiet.
  func warning(_ message: String) {
    if !isQuiet { line("vadmon: warning: \(message)") }
  }

  /// Neither of the two: left out with --quiet.
  func note(_ message: String) {
    if !isQuiet { line("vadmon: \(message)") }
  }

  private func line(_ text: String) {
    let text = FileNames.printable(text) + "\n"
    let write: @Sendable () -> Void = { _ = try? FileDescriptor.standardError.writeAll(text.utf8) }
    if let progress { progress.interrupted(by: write) } else { write() }
  }
}
