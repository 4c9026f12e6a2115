import Foundation
import RealTime
import SystemPackage
import TestSupport
import Testing

@testable import vadmon

/// `--on-event`: programs are run for events, and only for those requested.
@Suite struct EventHookTests {
  private let folder = TemporaryFolder()
  private let warnings = Guarded<[String]>([])

  private func hook(
    _ program: String, _ arguments: String..., timeLimit: Duration = .seconds(600)
  ) throws -> EventHook {
    let command = LiveOptions.Hook(
      program: FilePath(program), arguments: arguments.map { Array($0.utf8) }, timeLimit: timeLimit)
    return try EventHook(command, isQuiet: true) { [warnings] sentence in
      warnings.change { $0.append(sentence) }
    }
  }

  /// Waits as long as a busy machine needs to start several programs: at most 5 min.
  private func finish(_ hook: EventHook) -> Int { hook.finish(Patience(.seconds(300))) }

  private var said: [String] { warnings.change { $0 } }

  /// Writes a program that appends its arguments and its VADMON variables to a file.
  private func witness() throws -> String {
    try folder.script(
      """
      { for argument; do printf '%s\\0' "$argument"; done; env -0 | grep -z ^VADMON | sort -z; } >> '\(folder / "seen")'
      """, to: "witness")
  }

  private func seen() throws -> [String] {
    try folder.text(of: "seen").split(separator: "\0").map(String.init)
  }

  @Test func factsAreInTheEnvironment() throws {
    let hook = try hook("sh", try witness())
    hook.put([("VADMON_EVENT", "onset"), ("VADMON_TIME", "3.210")])
    #expect(finish(hook) == 0)
    #expect(try seen() == ["VADMON_EVENT=onset", "VADMON_TIME=3.210"])
    #expect(said.isEmpty)
  }

  /// There is no shell that could take any of these for a command.
  @Test func nothingBecomesACommand() throws {
    let evil = [
      "; touch \(folder / "pwned")", "$(touch \(folder / "pwned"))", "`touch \(folder / "pwned")`",
      "a b", "*", "'", "\"", "\\", "\n", "-rf", "|| true",
    ]
    let hook = try EventHook(
      LiveOptions.Hook(
        program: "sh", arguments: ([try witness()] + evil).map { Array($0.utf8) },
        timeLimit: .seconds(600)),
      isQuiet: true, warn: { _ in })
    hook.put([("VADMON_EVENT", "$(touch \(folder / "pwned"))")])
    #expect(finish(hook) == 0)
    #expect(try seen() == evil + ["VADMON_EVENT=$(touch \(folder / "pwned"))"])
    #expect(try !folder.names.contains("pwned"))
  }

  @Test func argumentsMayBeAnyBytes() throws {
    let bytes: [UInt8] = [0xFF, 0xFE, 0x80]
    let hook = try EventHook(
      LiveOptions.Hook(
        program: "sh", arguments: [Array(try witness().utf8), bytes, []], timeLimit: .seconds(600)),
      isQuiet: true,
      warn: { _ in })
    hook.put([])
    #expect(finish(hook) == 0)
    let data = try folder.data(of: "seen")
    #expect(data == Data(bytes + [0, 0]))
  }

  @Test func oneRunsAtATimeInOrder() throws {
    let script = """
      mkdir '\(folder / "lock")' || echo overlap >> '\(folder / "seen")'
      printf '%s\\0' "$VADMON_TIME" >> '\(folder / "seen")'
      rmdir '\(folder / "lock")'
      """
    let hook = try hook("sh", "-c", script)
    for number in 0..<20 { hook.put([("VADMON_TIME", "\(number)")]) }
    #expect(finish(hook) == 0)
    #expect(try seen() == (0..<20).map(String.init))
  }

  /// The program waits until the queue is more than full. Events that do not fit are counted.
  @Test func aSlowProgramIsReportedOnceAndDelaysNobody() throws {
    let pipe = try folder.pipe()
    // The first event waits for the end of the pipe's data; the others do nothing.
    let path = try folder.script("[ $VADMON_TIME != first ] || cat '\(pipe)'", to: "slow")
    let hook = try hook(path)
    hook.put([("VADMON_TIME", "first")])
    // Once the pipe is being read, the first event is out of the queue.
    let writer = open(pipe, O_WRONLY)
    for _ in 0..<EventHook.capacity + 5 { hook.put([("VADMON_TIME", "later")]) }
    expectMessage(said.joined(separator: "\n"), "--on-event", path, "slower")
    close(writer)
    #expect(finish(hook) == 5)
    #expect(said.count == 1)
  }

