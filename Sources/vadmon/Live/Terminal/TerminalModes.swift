import Glibc
import Synchronization
import SystemPackage

/// The changes that vadmon makes to the user's terminal, and how it undoes them in every case.
///
/// On standard input these are single keys without echo; where the meter is, a hidden cursor, no line wrapping and the
/// alternate screen.
///
/// ``giveBack()`` is async-signal-safe (signal-safety(7)), so that the terminal is restored after a crash too.
///
/// Two rules keep a signal from leaving the terminal changed. What undoes a change is stored before the change is made,
/// so that whoever gives the terminal back finds it. And every change runs in ``change(_:)``, for whose end ``close()``
/// waits, so that no other thread changes the terminal after it was given back for good.
enum TerminalModes {
  /// The modes of standard input before vadmon changed them.
  ///
  /// `nonisolated(unsafe)` is safe because the pointer is allocated once and lives as long as the process. `takeKeys()`
  /// fills its memory only while `hasKeys` is false; `giveBack()` reads it only while `hasKeys` is true.
  nonisolated(unsafe) private static let saved: UnsafeMutablePointer<termios> = {
    let pointer = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    pointer.initialize(to: termios())
    return pointer
  }()
  /// Whether standard input is switched to single keys.
  ///
  /// Stored with release and loaded with acquire order, so that a thread that sees `true` also sees what `saved` holds.
  private static let hasKeys = Atomic(false)
  /// Whether the terminal has been given back for good, and below it the number of threads that change it now.
  ///
  /// Sequentially consistent: a thread counts itself and then looks at the flag, while `close()` sets the flag and then
  /// looks at the count, so that at least one of them sees the other.
  private static let isClosed = Atomic(false)
  private static let changing = Atomic(0)
  /// The screen that the meter is drawn on, in one value, so that a signal never finds half of it: twice the
  /// descriptor, and 1 more for the alternate screen; −1 for none. Relaxed: no other memory depends on it.
  private static let screen = Atomic<Int32>(-1)

  private static let hideCursor: StaticString = "\u{1B}[?25l\u{1B}[?7l"
  private static let hideCursorAlternate: StaticString = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
  /// The sequence that shows the cursor. It first ends a drawing that a crash may have interrupted. The cursor is where
  /// the meter begins, so the rest of the meter is cleared.
  private static let showCursor: StaticString = "\u{1B}[?2026l\r\u{1B}[K\u{1B}[?7h\u{1B}[?25h"
  /// The same on the alternate screen, which is cleared first: a terminal that has become wider may keep its lines.
  private static let showCursorAlternate: StaticString =
    "\u{1B}[?2026l\u{1B}[H\u{1B}[J\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// Returns whether this process may use the terminal on `descriptor`. A process in the background is stopped when it
  /// reads from its controlling terminal or changes it. On any other terminal there is no job control.
  static func isForeground(_ descriptor: Int32) -> Bool {
    let group = tcgetpgrp(descriptor)
    return group == -1 || group == getpgrp()
  }

  /// Switches standard input to single keys. Ctrl-C and similar keys still send signals. Returns `false` if standard
  /// input is not a terminal, or is not available to this process.
  static func takeKeys() -> Bool {
    var areTaken = false
    change { areTaken = switchToKeys() }
    return areTaken
  }

  private static func switchToKeys() -> Bool {
    guard isatty(STDIN_FILENO) == 1, isForeground(STDIN_FILENO),
      hasKeys.load(ordering: .acquiring) || tcgetattr(STDIN_FILENO, saved) == 0
    else { return false }
    var modes = saved.pointee
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    withUnsafeMutableBytes(of: &modes.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    hasKeys.store(true, ordering: .releasing)
    return tcsetattr(STDIN_FILENO, TCSANOW, &modes) == 0
  }

  static func takeScreen(_ descriptor: Int32, isAlternate: Bool) {
    let taken = descriptor * 2 + (isAlternate ? 1 : 0)
    guard screen.exchange(taken, ordering: .relaxed) != taken else { return }
    write(isAlternate ? hideCursorAlternate : hideCursor, to: descriptor)
  }

  /// Calls `body`, which changes the terminal or writes to it, unless the terminal has been given back for good.
  static func change(_ body: () -> Void) {
    changing.wrappingAdd(1, ordering: .sequentiallyConsistent)
    defer { changing.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
    if !isClosed.load(ordering: .sequentiallyConsistent) { body() }
  }

  /// Restores the terminal.
  ///
  /// It may be called repeatedly, from any thread or signal handler. Each call does all of the work, so that a caller
  /// that then ends the process does not depend on another thread's unfinished call.
  static func giveBack() {
    if hasKeys.load(ordering: .acquiring) {
      tcsetattr(STDIN_FILENO, TCSANOW, saved)
      hasKeys.store(false, ordering: .releasing)
    }
    giveBackScreen()
  }

  static func giveBackScreen() {
    let taken = screen.load(ordering: .relaxed)
    guard taken >= 0 else { return }
    write(taken % 2 == 1 ? showCursorAlternate : showCursor, to: taken / 2)
    screen.store(-1, ordering: .relaxed)
  }

  /// Restores the terminal for good. Another thread may be drawing while the process ends; this waits for it, unless it
  /// hangs because the terminal accepts no output.
  static func close() {
    isClosed.store(true, ordering: .sequentiallyConsistent)
    for _ in 0..<50 where changing.load(ordering: .sequentiallyConsistent) > 0 { usleep(1000) }
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
    guard FileDescriptor(rawValue: descriptor).takesBytes(within: 50) else { return }
    _ = Glibc.write(descriptor, text.utf8Start, text.utf8CodeUnitCount)
  }
}
