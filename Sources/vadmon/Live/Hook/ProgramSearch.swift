import Annotations
import Glibc
import Processes
import RealTime
import SystemPackage

/// The search for a program as execvp(3) does it, without running it.
enum ProgramSearch {
  private enum Failure: Hashable {
    case missing
    /// The first line of a script names an interpreter that cannot be run.
    case noInterpreter(FilePath)
    case refused(Errno)
  }

  /// Throws if the program of an option cannot be run.
  ///
  /// - Parameter argumentOption: The option for each of its arguments; `nil` if they are in the same one.
  static func check(
    _ program: FilePath, of option: String, argumentOption: String? = nil
  ) throws(RunError) {
    guard let failure = failure(program) else { return }
    let reason =
      switch failure {
      case .missing: advice(on: program, argumentOption)
      case .noInterpreter(let path):
        "its first line names the interpreter \(printable(path)), which cannot be run; "
          + "correct that line"
      case .refused(let errno): errno.reasonForRunning
      }
    throw RunError("cannot run \(program.nameAsInput) for \(option): \(reason)")
  }

  /// Returns whether PATH has the program.
  static func finds(_ name: String) -> Bool { failure(FilePath(name)) == nil }

  /// Returns why execvp(3) would fail, or `nil` if there is a file to execute.
  private static func failure(_ program: FilePath) -> Failure? {
    if isPath(program) { return failure(ofFile: program) }
    var failures: [Failure] = []
    for folder in folders {
      guard let failure = failure(ofFile: folder.pushing(program)) else { return nil }
      // Like execvp(3), do not look further once a file has an unknown format.
      if failure == .refused(.execFormatError) { return failure }
      failures.append(failure)
    }
    return failures.first { $0 == .refused(.permissionDenied) }
      ?? failures.first { $0 != .missing } ?? .missing
  }

  private static func failure(ofFile path: FilePath) -> Failure? {
    if path.type == nil { return .missing }
    guard path.isExecutable else { return .refused(.permissionDenied) }
    // A program that its user may run but not read cannot be checked.
    guard let head = ScriptHead(path) else { return nil }
    switch head {
    case .program: return nil
    case .script(let interpreter):
      return interpreter.isExecutable ? nil : .noInterpreter(interpreter)
    case .unknown: return .refused(.execFormatError)
    }
  }

  /// The folders of PATH. An empty one is the working folder.
  private static var folders: [FilePath] {
    // The value that execvp(3) assumes without PATH.
    guard let path = getenv("PATH") else { return ["/bin", "/usr/bin"] }
    let bytes = UnsafeRawBufferPointer(start: path, count: strlen(path))
    return bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map {
      $0.isEmpty ? "." : FilePath(bytes: $0)
    }
  }

  /// Whether the name has a slash, so that it is not searched for.
  private static func isPath(_ program: FilePath) -> Bool {
    program.isAbsolute || program.components.count > 1
  }

  /// Returns the advice for a program that does not exist, perhaps because a whole command line takes its place.
  private static func advice(on program: FilePath, _ argumentOption: String?) -> String {
    let first = FilePath(program.string.prefix { $0 != " " }.description)
    if let argumentOption, first != program, failure(first) == nil {
      return "there is no such program; name \(first.nameAsInput) alone, and add an "
        + "\(argumentOption) for each of its arguments"
    }
    return isPath(program)
      ? "there is no such file; check its path"
      : "PATH has no such program; check its name, or write its path, such as ./NAME"
  }
}

extension ChildProcess {
  /// Starts a program of the user's. Throws what is wrong with it, as the rest of a sentence.
  ///
  /// - Parameter isQuiet: Whether its output is discarded. Otherwise it goes to standard error, because standard output
  ///   is for results.
  init(_ command: Command, isQuiet: Bool) throws(ValueError) {
    var command = command
    if !isQuiet { (command.output, command.errors) = (.standardError, .standardError) }
    do throws(Errno) {
      try self.init(command)
    } catch {
      throw ValueError(description: "cannot be run (\(error.reasonForRunning))")
    }
  }
}

extension Errno {
  /// Why a program cannot be run, and what to do about it.
  var reasonForRunning: String {
    switch self {
    case .noSuchFileOrDirectory:
      "it does not exist, or the interpreter in its first line does not; check both"
    case .permissionDenied: "it is not an executable file; make it one with chmod +x"
    case .execFormatError:
      "it is neither a program nor a script; begin a script with a line like #!/bin/sh"
    case .argListTooLong: "its arguments are too long; write them to a file that it reads"
    default: "\(self); \(remedyForStarting ?? "run it in a shell to see more")"
    }
  }
}
