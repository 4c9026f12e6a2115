import SystemPackage

/// The meter and standard error, drawn and written by a thread of their own, so that a terminal that takes nothing
/// holds up nobody.
///
/// Threads: any.
final class LiveDisplay: StatusDisplay {
  /// `nil`: there is no meter.
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

  /// Takes the meter away for good, and gives the terminal back.
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

  /// Waits until everything is shown, within patience.
  func finish(_ patience: Patience) { _ = try? printer.finish(patience) }
}