  /// The first program runs while the state changes three times and events arrive.
  @Test func onlyTheNewestStateWaitsAndRunsBeforeEvents() throws {
    let pipe = try folder.pipe()
    let script = """
      [ $VADMON_VALUE != first ] || cat '\(pipe)'; echo $VADMON_VALUE >> '\(folder / "seen")'
      """
    let hook = try hook("sh", "-c", script)
    func put(_ value: String, state: String? = nil) {
      hook.put(
        [("VADMON_VALUE", value)],
        standing: state.map { EventHook.Standing(name: $0, value: value) })
    }
    put("first", state: "muted_speech")
    let writer = open(pipe, O_WRONLY)
    put("event")
    for value in ["on", "off", "on", "off"] { put(value, state: "muted_speech") }
    put("lost", state: "device")
    // The state is again what a program was last run for, so nothing is new.
    put("other", state: "health")
    for value in ["gone", "lost"] { put(value, state: "device") }
    close(writer)
    #expect(finish(hook) == 0)
    put("ignored")
    #expect(try folder.text(of: "seen") == "first\noff\nother\nlost\nevent\n")
  }

  @Test func aStateThatIsTrueAgainRunsNothing() throws {
    let hook = try hook("sh", "-c", "echo $VADMON_VALUE >> '\(folder / "seen")'")
    for _ in 0..<3 {
      hook.put(
        [("VADMON_VALUE", "on")], standing: EventHook.Standing(name: "mute", value: "on"))
    }
    #expect(finish(hook) == 0)
    #expect(try folder.text(of: "seen") == "on\n")
  }

  /// Runs a program that ignores SIGTERM and starts another. It writes both process IDs and hangs.
  private func hanging(timeLimit: Duration) throws -> EventHook {
    let script = """
      trap '' TERM; sleep 1000 & echo $$ $! > '\(folder / "new")'; mv '\(folder / "new")' '\(folder / "pids")'
      wait; sleep 1000
      """
    return try hook("sh", "-c", script, timeLimit: timeLimit)
  }

  private func pids() throws -> [String] {
    try folder.text(of: "pids").split { " \n".contains($0) }.map(String.init)
  }

  @Test func aProgramThatHangsIsEndedWithWhatItHasStarted() throws {
    let hook = try hanging(timeLimit: .seconds(2))
    hook.put([])
    #expect(finish(hook) == 0)
    expectMessage(said.joined(separator: "\n"), "--on-event", "sh", "2 s", "ended")
    let pids = try pids()
    #expect(pids.count == 2)
    try blockUntil("the programs are over") { pids.allSatisfy(Program.isOver) }
  }

  @Test func atTheEndNoneIsLeftBehind() throws {
    let hook = try hanging(timeLimit: .seconds(600))
    hook.put([])
    try blockUntil("the program has started") { try folder.names.contains("pids") }
    hook.put([])
    #expect(hook.finish(Patience(.zero)) == 1)
    let pids = try pids()
    try blockUntil("the programs are over") { pids.allSatisfy(Program.isOver) }
    try blockUntil("vadmon says so") { !said.isEmpty }
    expectMessage(said.joined(separator: "\n"), "--on-event", "sh", "vadmon", "ended")
  }

  @Test func aFailureIsOneWarning() throws {
    let missing = folder / "missing"
    let unfound = try hook(missing)
    for _ in 0..<3 { unfound.put([]) }
    #expect(finish(unfound) == 0)
    expectMessage(said.joined(separator: "\n"), "--on-event", missing, "interpreter")
  }

  private func live(_ program: String, path: String? = nil) throws -> Program.Result {
    let file = try folder.write(TestAudio.wav(TestAudio.silence(seconds: 0.2)), to: "quiet.wav")
    return try Program.vadmon(
      "live", "--quiet", "--input", file, "--on-event", program,
      environment: path.map { ["PATH": $0] } ?? [:])
  }

  /// No event is needed to notice it.
  @Test func aProgramThatDoesNotExistIsRefusedAtTheStart() throws {
    for (name, remedy) in [
      ("no-such-program", "./NAME"), (folder / "missing", "path"), (folder.path, "chmod +x"),
      (try folder.write("#!/bin/sh\n", to: "plain"), "chmod +x"),
      ("sh -c true", "--on-event-argument"), ("no-such-program -c true", "./NAME"),
    ] {
      let result = try live(name)
      #expect(result.status == 64)
      expectMessage(result.errors, name, "--on-event", remedy)
    }
  }

