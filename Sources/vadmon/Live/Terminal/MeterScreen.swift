import Glibc
import SystemPackage
import VoiceActivity

/// The lines of a terminal that the meter is drawn on, again and again in the same place.
///
/// What else is printed goes through ``interrupted(by:)``, which takes the meter away and lets the next
/// drawing begin below. Any thread.
final class MeterScreen: StatusDisplay {
  private struct State {
    /// What is on the screen; the cursor is at the end of its last line.
    var lines: [String] = []
    var columns = 0
    /// Another program has the terminal.
    var isSuspended = false
  }

  let descriptor: FileDescriptor
  private let state: Guarded<State>

  init(_ descriptor: FileDescriptor) {
    self.descriptor = descriptor
    state = Guarded(State(isSuspended: !TerminalModes.isForeground(descriptor.rawValue)))
  }

  var size: (columns: Int, rows: Int) { Terminal.size(descriptor.rawValue) }

  /// Draws lines, none of which is longer than the screen is wide, unless they are there already.
  func draw(_ lines: [String]) {
    let columns = size.columns
    state.change { state in
      guard !state.isSuspended, lines != state.lines || columns != state.columns else { return }
      TerminalModes.takeScreen(descriptor.rawValue)
      let body = lines.joined(separator: "\u{1B}[K\r\n")
      write(Self.top(of: state, columns) + body + "\u{1B}[K\u{1B}[J")
      state.lines = lines
      state.columns = columns
    }
  }

  func erase() { state.change { erase(&$0) } }

  func interrupted(by print: () -> Void) {
    state.change { state in
      erase(&state)
      print()
    }
  }

  /// Leaves the terminal to others, as it was.
  func suspend() {
    state.change { state in
      erase(&state)
      state.isSuspended = true
      TerminalModes.giveBack()
    }
  }

  /// Takes the terminal again, if it is ours.
  func resume() {
    state.change { state in
      state.isSuspended = !TerminalModes.isForeground(descriptor.rawValue)
    }
  }

  private func erase(_ state: inout State) {
    guard !state.lines.isEmpty else { return }
    write(Self.top(of: state, size.columns) + "\u{1B}[J")
    state.lines = []
  }

  /// Moves the cursor to where the drawing begins. Lines that have become too long for a window that was
  /// made narrower are wrapped by most terminals, and take more rows than they did.
  private static func top(of state: State, _ columns: Int) -> String {
    guard !state.lines.isEmpty else { return "\r" }
    let rows = state.lines.reduce(0) { rows, line in
      rows + max(1, (MeterText.width(line) + columns - 1) / columns)
    }
    return rows > 1 ? "\r\u{1B}[\(rows - 1)A" : "\r"
  }

  private func write(_ text: String) { _ = try? descriptor.writeAll(text.utf8) }
}
