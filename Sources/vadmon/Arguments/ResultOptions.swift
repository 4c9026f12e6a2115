import ArgumentParser
import SystemPackage

/// The destination of results, and the messages beside them: the same options in every command.
struct ResultOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the results to FILE, which is replaced once they are complete.", valueName: "FILE"))
  var output: PathArgument?

  @OptionGroup var messages: MessageOptions

  var quiet: Bool { messages.quiet }

  /// The output file; `nil` for standard output, also if `-` was given.
  var file: FilePath? { output.flatMap { $0.path.isStandardStream ? nil : $0.path } }
}

/// How much is said beside the results.
struct MessageOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Show no progress bar and no warnings.")
  var quiet = false
}
