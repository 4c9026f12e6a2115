import Glibc
import Synchronization

/// What vadmon changes of the user's terminal, and how it gives it back, whatever happens: single keys
/// without echo on standard input, and no cursor, no wrapped lines and the alternate screen where the meter is.
///
/// ``giveBack()`` is async-signal-safe (signal-safety(7)), so that a crash gives the terminal back as well.
enum TerminalModes {
  /// As the terminal was before; the pointer lives as long as the process.
  nonisolated(unsafe) private static let saved: UnsafeMutablePointer<termios> = {
    let pointer = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    pointer.initialize(to: termios())
    return pointer
  }()
  private static let hasKeys = Atomic(false)
  /// Nothing is taken any more.
  private static let isClosed = Atomic(false)
  /// The descriptor that the meter is drawn on; −1: none.
  private static let screen = Atomic<Int32>(-1)

  /// What is drawn on is the alternate screen.
  private static let isAlternate = Atomic(false)

  private static let hideCursor: StaticString = "\u{1B}[?25l\u{1B}[?7l"
  private static let hideCursorAlternate: StaticString = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
  /// The cursor stands where the meter begins: what is still there of it goes.
  private static let showCursor: StaticString = "\r\u{1B}[K\u{1B}[?7h\u{1B}[?25h"
  /// Cleared first: a terminal that has become wider may keep lines of the alternate screen.
  private static let showCursorAlternate: StaticString =
    "\u{1B}[H\u{1B}[J\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// Whether the terminal on `descriptor` is ours to use: whoever is in the background is stopped when it reads from it
  /// or changes it. Where it is not our controlling terminal there is no job control.
  static func isForeground(_ descriptor: Int32) -> Bool {
    let group = tcgetpgrp(descriptor)
    return group == -1 || group == getpgrp()
  }

  /// Takes single keys from standard input; signals still come from Ctrl-C and the like. `false` if it is no
  /// terminal, or not ours now.
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

  /// Everything as it was. As often as one likes, from any thread or signal handler: each does it all, so that whoever
  /// ends the process next does not rely on a thread that has only begun to.
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

  /// Gives the terminal back for good: other threads may still draw while the process ends.
  static func close() {
    isClosed.store(true, ordering: .relaxed)
    giveBack()
  }

  /// Gives the terminal back before a crash ends the process.
  static func giveBackInCrashes() {
    _ = saved
    for signal in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS] {
      var action = sigaction()
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      action.__sigaction_handler.sa_handler = { signal in
        TerminalModes.giveBack()
        // Now with its default action, as soon as the handler has returned.
        raise(signal)
      }
      sigaction(signal, &action, nil)
    }
  }

  /// Not if the terminal takes nothing, as after Ctrl-S: nobody may wait for that.
  private static func write(_ text: StaticString, to descriptor: Int32) {
    var terminal = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&terminal, 1, 50) == 1 else { return }
    _ = Glibc.write(descriptor, text.utf8Start, text.utf8CodeUnitCount)
  }
}
