internal import CLinux
internal import Glibc
package import RealTime
package import SystemPackage

/// A program that was started, in a process group of its own, so that everything it starts can be ended with it. Its
/// owner must call ``wait(endingGroup:)``.
///
/// No program outlives this process: exit(3), and therefore also a return from main, kills those that still run. Call
/// ``killAll()`` before _exit(2), which runs no handlers.
///
/// Threads: one, except for ``kill()`` and ``killAll()``.
package struct ChildProcess: Sendable {
  /// How a program ended.
  package enum End: Sendable, Hashable {
    case exited(code: Int32)
    case signalled(Int32)

    /// What went wrong, as the rest of a sentence; `nil` if the program exited with 0.
    package var complaint: String? {
      switch self {
      case .exited(code: 0): nil
      case .exited(let code): "failed with exit code \(code)"
      case .signalled(let signal): "was ended by signal \(signal)"
      }
    }
  }

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

  /// Registers ``killAll()`` with exit(3), once.
  private static let killsAllAtExit: Bool = atexit { killAll() } == 0

  /// Starts a program. Throws one of ``notFound`` if there is none that can be run.
  package init(_ command: Command) throws(Errno) {
    guard Self.killsAllAtExit else { throw .noMemory }
    var id = pid_t()
    let code: Int32 = Self.state.change { state in
      if state.isEnding { return ECANCELED }
      let code = command.spawn(&id)
      if code == 0 { state.running.insert(id) }
      return code
    }
    if code != 0 { throw Errno(rawValue: code) }
    self.id = id
  }

  /// The errors for a program that PATH does not have, or has only as a file that cannot be run.
  package static let notFound: Set<Errno> = [
    .noSuchFileOrDirectory, .permissionDenied, .notDirectory, .execFormatError,
  ]

  /// Kills the program and whatever it has started. Any thread may call it.
  package func kill() {
    Self.state.change { if $0.running.contains(id) { _ = Glibc.kill(-id, SIGKILL) } }
  }

  /// Kills all processes, when this process is about to end. No program can be started afterwards.
  package static func killAll() {
    state.change { state in
      state.isEnding = true
      for id in state.running { _ = Glibc.kill(-id, SIGKILL) }
    }
  }
}

// MARK: - Waiting

extension ChildProcess {
  /// Waits until the program has ended, and returns how.
  ///
  /// - Parameter endingGroup: Whether what the program has started and left behind is killed; it may hold our pipes
  ///   open.
  package func wait(endingGroup: Bool) -> End {
    // Wait first without reaping the process, because the system may then give its number to another one.
    var info = siginfo_t()
    while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
    let reaped: Int32? = Self.state.change { state in
      if state.isEnding { return nil }
      if endingGroup { _ = Glibc.kill(-id, SIGKILL) }
      state.running.remove(id)
      var status: Int32 = 0
      waitpid(id, &status, 0)
      return status
    }
    guard let status = reaped else {
      // This process is about to end with a code of its own: nobody must report first that we killed the program.
      while true { pause() }
    }
    let signal = status & 0x7F
    return signal == 0 ? .exited(code: status >> 8 & 0xFF) : .signalled(signal)
  }

  /// Waits until the program has ended, the event is signalled or the time has passed. Returns whether the program has
  /// ended. With an event, it may return earlier.
  package func hasEnded(within milliseconds: Int32, or event: WakeEvent? = nil) -> Bool {
    // A pidfd becomes readable when the process ends (pidfd_open(2)).
    let descriptor = va_pidfd_open(id)
    defer { if descriptor >= 0 { close(descriptor) } }
    let limit = monotonicTime(after: .milliseconds(Int(milliseconds)))
    var left = milliseconds
    while true {
      // Without one, at the limit on open files, look again and again.
      let time = descriptor >= 0 ? left : min(left, 20)
      if let event {
        event.wait(orFor: FileDescriptor(rawValue: descriptor), atMost: time)
      } else {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&polled, 1, time)
      }
      var info = siginfo_t()
      if waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT | WNOHANG) == 0, info.si_signo != 0 {
        return true
      }
      left = Int32(clamping: (limit - monotonicTime()) / 1_000_000)
      if descriptor >= 0 || event != nil || left <= 0 { return false }
    }
  }

  /// Asks the program and everything that it has started to end, and kills after `grace` in ms what has not.
  package func end(grace: Int32 = 50) {
    _ = Glibc.kill(-id, SIGTERM)
    _ = hasEnded(within: grace)
    kill()
  }
}

