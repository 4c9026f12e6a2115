import ArgumentParser

/// A command whose flags are checked as a whole before it runs.
protocol CheckedCommand: ParsableCommand {
  associatedtype Run: CommandRun
  /// What the end of the help shows.
  static var examples: [Example] { get }
  /// Returns the run that the flags ask for. Throws if they are inconsistent.
  func checked() throws(RunError) -> Run
}

/// A run of a command, from checked options to an exit code.
protocol CommandRun {
  func run() -> Int32
}

/// A run that reports why it has failed, and has nothing to end before the process ends.
protocol ReportingRun: CommandRun {
  /// Returns the exit code.
  func finish() throws(RunError) -> Int32
}

extension ReportingRun {
  func run() -> Int32 {
    EndingSignals.begin()
    do throws(RunError) {
      return try finish()
    } catch {
      Messages().report(error)
      return error.exitCode
    }
  }
}

extension CheckedCommand {
  /// Checks the flags here and not in `validate()`: ArgumentParser calls that before it looks for unknown options,
  /// whose values it would take for arguments.
  func run() throws {
    let status = try checked().run()
    if status != 0 { throw ExitCode(status) }
  }
}
