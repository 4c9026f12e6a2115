import Foundation
import TestSupport
import Testing

@testable import vadmon

/// `--exec`: a program for each segment.
@Suite(.timeLimit(.minutes(5))) struct ExecTests {
  private let folder = TemporaryFolder()
  private let recording = TestAudio.samples + "/speech.flac"

  /// A program that adds its arguments as a line to a file, each in brackets.
  private func recorder() throws -> String {
    try folder.script(
      #"line=; for word; do line="$line[$word]"; done; printf '%s\n' "$line" >> \#(folder / "words")"#
    )
  }

  private func words() throws -> [String] {
    try folder.text(of: "words").split(separator: "\n").map(String.init).sorted()
  }

  /// The arguments are what `--template` writes.
  @Test func eachSegmentHasItsArguments() throws {
    let exec = "\(try recorder()) '{start} to {end}' {index} \"\" x{stem}.{kind}' '{{}}"
    let run = try Program.analyze(
      recording, "--exec", exec, "--template",
      "[{start} to {end}][{index}][][x{stem}.{kind} {{}}]")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(try run.lines.count > 2 && words() == run.lines.sorted())
  }

  /// What cannot be saved has no file to name. A full disk is a limit of 4 KiB here.
  @Test func aSegmentThatCannotBeSavedHasNoProgram() throws {
    let run = try Program.shell(
      #"(trap '' XFSZ; ulimit -f 8; "$vadmon" analyze "$1" --save-segments "$2" --exec "$3"; echo $?) | cat"#,
      recording, folder / "saved", "\(try recorder()) {saved}")
    #expect(run.output.hasSuffix("\n74\n"))
    expectMessage(run.errors, "limit for files")
    #expect(try folder.names == ["saved", "script"])
  }

  @Test func withInvertItRunsForTheSilence() throws {
    let run = try Program.analyze(
      recording, "--invert", "--exec", "\(try recorder()) {kind} {start}", "--template",
      "[{kind}][{start}]")
    #expect(try run.status == 0 && words() == run.lines.sorted())
    #expect(try words().first == "[silence][0.000]")
  }

  /// A name is one argument, with its bytes, and never an option or a command.
  @Test(arguments: [
    "$(touch pwned) `touch pwned`;touch pwned'\" *.wav", "-rf.wav", "{start} \\n.wav",
  ])
  func aHostileNameIsOneArgument(name: String) throws {
    try folder.write(TestAudio.wav(TestAudio.utterance()), to: name)
    let exec = "\(try recorder()) {file} -- {stem}.txt x{stem}"
    let run = try Program.vadmon("analyze", "--quiet", "--exec", exec, "--", name, in: folder)
    #expect(run.status == 0, "\(run.errors)")
    let (dot, stem) = (name.hasPrefix("-") ? "./" : "", name.dropLast(4))
    #expect(try words() == ["[\(dot)\(name)][--][\(dot)\(stem).txt][x\(stem)]"])
    #expect(try folder.names.sorted() == [name, "script", "words"].sorted())
  }

  /// A shell runs the text behind `-c`, but not its arguments.
  @Test(arguments: [
    ("sh -c 'cat {file}'", false), ("/bin/bash -euc 'cat \"{stem}\"'", false),
    ("bash -e -c 'cat' {saved}", true), ("sh {file}", true), ("env -c {file}", true),
    ("sh -c 'echo {start} {index} > words'", true), ("sh -c 'cat {start}' sh {file}", true),
  ]) func aNameIsNoTextOfAShell(exec: String, isTaken: Bool) throws {
    guard isTaken else {
      expectMessage(
        "\(#expect(throws: ValueError.self) { try CommandArgument(parsing: exec) }!)", "argument",
        "{file}")
      return
    }
    _ = try CommandArgument(parsing: exec)
  }

  @Test func aShellGetsNamesAsArguments() throws {
    let name = "$(touch pwned)'\"`touch pwned`.wav"
    try folder.write(TestAudio.wav(TestAudio.utterance()), to: name)
    let exec = #"sh -c 'cmp "$1" "$1" && echo "$1" > words' sh {file}"#
    let run = try Program.vadmon("analyze", "--exec", exec, name, in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.text(of: "words") == name + "\n")
    #expect(try folder.names.sorted() == [name, "words"].sorted())
  }

  /// A dash alone means standard input, unless it is the name of a recording.
  @Test func aDashIsOnlyStandardInput() throws {
    try folder.write(TestAudio.wav(TestAudio.utterance()), to: "-.wav")
    let exec = "\(try recorder()) {file} {stem}"
    let run = try Program.shell(
      #""$vadmon" analyze --exec "$1" -- -.wav && "$vadmon" analyze --exec "$1" - < -.wav"#, exec,
      in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try words() == ["[-][stdin]", "[./-.wav][./-]"])
  }

  /// The program's arguments and the names of files have the same bytes.
  @Test func aNameThatIsNotTextIsPassedOn() throws {
    try folder.write(TestAudio.wav(TestAudio.utterance()), to: "a.wav")
    let check = try folder.script(#"[ "$*" = "$EXPECTED" ]"#)
    let run = try Program.shell(
      #"""
      stem=$(printf 'b\377') folder=$(printf 'd\376') && mv a.wav "$stem.wav" || exit
      export EXPECTED="./$stem.wav $stem $folder/$stem-0001.wav"
      "$vadmon" analyze . --output-dir results --frames tables --save-segments "$folder" --exec \
        "$1 {file} {stem} {saved}" || exit
      for file in "results/$stem.txt" "tables/$stem.csv" "$folder/$stem-0001.wav"; do
        [ -s "$file" ] || printf '%s is missing\n' "$file"
      done
      """#, check, in: folder)
    #expect(run.status == 0 && run.output.isEmpty, "\(run.errors)\(run.output)")
  }

  @Test(arguments: [("--exec", "cp {saved} x"), ("--template", "{start} {saved}")])
  func withoutSavedSegmentsNoneCanBeNamed(option: String, text: String) throws {
    let run = try Program.analyze(recording, option, text, "--output", folder / "out")
    #expect(run.status == 64)
    expectMessage(run.errors, option, "{saved}", "--save-segments DIR")
    #expect(try folder.names.isEmpty)
  }

  @Test func theSavedFileIsCompleteWhenTheProgramRuns() throws {
    let run = try Program.analyze(
      recording, "--save-segments", folder / "out", "--exec",
      "cp {saved} \(folder.path)/{index}.wav")
    #expect(run.status == 0, "\(run.errors)")
    let saved = try folder.names(in: "out")
    #expect(saved.count > 2)
    for (index, name) in saved.enumerated() {
      #expect(
        FileManager.default.contentsEqual(
          atPath: folder / "out/\(name)", andPath: folder / "\(index + 1).wav"))
    }
  }

  /// The results stay what they are.
  @Test func outputGoesToStandardError() throws {
    let plain = try Program.analyze(recording, "--format", "tsv")
    let run = try Program.analyze(recording, "--format", "tsv", "--exec", "echo heard {index}")
    #expect(run.output == plain.output && run.status == 0)
    #expect(
      run.messages.sorted()
        == plain.lines.dropFirst().indices.map { "heard \($0)" })
    let quiet = try Program.analyze(recording, "--quiet", "--exec", "echo heard")
    #expect(quiet.errors.isEmpty)
  }

  /// Each run waits until another one runs, or else none at the same time: the programs themselves see how many run.
  @Test func asManyRunAtOnceAsThereAreJobs() throws {
    let together = try folder.script(
      """
      touch \(folder / "run").$1
      for try in $(seq 200); do
        [ $(ls \(folder.path) | grep -c '^run') -ge 2 ] && exit 0
        sleep 0.1
      done
      exit 9
      """)
    let two = try Program.analyze(
      recording, "-j2", "--exec", "\(together) {index}")
    #expect(two.status == 0, "\(two.errors)")
    let alone = try folder.script(
      "mkdir \(folder / "busy") && sleep 0.05 && rmdir \(folder / "busy")")
    let one = try Program.analyze(recording, recording, "-j1", "--exec", alone)
    #expect(one.status == 0, "\(one.errors)")
  }

  @Test func failuresAreCountedAndEveryResultIsThere() throws {
    let plain = try Program.analyze(recording, "--format", "tsv")
    let count = plain.lines.count - 1
    let failing = try folder.script("[ $1 = 2 ] && exit 3; [ $1 = 3 ] && kill -9 $$; exit 0")
    let run = try Program.analyze(
      recording, "--format", "tsv", "-j1", "--exec", "\(failing) {index}")
    #expect(run.status == 70 && run.output == plain.output)
    let start = plain.lines[2].split(separator: "\t")[2]
    #expect(
      run.errors == """
        vadmon: --exec: \(failing) failed with exit code 3 for 1, was ended by signal 9 for 1 of \(count) segments, \
        one of them at 0:0\(start) of \(recording)

        """)
    let missing = try Program.analyze(recording, folder / "none.wav", "--exec", "\(failing) 2")
    #expect(missing.status == 66, "the first failure decides")
  }

  @Test func aProgramThatCannotRunIsRefusedAtOnce() throws {
    for (exec, reason) in [("no-such-program x", "PATH"), ("\(folder / "text") x", "chmod +x")] {
      try folder.write("text", to: "text")
      let run = try Program.analyze(recording, "--exec", exec, "--output", folder / "out")
      #expect(run.status == 64)
      expectMessage(run.errors, "--exec", exec.dropLast(2).description, reason)
      #expect(try folder.names == ["text"])
    }
  }

  /// A program that hangs is ended, and no other is started.
  @Test func anInterruptionEndsThePrograms() throws {
    let hanging = try folder.script(
      "echo $$ > \(folder / "id.new"); mv \(folder / "id.new") \(folder / "id"); exec sleep 1000")
    let program = try RunningProgram(command: [
      "analyze", recording, "--format", "jsonl", "-j1", "--exec", hanging,
    ])
    try program.waitUntil { folder.has("id") }
    program.interrupt()
    #expect(program.wait() == -SIGINT)
    let errors = try program.errors
    #expect(
      errors.contains("interrupted: the program of --exec was not run to its end for"),
      "\(errors)")
    #expect(!errors.contains("failed") && !errors.contains("signal"))
    #expect(try program.output.contains("\"type\": \"file\""))
    let id = try folder.text(of: "id").trimmingCharacters(in: .newlines)
    try blockUntil("the program is over") { Program.isOver(id) }
  }
}
