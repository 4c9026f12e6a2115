import Glibc
import SystemPackage
import VoiceActivity

/// What the meter is drawn on, again and again in the same place: the terminal's alternate screen, which terminals
/// neither wrap anew nor scroll when their window is resized, or one line below whatever else is printed.
///
/// In a line of its own the cursor stands where the drawing begins, for terminals that wrap lines anew take the cursor
/// along with its line.
///
/// What else is printed goes through ``interrupted(by:)``, which takes the meter away until the next drawing. Any
/// thread.
final class MeterScreen: Sendable {
  private struct State {
    /// What is on the screen.
    var lines: [String] = []
    var size = Size(columns: 0, rows: 0)
    /// Another program has the terminal.
    var isSuspended = false
  }

  private struct Size: Equatable {
    var columns: Int
    var rows: Int
  }

  let descriptor: FileDescriptor
  /// On the alternate screen.
  private let isAlternate: Bool
  private let state: Guarded<State>

  init(_ descriptor: FileDescriptor, isAlternate: Bool) {
    (self.descriptor, self.isAlternate) = (descriptor, isAlternate)
    state = Guarded(State(isSuspended: !TerminalModes.isForeground(descriptor.rawValue)))
  }

  /// Draws the lines that `make` returns for the size of the screen, unless they are there already. It returns at most
  /// as many as the screen has rows, only one unless on the alternate screen, and none longer than the screen is wide.
  func draw(_ make: (_ columns: Int, _ rows: Int) -> [String]) {
    let (columns, rows) = Terminal.size(descriptor.rawValue)
    let size = Size(columns: columns, rows: rows)
    let lines = make(columns, rows)
    state.change { state in
      guard !state.isSuspended, lines != state.lines || size != state.size else { return }
      TerminalModes.takeScreen(descriptor.rawValue, isAlternate: isAlternate)
      let body = lines.joined(separator: "\u{1B}[K\r\n") + "\u{1B}[K\u{1B}[J"
      if isAlternate {
        write("\u{1B}[H" + body)
      } else {
        // What a window that was made narrower has wrapped takes more rows than the new line.
        write((size == state.size ? "\r" : Self.clear) + body + "\r")
      }
      state.lines = lines
      state.size = size
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
    if isAlternate { TerminalModes.giveBackScreen() } else { write(Self.clear) }
    state.lines = []
  }

  /// Everything from here on, but not all at once: tmux keeps what is cleared from the top of the screen on for people to
  /// scroll back to.
  private static let clear = "\r\u{1B}[K\n\u{1B}[J\u{1B}[A"

  private func write(_ text: String) { _ = try? descriptor.writeAll(text.utf8) }
}
