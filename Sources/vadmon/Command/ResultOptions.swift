import ArgumentParser
import SystemPackage

/// Where results go, and what is said beside them: the same in every command.
struct ResultOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write results to FILE, which is replaced once they are complete.", valueName: "FILE"))
  var output: PathArgument?

  @Flag(name: .shortAndLong, help: "No progress bar and no warnings on standard error.")
  var quiet = false

  /// `nil`: standard output, by whatever name.
  var file: FilePath? { output.flatMap { $0.path.isStandardStream ? nil : $0.path } }
}