  /// Python's exec is the oracle: it fails for all of these except the last two. ETXTBSY only means that another test's
  /// child still has the script open for writing.
  @Test func aScriptThatCannotBeExecutedIsRefusedAtTheStart() throws {
    let execute = """
      import errno, os, sys
      while True:
        try: os.execv(sys.argv[1], sys.argv[1:])
        except OSError as error:
          if error.errno != errno.ETXTBSY: raise
      """
    for (number, (text, named)) in [
      ("echo\n", "#!/bin/sh"), ("", "#!/bin/sh"), ("#!\n", "#!/bin/sh"),
      ("#!/no/interpreter -x\n", "/no/interpreter"), ("#! /bin/sh\r\n", "/bin/sh\\r"),
      ("#!/bin\n", "interpreter /bin"), ("#!/bin/sh", nil), ("#! \t/usr/bin/env sh\n", nil),
    ].enumerated() {
      let path = try folder.write(text, to: "script-\(number)")
      chmod(path, 0o755)
      let execution = try Program.python(execute, path)
      #expect((execution.status != 0) == (named != nil))
      let result = try live(path)
      #expect(result.status == (named == nil ? 0 : 64))
      if let named {
        expectMessage(result.errors, path, "--on-event", named)
      } else {
        #expect(result.errors.isEmpty)
      }
    }
  }

  /// As in a shell, the working folder is not searched.
  @Test func aProgramInTheWorkingFolderNeedsItsPath() throws {
    try folder.script("", to: "tool")
    let file = try folder.write(TestAudio.wav(TestAudio.silence(seconds: 0.2)), to: "quiet.wav")
    let command = ["live", "--quiet", "--input", file, "--on-event"]
    let refused = try Program.vadmon(command + ["tool"], in: folder)
    #expect(refused.status == 64)
    #expect(refused.errors.hasSuffix("or write its path, such as ./NAME\n"))
    #expect(try Program.vadmon(command + ["./tool"], in: folder).status == 0)
  }

  /// Python's search is the oracle. It starts no program, which fails while another test's child still has the script
  /// open for writing (ETXTBSY).
  @Test func programsAreSearchedForAsExecvpDoes() throws {
    let (first, second) = (folder / "first", folder / "second")
    try folder.write("#!/bin/sh\n", to: "first/tool")
    for name in ["second/tool", "second/with space"] { try folder.script("", to: name) }
    for (name, path) in [
      ("tool", first), ("tool", second), ("tool", "\(first):\(second)"), ("tool", ""),
      ("with space", second), ("tool", "/no/such/folder:\(second):"), ("first", folder.path),
    ] {
      let search =
        "import shutil, sys; sys.exit(shutil.which(sys.argv[1], path=sys.argv[2]) is None)"
      let reference = try Program.python(search, name, path)
      let result = try live(name, path: path)
      #expect(result.status == (reference.status == 0 ? 0 : 64), "\(name) in \(path)")
    }
  }

  @Test(arguments: [("exit 3", "failed with exit code 3"), ("kill -9 $$", "was ended by signal 9")])
  func failuresAreReportedOnce(script: String, complaint: String) throws {
    let hook = try hook("sh", "-c", script)
    for _ in 0..<2 { hook.put([]) }
    #expect(finish(hook) == 0)
    #expect(said == ["--on-event: sh \(complaint)"])
  }

  /// The program inherits none of our files, and no ignored or blocked signals.
  @Test func nothingElseIsInherited() throws {
    let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let output = folder / "seen"
    let hook = try hook(
      "sh", "-c", "{ grep -E 'SigBlk|SigIgn' /proc/self/status; ls /proc/$$/fd; } > \(output)")
    hook.put([])
    #expect(finish(hook) == 0)
    let lines = try folder.text(of: "seen").split(separator: "\n").map(String.init)
    let masks = lines.prefix(2).compactMap { UInt64($0.split(separator: "\t")[1], radix: 16) }
    let pipeAndSize: UInt64 = 1 << UInt64(SIGPIPE - 1) | 1 << UInt64(SIGXFSZ - 1)
    #expect(masks.count == 2)
    #expect(masks[0] == 0, "nothing is blocked")
    #expect(masks[1] & pipeAndSize == 0, "writing to a closed pipe ends it")
  }

  @Test func theProgramRunsItForEvents() throws {
    let samples = TestAudio.utterance()
    let file = try folder.write(TestAudio.wav(samples), to: "talk.wav")
    let result = try Program.vadmon(
      "live", "--input", file, "--muted", "--on-event", try witness(), "--on-event-timeout", "1h",
      "--on-event-argument", "--")
    #expect(result.status == 0)
    let events = try seen().filter { $0.hasPrefix("VADMON_EVENT=") }.map { $0.dropFirst(13) }
    #expect(events.contains("onset") && events.contains("offset"))
    let spoken = try seen().split(separator: "VADMON_EVENT=muted_speech").dropFirst()
    #expect(spoken.first?.contains("VADMON_VALUE=true") == true)
  }

  @Test func onlyForTheKindsThatAreAskedFor() throws {
    let file = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "talk.wav")
    let result = try Program.vadmon(
      "live", "--input", file, "--on-event", try witness(), "--on-event-kinds", "offset,gap",
      "--on-event-timeout", "1h")
    #expect(result.status == 0)
    #expect(try seen().filter { $0.hasPrefix("VADMON_EVENT=") } == ["VADMON_EVENT=offset"])
  }
}
