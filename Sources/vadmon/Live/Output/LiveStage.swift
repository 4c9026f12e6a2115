import Glibc
import SystemPackage

/// Where the meter and the events appear, determined once from the types of standard output and standard error.
///
/// | standard output | standard error | the meter is on | events go |
/// |---|---|---|---|
/// | a terminal | | standard output; nothing with --json alone | nowhere; with --line or --json to that terminal |
/// | a file | a terminal | standard error | to the file |
/// | a pipe | a terminal | standard error with --line or --full; otherwise nothing | to the pipe |
/// | anything else | no terminal | nothing | to standard output |
///
/// Beside a pipe the meter is off by default, because the pipe's reader may print to the terminal.
struct LiveStage {
  let form: LiveOptions.MeterForm
  let output: LiveOutput
  let display: LiveDisplay
  /// The style of the meter.
  let style: TextStyle

  var hasMeter: Bool { display.screen != nil }

  /// Starts the threads that print. Failures to write standard output are put into the inbox.
  init(_ options: LiveOptions, _ screen: MeterScreen?, _ inbox: LiveInbox) throws(RunError) {
    let place = screen?.descriptor
    form = options.meter ?? .full
    style = Self.style(options, place ?? .standardOutput)
    let isShownThere = place == .standardOutput && form == .full
    let printer = try Printer(.standardOutput) { inbox.put(.unwritable($0)) }
    output = LiveOutput(
      form: options.isJSON ? .json : isShownThere ? .nothing : .text,
      style: Self.style(options, .standardOutput), screen: screen, printer: printer)
    display = try LiveDisplay(screen)
  }

  /// Returns the screen to draw the meter on, or `nil` if there is no meter.
  static func screen(_ options: LiveOptions) -> MeterScreen? {
    place(options).map { MeterScreen($0, isAlternate: options.meter != .line) }
  }

  private static func style(_ options: LiveOptions, _ descriptor: FileDescriptor) -> TextStyle {
    TextStyle(
      isColored: Terminal.wantsColor(options.color, descriptor: descriptor.rawValue),
      isASCII: !Terminal.isUTF8)
  }

  private static func place(_ options: LiveOptions) -> FileDescriptor? {
    if options.isQuiet { return nil }
    let (output, error) = (FileDescriptor.standardOutput, FileDescriptor.standardError)
    if isatty(output.rawValue) == 1 {
      let isWanted = !options.isJSON || options.meter != nil
      return isWanted && Terminal.canMoveCursor(output.rawValue) ? output : nil
    }
    let isWanted = options.meter != nil || output.isFile
    return isWanted && Terminal.canMoveCursor(error.rawValue) ? error : nil
  }
}

extension LiveStage {
  /// Draws the meter, if there is one, in a form that fits the screen.
  func draw(_ state: MeterState) {
    let (style, isFull) = (style, form == .full)
    display.draw { columns, rows in
      // Leave the last column free: terminals differ in how they handle a full line.
      let columns = max(1, columns - 1)
      let lines =
        isFull ? FullMeter(state: state, style: style, columns: columns).lines(atMost: rows) : nil
      return lines ?? [LineMeter(state: state, style: style, columns: columns).line]
    }
  }
}

extension FileDescriptor {
  /// Whether this is a regular file, so that nothing written to it appears on a terminal.
  var isFile: Bool { (try? stat().type) == .regular }
}
