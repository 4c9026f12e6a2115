import Glibc
import SystemPackage

/// Where things are shown: decided once, by what standard output and standard error are.
///
/// | standard output | standard error | the meter is on | events go |
/// |---|---|---|---|
/// | a terminal | | standard output | nowhere; with --line above the meter; with --json nowhere but there |
/// | a file | a terminal | standard error | to the file |
/// | a pipe | a terminal | nothing, for what reads the pipe may print there; with --line or --full standard error | to the pipe |
/// | anything else | no terminal | nothing | to standard output |
struct LiveStage {
  /// `nil`: there is no meter.
  let screen: MeterScreen?
  let form: LiveOptions.MeterForm
  let output: LiveOutput
  /// Of the meter.
  let style: TextStyle

  init(_ options: LiveOptions) {
    let place = Self.place(options)
    form = options.meter ?? .full
    screen = place.map(MeterScreen.init)
    style = TextStyle(
      isColored: Terminal.wantsColor(
        options.color, descriptor: (place ?? .standardOutput).rawValue))
    let isShownThere = place == .standardOutput && form == .full
    let textStyle = TextStyle(
      isColored: Terminal.wantsColor(
        options.color, descriptor: FileDescriptor.standardOutput.rawValue))
    output = LiveOutput(
      form: options.isJSON ? .json : isShownThere ? .nothing : .text, style: textStyle,
      screen: screen)
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
    guard let screen else { return }
    let size = screen.size
    // Terminals differ in what they do behind a line that is full.
    let columns = max(1, size.columns - 1)
    let isFull = form == .full && size.rows > FullMeter.lineCount
    screen.draw(
      isFull
        ? FullMeter(state: state, style: style, columns: columns).lines
        : [LineMeter(state: state, style: style, columns: columns).line])
  }
}

extension FileDescriptor {
  /// What is written there appears on no terminal.
  fileprivate var isFile: Bool { (try? stat().type) == .regular }
}
