import AudioInput
import CLinux
import Glibc
import RealTime
import SystemPackage

/// A program that runs in its own process group, so that everything it starts ends with it.
///
/// Threads: one, which starts the program and waits for it.
struct ChildProcess: ~Copyable {
  /// A program to run, found in the same way as by execvp(3).
  struct Command {
    var program: FilePath
    var arguments: [[UInt8]]
    /// Variables to add to our environment, replacing those of the same names.
    var variables: [(name: String, value: String)] = []
    /// The file that standard output goes to. Standard input is empty.
    var output = FileDescriptor.standardError
    /// Whether output to standard error is discarded.
    var isQuiet = false
  }

  /// The time in ms between asking a program to end and killing it.
  static let grace: Int32 = 50

  private let id: pid_t
  /// A pidfd, which becomes readable when the program has ended.
  private let descriptor: FileDescriptor

  /// Which process is running.
  private enum State {
    case none
    case running(pid_t)
    /// This process is about to end and starts no more programs.
    case ending
  }

  /// The invariant: the state is `running` from the start of a process until it is reaped, and both happen under the
  /// lock. Under the lock, the ID is therefore that of our child and of its process group.
  private static let state = Guarded(State.none)

  init(_ command: Command) throws(Errno) {
    var child = pid_t()
    let code: Int32 = Self.state.change { state in
      if case .ending = state { return ECANCELED }
      let code = Self.spawn(&child, command)
      if code == 0 { state = .running(child) }
      return code
    }
    if code != 0 { throw Errno(rawValue: code) }
    let descriptor = va_pidfd_open(child)
    guard descriptor >= 0 else {
      let reason = Errno(rawValue: errno)
      kill(-child, SIGKILL)
      _ = Self.reap(child)
      throw reason
    }
    id = child
    self.descriptor = FileDescriptor(rawValue: descriptor)
  }

  /// Waits until the program has ended, the event is signalled or the time has passed. Returns whether the program has
  /// ended.
  func wait(or event: WakeEvent, atMost milliseconds: Int32) -> Bool {
    event.wait(orFor: descriptor, atMost: milliseconds)
    var polled = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) == 1
  }

  /// Ends the program and everything that it has started, by force if necessary.
  func end() {
    kill(-id, SIGTERM)
    var polled = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    _ = poll(&polled, 1, Self.grace)
    kill(-id, SIGKILL)
  }

  /// Returns how the program failed, as the rest of a sentence, or `nil` if it exited with 0. The program must have
  /// ended.
  consuming func complaint() -> String? {
    defer { try? descriptor.close() }
    guard let status = Self.reap(id) else { return nil }
    let signal = status & 0x7F
    if signal != 0 { return "was ended by signal \(signal)" }
    let code = status >> 8 & 0xFF
    return code == 0 ? nil : "failed with exit code \(code)"
  }

  /// Reaps a program that has ended or been killed. Returns its status.
  private static func reap(_ id: pid_t) -> Int32? {
    state.change { state in
      if case .running = state { state = .none }
      var status: Int32 = 0
      while waitpid(id, &status, 0) < 0 {
        if errno != EINTR { return nil }
      }
      return status
    }
  }

  /// Kills the running program, if any, when this process is about to end. No program can be started afterwards.
  static func killRunning() {
    state.change { state in
      if case .running(let id) = state { kill(-id, SIGKILL) }
      state = .ending
    }
  }
}

// MARK: - Starting

extension ChildProcess {
  private static func spawn(_ child: inout pid_t, _ command: Command) -> Int32 {
    let program = command.program.withPlatformString { name in
      Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1))
    }
    let arguments = [program] + command.arguments.map { $0.map(CChar.init(bitPattern:)) + [0] }
    return withPointers(arguments) { arguments in
      withPointers(environment(adding: command.variables)) { environment in
        spawn(&child, program, arguments, environment, command)
      }
    }
  }

  /// Starts the program. It inherits only standard error from us: no ignored or blocked signals, and no other files,
  /// all of which close on exec.
  private static func spawn(
    _ child: inout pid_t, _ program: [CChar], _ arguments: [UnsafeMutablePointer<CChar>?],
    _ environment: [UnsafeMutablePointer<CChar>?], _ command: Command
  ) -> Int32 {
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
    if command.isQuiet { posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0) }
    posix_spawn_file_actions_adddup2(&files, command.output.rawValue, 1)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    return posix_spawnp(&child, program, &files, &attributes, arguments, environment)
  }

  private static func environment(
    adding facts: [(name: String, value: String)]
  ) -> [[CChar]] {
    var variables = facts.map { "\($0.name)=\($0.value)".utf8CString.map(\.self) }
    let names = facts.map { "\($0.name)=" }
    // Nothing in vadmon changes the environment, so it can be read on any thread.
    var next = environ
    while let variable = next.pointee {
      if !names.contains(where: { strncmp(variable, $0, strlen($0)) == 0 }) {
        variables.append(Array(UnsafeBufferPointer(start: variable, count: strlen(variable) + 1)))
      }
      next += 1
    }
    return variables
  }

  /// Calls `body` with the strings as `execve` expects them, followed by a null pointer. The pointers are valid only
  /// during the call.
  private static func withPointers<Result>(
    _ strings: [[CChar]], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers = strings.map { string in
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: string.count)
      copy.initialize(from: string, count: string.count)
      return copy
    }
    defer { for pointer in pointers { pointer.deallocate() } }
    return body(pointers + [nil])
  }
}
