import Annotations
import Glibc
import Processes
import SystemPackage

/// A run of `vadmon label`, from checked options to an exit code.
struct LabelRun: CommandRun {
  let analysis: AnalyzeOptions
  let page: FilePath
  let opens: Bool

  func run() -> Int32 {
    let status = AnalyzeRun(options: analysis).run()
    // A recording that could not be read has no page.
    guard status == ExitStatus.done, page.type != nil, !analysis.showsConfiguration else {
      return status
    }
    do throws(RunError) {
      try ResultOutput.deliver("\(printable(page))\n", to: nil)
      if opens { try PageOpening.open(page) }
      return status
    } catch {
      Messages(isQuiet: false, progress: nil).report(error)
      return error.exitCode
    }
  }
}

/// Pages in the browser of the desktop.
enum PageOpening {
  private static let program = "xdg-open"

  /// Throws an error if the program is not installed. Call it before the analysis.
  static func checkIsInstalled() throws(UsageError) {
    if !ProgramSearch.finds(program) {
      throw UsageError(
        "--open needs \(program), which is not on PATH; install it (xdg-utils), or open the page yourself",
        exitCode: ExitStatus.unavailable)
    }
  }

  /// Opens a page. The browser runs in a session of its own, because it outlives this process.
  static func open(_ page: FilePath) throws(RunError) {
    let path = page.absolute.withPlatformString { path in
      UnsafeBufferPointer(start: path, count: strlen(path)).map(UInt8.init(bitPattern:))
    }
    let command = ChildProcess.Command(
      "setsid", [Array("--fork".utf8), Array(program.utf8), path])
    if let complaint = complaint(command) {
      throw RunError(
        "cannot open \(printable(page)): setsid \(complaint); open it in a browser yourself",
        exitCode: ExitStatus.unavailable)
    }
  }

  private static func complaint(_ command: ChildProcess.Command) -> String? {
    do throws(Errno) {
      return try ChildProcess(command).wait(endingGroup: false).complaint
    } catch {
      return "cannot be run (\(error))"
    }
  }
}
