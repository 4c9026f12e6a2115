import Glibc
import Synchronization

/// The changes that vadmon makes to the user's terminal, and how it undoes them in every case.
///
/// On standard input these are single keys without echo; where the meter is, a hidden cursor, no line wrapping and the
/// alternate screen.
///
/// ``giveBack()`` is async-signal-safe (signal-safety(7)), so that the terminal is restored after a crash too.
///
/// The atomics are relaxed: each is a flag or a descriptor of its own, and a signal handler sees the earlier stores of
/// the thread that it interrupts.
enum TerminalModes {
  /// The modes of standard input before vadmon changed them.
  ///
  /// The pointer is allocated once and lives as long as the process. `takeKeys()` fills it only while `hasKeys` is
  /// false; `giveBack()` reads it only while `hasKeys` is true.
  nonisolated(unsafe) private static let saved: UnsafeMutablePointer<termios> = {
    let pointer = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    pointer.initialize(to: termios())
    return pointer
  }()
  private static let hasKeys = Atomic(false)
  /// Whether the terminal has been given back for good.
  private static let isClosed = Atomic(false)
  /// The descriptor that the meter is drawn on; −1 for none.
  private static let screen = Atomic<Int32>(-1)

  /// Whether the meter is on the alternate screen.
  private static let isAlternate = Atomic(false)

  private static let hideCursor: StaticString = "\u{1B}[?25l\u{1B}[?7l"
  private static let hideCursorAlternate: StaticString = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
  /// The sequence that shows the cursor. The cursor is where the meter begins, so the rest of the meter is cleared.
  private static let showCursor: StaticString = "\r\u{1B}[K\u{1B}[?7h\u{1B}[?25h"
  /// The same on the alternate screen, which is cleared first: a terminal that has become wider may keep its lines.
  private static let showCursorAlternate: StaticString =
    "\u{1B}[H\u{1B}[J\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// Returns whether this process may use the terminal on `descriptor`. A process in the background is stopped when it
  /// reads from its controlling terminal or changes it. On any other terminal there is no job control.
  static func isForeground(_ descriptor: Int32) -> Bool {
    let group = tcgetpgrp(descriptor)
    return group == -1 || group == getpgrp()
  }

  /// Switches standard input to single keys. Ctrl-C and similar keys still send signals. Returns `false` if standard
  /// input is not a terminal, or is not available to this process.
  static func takeKeys() -> Bool {
    guard !isClosed.load(ordering: .relaxed), isatty(STDIN_FILENO) == 1, isForeground(STDIN_FILENO),
      hasKeys.load(ordering: .relaxed) || tcgetattr(STDIN_FILENO, saved) == 0
    else { return false }
    var modes = saved.pointee
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    withUnsafeMutableBytes(of: &modes.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    hasKeys.store(true, ordering: .relaxed)
    return tcsetattr(STDIN_FILENO, TCSANOW, &modes) == 0
  }

  static func takeScreen(_ descriptor: Int32, isAlternate: Bool) {
    guard !isClosed.load(ordering: .relaxed),
      screen.exchange(descriptor, ordering: .relaxed) != descriptor
    else { return }
    Self.isAlternate.store(isAlternate, ordering: .relaxed)
    write(isAlternate ? hideCursorAlternate : hideCursor, to: descriptor)
  }

  /// Restores the terminal.
  ///
  /// It may be called repeatedly, from any thread or signal handler. Each call does all of the work, so that a caller
  /// that then ends the process does not depend on another thread's unfinished call.
  static func giveBack() {
    if hasKeys.load(ordering: .relaxed) {
      tcsetattr(STDIN_FILENO, TCSANOW, saved)
      hasKeys.store(false, ordering: .relaxed)
    }
    giveBackScreen()
  }

  static func giveBackScreen() {
    let descriptor = screen.load(ordering: .relaxed)
    if descriptor >= 0 {
      let isAlternate = isAlternate.load(ordering: .relaxed)
      write(isAlternate ? showCursorAlternate : showCursor, to: descriptor)
      screen.store(-1, ordering: .relaxed)
    }
  }

  /// Restores the terminal for good: other threads may still draw while the process ends.
  static func close() {
    isClosed.store(true, ordering: .relaxed)
    giveBack()
  }

  /// Installs handlers that restore the terminal before a crash ends the process.
  static func giveBackInCrashes() {
    _ = saved
    for signal in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS] {
      var action = sigaction()
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      action.__sigaction_handler.sa_handler = { signal in
        TerminalModes.giveBack()
        // The signal takes its default action as soon as the handler has returned.
        raise(signal)
      }
      sigaction(signal, &action, nil)
    }
  }

  /// Writes the text, unless the terminal accepts no output within 50 ms, as after Ctrl-S: ending must not wait for it.
  private static func write(_ text: StaticString, to descriptor: Int32) {
    var terminal = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&terminal, 1, 50) == 1 else { return }
    _ = Glibc.write(descriptor, text.utf8Start, text.utf8CodeUnitCount)
  }
}
