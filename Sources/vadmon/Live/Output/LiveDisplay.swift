import SystemPackage

/// The meter and standard error, written by a separate thread, so that a terminal that accepts no output delays no
/// other thread.
///
/// Threads: any.
final class LiveDisplay: StatusDisplay {
  /// The screen of the meter; `nil` if there is no meter.
  let screen: MeterScreen?
  private let printer: Printer

  init(_ screen: MeterScreen?) throws(RunError) {
    self.screen = screen
    printer = try Printer(screen?.descriptor ?? .standardError)
  }

  func draw(_ lines: @escaping @Sendable (_ columns: Int, _ rows: Int) -> [String]) {
    guard let screen else { return }
    printer.put(newest: { () throws(OutputError) in screen.draw(lines) }, of: "meter")
  }

  /// Removes the meter for good and restores the terminal.
  func close() {
    guard let screen else { return }
    printer.put(
      newest: { () throws(OutputError) in
        screen.erase()
        TerminalModes.giveBack()
      }, of: "meter")
  }

  func interrupted(by print: @escaping @Sendable () -> Void) {
    let screen = screen
    _ = printer.put { () throws(OutputError) in
      if let screen { screen.interrupted(by: print) } else { print() }
    }
  }

  /// Waits within `patience` until everything is shown.
  func finish(_ patience: Patience) { _ = try? printer.finish(patience) }
}
