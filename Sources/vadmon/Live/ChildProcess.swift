import Glibc
import SystemPackage
import VoiceActivity

/// A program that is run to its end.
enum ChildProcess {
  /// Runs it, found as execvp(3) finds it, with `facts` in its environment.
  ///
  /// - Returns: What went wrong, as the rest of a sentence; `nil` if it exited with 0.
  static func run(
    _ command: LiveOptions.Hook, facts: EventHook.Facts, isQuiet: Bool
  ) -> String? {
    let program = command.program.withPlatformString {
      Array(
        UnsafeBufferPointer(
          start: $0, count: strlen($0) + 1))
    }
    let arguments = [program] + command.arguments.map { $0.map(CChar.init(bitPattern:)) + [0] }
    var child = pid_t()
    let code = withPointers(arguments) { arguments in
      withPointers(environment(adding: facts)) { environment in
        spawn(&child, program, arguments, environment, isQuiet)
      }
    }
    if code != 0 { return "cannot be run: \(Errno(rawValue: code))" }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 {
      if errno != EINTR { return nil }
    }
    return complaint(status)
  }

  /// Nothing of ours is inherited but standard error: no signals that are ignored or blocked here, and no files,
  /// all of which close when another program takes over.
  private static func spawn(
    _ child: inout pid_t, _ program: [CChar], _ arguments: [UnsafeMutablePointer<CChar>?],
    _ environment: [UnsafeMutablePointer<CChar>?], _ isQuiet: Bool
  ) -> Int32 {
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
    if isQuiet { posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0) }
    posix_spawn_file_actions_adddup2(&files, 2, 1)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    return posix_spawnp(&child, program, &files, &attributes, arguments, environment)
  }

  /// Ours, with `facts` in place of variables of the same names.
  private static func environment(adding facts: EventHook.Facts) -> [[CChar]] {
    var variables = facts.map { "\($0.name)=\($0.value)".utf8CString.map(\.self) }
    let names = facts.map { "\($0.name)=" }
    var next = environ
    while let variable = next.pointee {
      if !names.contains(where: { strncmp(variable, $0, strlen($0)) == 0 }) {
        variables.append(Array(UnsafeBufferPointer(start: variable, count: strlen(variable) + 1)))
      }
      next += 1
    }
    return variables
  }

  /// Strings as `execve` takes them, with a null pointer behind the last.
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

  /// What wait(2)'s macros say, which Swift does not import.
  private static func complaint(_ status: Int32) -> String? {
    let signal = status & 0x7F
    if signal != 0 { return "was ended by signal \(signal)" }
    let code = status >> 8 & 0xFF
    return code == 0 ? nil : "failed with exit code \(code)"
  }
}