// MARK: - Starting

extension ChildProcess {
  /// A program to run, found in the same way as by execvp(3).
  package struct Command {
    /// The program and its arguments.
    private var words: [[CChar]]
    /// Variables to add to our environment, replacing those of the same names.
    package var variables: [(name: String, value: String)] = []
    /// What the program's streams are; /dev/null for `nil`.
    package var input: FileDescriptor?
    package var output: FileDescriptor?
    package var errors: FileDescriptor?
    /// Whether the program is killed when the thread that has started it ends, and so if this process is killed.
    package var endsWithThread = false

    package init(_ program: FilePath, _ arguments: [[UInt8]]) {
      let name = program.withPlatformString { name in
        Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1))
      }
      words = [name] + arguments.map { $0.map(CChar.init(bitPattern:)) + [0] }
    }

    /// Starts the program with a new pipe for each of `streams`. Returns our ends of the pipes in the same order, which
    /// the caller closes.
    package func start(
      piping streams: WritableKeyPath<Self, FileDescriptor?>...
    ) throws(Errno) -> (ChildProcess, [FileDescriptor]) {
      var command = self
      var (ours, others): ([FileDescriptor], [FileDescriptor]) = ([], [])
      defer { for end in others { try? end.close() } }
      do throws(Errno) {
        for stream in streams {
          let pipe = try FileDescriptor.pipe(options: .closeOnExec)
          let takesInput = stream == \.input
          ours.append(takesInput ? pipe.writeEnd : pipe.readEnd)
          others.append(takesInput ? pipe.readEnd : pipe.writeEnd)
          command[keyPath: stream] = others.last
        }
        return (try ChildProcess(command), ours)
      } catch {
        for end in ours { try? end.close() }
        throw error
      }
    }

    /// Starts the program. It inherits only its streams from us: no ignored or blocked signals, and no other files, all
    /// of which close on exec.
    fileprivate func spawn(_ id: inout pid_t) -> Int32 {
      Self.withPointers(words) { words in
        guard !variables.isEmpty else { return spawn(&id, words, environ) }
        return Self.withPointers(environment) { spawn(&id, words, $0) }
      }
    }

    private func spawn(
      _ id: inout pid_t, _ words: [UnsafeMutablePointer<CChar>?],
      _ environment: UnsafePointer<UnsafeMutablePointer<CChar>?>
    ) -> Int32 {
      if endsWithThread {
        let streams = [input, output, errors].map { $0?.rawValue ?? -1 }
        return va_spawn_tied(&id, words[0]!, words, environment, streams)
      }
      var files = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&files)
      defer { posix_spawn_file_actions_destroy(&files) }
      for (number, stream) in [input, output, errors].enumerated() {
        if let stream {
          posix_spawn_file_actions_adddup2(&files, stream.rawValue, Int32(number))
        } else {
          posix_spawn_file_actions_addopen(&files, Int32(number), "/dev/null", O_RDWR, 0)
        }
      }
      var attributes = posix_spawnattr_t()
      posix_spawnattr_init(&attributes)
      defer { posix_spawnattr_destroy(&attributes) }
      Self.setSignals(&attributes)
      return posix_spawnp(&id, words[0]!, &files, &attributes, words, environment)
    }

    /// Unblocks all signals, resets the ones that this process ignores, and gives the child its own process group,
    /// which keeps the terminal's signals from it.
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

    /// Our environment with ``variables``.
    private var environment: [[CChar]] {
      var strings = variables.map { "\($0.name)=\($0.value)".utf8CString.map(\.self) }
      let names = variables.map { "\($0.name)=" }
      // A host that adds variables must not change the environment meanwhile: getenv(3) is thread-safe, setenv(3) is
      // not.
      var next = environ
      while let variable = next.pointee {
        if !names.contains(where: { strncmp(variable, $0, strlen($0)) == 0 }) {
          strings.append(Array(UnsafeBufferPointer(start: variable, count: strlen(variable) + 1)))
        }
        next += 1
      }
      return strings
    }

    /// Calls `body` with the strings as execve(2) expects them, followed by a null pointer. The pointers are valid only
    /// during the call.
    private static func withPointers<Result>(
      _ strings: [[CChar]], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
      let pointers = strings.map { string in
        string.withUnsafeBufferPointer { strdup($0.baseAddress!) }
      }
      defer { for pointer in pointers { free(pointer) } }
      return body(pointers + [nil])
    }
  }
}
