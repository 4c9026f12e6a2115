import ArgumentParser
import SystemPackage

/// The destination of results, and the messages beside them: the same options in every command.
struct ResultOptions: ParsableArguments {
  @Option(
    "Write the results to FILE, which is replaced once they are complete.",
    value: "FILE", name: .shortAndLong)
  var output: PathArgument?

  @OptionGroup var messages: MessageOptions

  var quiet: Bool { messages.quiet }

  /// Returns the output file; `nil` for standard output, also if `-` was given.
  func file() throws(RunError) -> FilePath? {
    guard let output, !output.path.isStandardStream else { return nil }
    return try output.file(for: "--output")
  }
}

/// How much is said beside the results.
struct MessageOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Show no progress bar and no warnings.")
  var quiet = false
}
