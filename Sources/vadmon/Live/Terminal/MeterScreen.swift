import Glibc
import RealTime
import SystemPackage

/// The part of the terminal that the meter is drawn on repeatedly: the alternate screen, which terminals neither rewrap
/// nor scroll when their window is resized, or one line below all other output.
///
/// A drawing is marked as one update (mode 2026), which terminals that know the mode show in one step.
///
/// In the one-line form, the cursor stays at the beginning of the drawing, because terminals that rewrap lines move the
/// cursor with its line.
///
/// All other output goes through ``interrupted(by:)``, which draws the meter again below it. Threads: any.
final class MeterScreen: Sendable {
  private struct State {
    /// The lines on the screen.
    var lines: [String] = []
    var size = Size(columns: 0, rows: 0)
    /// Whether another program uses the terminal.
    var isSuspended = false
  }

  private struct Size: Equatable {
    var columns: Int
    var rows: Int
  }

  let descriptor: FileDescriptor
  /// Whether the meter is on the alternate screen.
  private let isAlternate: Bool
  private let state: Guarded<State>

  init(_ descriptor: FileDescriptor, isAlternate: Bool) {
    (self.descriptor, self.isAlternate) = (descriptor, isAlternate)
    state = Guarded(State(isSuspended: !TerminalModes.isForeground(descriptor.rawValue)))
  }

  /// Draws the lines that `make` returns for the size of the screen, unless they are already there.
  ///
  /// `make` must return at most as many lines as the screen has rows, only one unless on the alternate screen, and no
  /// line longer than the screen is wide.
  func draw(_ make: (_ columns: Int, _ rows: Int) -> [String]) {
    let (columns, rows) = Terminal.size(descriptor.rawValue)
    let size = Size(columns: columns, rows: rows)
    let lines = make(columns, rows)
    state.change { state in
      guard !state.isSuspended, lines != state.lines || size != state.size else { return }
      show(lines, hasNewSize: size != state.size)
      state.lines = lines
      state.size = size
    }
  }

  private func show(_ lines: [String], hasNewSize: Bool) {
    TerminalModes.change {
      TerminalModes.takeScreen(descriptor.rawValue, isAlternate: isAlternate)
      write("\u{1B}[?2026h" + text(lines, hasNewSize: hasNewSize) + "\u{1B}[?2026l")
    }
  }

  private func text(_ lines: [String], hasNewSize: Bool) -> String {
    let body = lines.joined(separator: "\u{1B}[K\r\n") + "\u{1B}[K\u{1B}[J"
    if isAlternate { return "\u{1B}[H" + body }
    // A line that a narrower window has wrapped takes more rows than the new line.
    return (hasNewSize ? Self.clearing : "\r") + body + "\r"
  }

  func erase() { state.change { erase(&$0) } }

  func interrupted(by print: () -> Void) {
    state.change { state in
      let isDrawn = !state.lines.isEmpty
      if isDrawn { clear() }
      print()
      if isDrawn { show(state.lines, hasNewSize: false) }
    }
  }

  /// Removes the meter and restores the terminal for other programs.
  func suspend() {
    state.change { state in
      erase(&state)
      state.isSuspended = true
      TerminalModes.giveBack()
    }
  }

  /// Uses the terminal again, if vadmon is in the foreground.
  func resume() {
    state.change { state in
      state.isSuspended = !TerminalModes.isForeground(descriptor.rawValue)
    }
  }

  private func erase(_ state: inout State) {
    guard !state.lines.isEmpty else { return }
    clear()
    state.lines = []
  }

  private func clear() {
    TerminalModes.change {
      if isAlternate { TerminalModes.giveBackScreen() } else { write(Self.clearing) }
    }
  }

  /// The sequence that clears everything from here on, but not in one step: tmux moves what is cleared from the top of
  /// the screen into its scrollback.
  private static let clearing = "\r\u{1B}[K\n\u{1B}[J\u{1B}[A"

  private func write(_ text: String) { _ = try? descriptor.writeAll(text.utf8) }
}
