import Annotations
import Processes
import SystemPackage

/// A run of `vadmon label`, from checked options to an exit code.
struct LabelRun: CommandRun {
  let analysis: AnalyzeOptions
  let page: FilePath
  let opens: Bool

  func run() -> Int32 {
    let old = FileIdentity(page)
    let status = AnalyzeRun(options: analysis).run()
    // If nothing could be read there is no page, or still an old one.
    guard !analysis.showsConfiguration, old == nil || FileIdentity(page) != old else {
      return status
    }
    do throws(RunError) {
      // Not behind the page, if that went to a pipe or a device.
      if page.type == .regular { try ResultOutput.deliver("\(printable(page))\n", to: nil) }
      if opens { try PageOpening.open(page) }
      return status
    } catch {
      Messages().report(error)
      return status == ExitStatus.done ? error.exitCode : status
    }
  }
}

/// Pages in the browser of the desktop.
enum PageOpening {
  private static let program = "xdg-open"

  /// How long a failure is waited for, in milliseconds. Some xdg-open end only with the browser.
  private static let patience: Int32 = 5000

  /// Throws an error if the program is not installed. Call it before the analysis.
  static func checkIsInstalled() throws(RunError) {
    if !ProgramSearch.finds(program) {
      throw RunError(
        "--open needs \(program), which is not on PATH; install it (xdg-utils), or open the page yourself",
        exitCode: ExitStatus.unavailable)
    }
  }

  /// Opens a page. The browser runs in a session of its own, because it outlives this process.
  static func open(_ page: FilePath) throws(RunError) {
    let words = ["--fork", "--wait", program].map { Array($0.utf8) }
    let command = ChildProcess.Command("setsid", words + [page.absolute.bytes])
    guard let complaint = complaint(command) else { return }
    throw RunError(
      "cannot open \(printable(page)): \(program) \(complaint); open it in a browser yourself",
      exitCode: ExitStatus.unavailable)
  }

  private static func complaint(_ command: ChildProcess.Command) -> String? {
    let child: ChildProcess
    do { child = try ChildProcess(command, isQuiet: true) } catch { return error.description }
    let hasEnded = child.hasEnded(within: patience)
    // This ends setsid, which waits, but not what it has started.
    if !hasEnded { child.end() }
    let end = child.wait(endingGroup: false)
    return hasEnded ? end.complaint : nil
  }
}
