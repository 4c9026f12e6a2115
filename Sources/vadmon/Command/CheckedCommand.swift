import ArgumentParser

/// A command: flags, which are checked as a whole, and a run.
protocol CheckedCommand: ParsableCommand {
  associatedtype Run: CommandRun
  /// What the flags ask for, if they go together.
  func checked() throws(UsageError) -> Run
}

/// What a command does, from checked options to an exit code.
protocol CommandRun {
  func run() -> Int32
}

/// Flags that do not go together, or values that no flag allows. `message` is one sentence.
struct UsageError: Error, Hashable {
  let message: String
  init(_ message: String) { self.message = message }
}

extension CheckedCommand {
  /// Checks the flags only now, not in `validate()`: ArgumentParser calls that before it looks for options that it does
  /// not know, whose values would be taken for arguments.
  func run() throws {
    let status = try checked().run()
    if status != 0 { throw ExitCode(status) }
  }
}
