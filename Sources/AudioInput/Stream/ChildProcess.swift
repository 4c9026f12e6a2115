internal import CLinux
internal import Glibc
internal import RealTime
internal import SystemPackage

/// A program that was started, in a process group of its own. Its owner must wait for it.
///
/// No program outlives this process: exit(3), and therefore also a return from main, kills those that still run. Call
/// ``killAll()`` before _exit(2), which runs no handlers.
struct ChildProcess {
  private let id: pid_t

  private struct State {
    /// The processes that nobody has waited for.
    var running: Set<pid_t> = []
    /// Whether this process is about to end and starts no more programs.
    var isEnding = false
  }

  /// The invariant: a process is in `running` from its start until it is reaped, and both happen under the lock. Under
  /// the lock, the ID of a process in `running` is therefore that of our child and of its process group.
  private static let state = Guarded(State())

  /// Starts a program, found as execvp(3) finds it. Throws one of ``notFound`` if there is none that can be run.
  ///
  /// - Parameters:
  ///   - arguments: The program's name and its arguments, each with a final NUL.
  ///   - input: The program's standard input; `nil` for none.
  /// - Returns: The process, and descriptors to read its standard output and standard error from.
  static func start(
    _ arguments: [[CChar]], input: FileDescriptor?
  ) throws(Errno) -> (child: ChildProcess, output: FileDescriptor, errors: FileDescriptor) {
    let output = try pipe()
    let errors: (reading: FileDescriptor, writing: FileDescriptor)
    do {
      errors = try pipe()
    } catch {
      close(output.reading, output.writing)
      throw error
    }
    defer { close(output.writing, errors.writing) }
    do {
      let id = try spawn(arguments, [input, output.writing, errors.writing])
      return (ChildProcess(id: id), output.reading, errors.reading)
    } catch {
      close(output.reading, errors.reading)
      throw error
    }
  }

  /// The errors for a program that PATH does not have, or has only as a file that cannot be run.
  static let notFound: Set<Errno> = [
    .noSuchFileOrDirectory, .permissionDenied, .notDirectory, .execFormatError,
  ]

  /// Kills the program and whatever it has started. Any thread may call it.
  func kill() {
    Self.state.change { if $0.running.contains(id) { _ = Glibc.kill(-id, SIGKILL) } }
  }

  /// Waits for the end, and ends whatever the program has started and left behind, which may hold our pipes open.
  ///
  /// Returns the exit code, or 128 plus the number of the signal that ended the process.
  func wait() -> Int32 {
    // Wait first without reaping the process, because the system may then give its number to another one.
    var info = siginfo_t()
    while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
    guard let status = reap() else {
      // This process is about to end with a code of its own: nobody must report first that we killed the program.
      while true { pause() }
    }
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }

  /// Reaps the program, which has ended, and kills what it has left behind. Returns `nil` without doing so if this
  /// process is about to end.
  private func reap() -> Int32? {
    Self.state.change { state in
      if state.isEnding { return nil }
      _ = Glibc.kill(-id, SIGKILL)
      state.running.remove(id)
      var status: Int32 = 0
      waitpid(id, &status, 0)
      return status
    }
  }

  /// Registers ``killAll()`` with exit(3), once.
  private static let killsAllAtExit: Bool = atexit { killAll() } == 0

  /// Kills all processes, when this process is about to end. No program can be started afterwards.
  static func killAll() {
    state.change { state in
      state.isEnding = true
      for id in state.running { _ = Glibc.kill(-id, SIGKILL) }
    }
  }

  private static func spawn(
    _ arguments: [[CChar]], _ streams: [FileDescriptor?]
  ) throws(Errno) -> pid_t {
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    for (number, stream) in streams.enumerated() {
      if let stream {
        posix_spawn_file_actions_adddup2(&files, stream.rawValue, Int32(number))
      } else {
        posix_spawn_file_actions_addopen(&files, Int32(number), "/dev/null", O_RDONLY, 0)
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    setSignals(&attributes)
    let pointers = arguments.map { argument in
      argument.withUnsafeBufferPointer { strdup($0.baseAddress!) }
    }
    defer { for pointer in pointers { free(pointer) } }
    guard killsAllAtExit else { throw .noMemory }
    var id = pid_t()
    let code: Int32 = state.change { state in
      if state.isEnding { return ECANCELED }
      let code = posix_spawnp(&id, pointers[0]!, &files, &attributes, pointers + [nil], environ)
      if code == 0 { state.running.insert(id) }
      return code
    }
    if code != 0 { throw Errno(rawValue: code) }
    return id
  }

  /// Unblocks all signals, resets the ones that this process ignores, and gives the child its own process group, which
  /// keeps the terminal's signals from it.
  private static func setSignals(_ attributes: inout posix_spawnattr_t) {
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGXFSZ, SIGINT] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
  }

  /// Creates a pipe that other child processes do not inherit.
  private static func pipe() throws(Errno) -> (reading: FileDescriptor, writing: FileDescriptor) {
    var ends: [Int32] = [0, 0]
    guard pipe2(&ends, O_CLOEXEC) == 0 else { throw Errno(rawValue: errno) }
    return (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
  }

  private static func close(_ descriptors: FileDescriptor...) {
    for descriptor in descriptors { try? descriptor.close() }
  }
}
