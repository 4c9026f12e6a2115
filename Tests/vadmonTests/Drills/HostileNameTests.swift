import Foundation
import TestSupport
import Testing

/// Names of files that are commands, options, patterns, terminal controls or no text. `ExecTests` and `EventHookTests`
/// have them as arguments of programs.
@Suite(.timeLimit(.minutes(5))) struct HostileNameTests {
  private let folder = TemporaryFolder()

  /// As printf(1) writes them.
  private static let names = [
    "-rf.wav", "--help.wav", "\\073touch pwned\\073.wav", "$(touch pwned).wav", "`touch pwned`.wav",
    "a\\nb.wav", "a\\rb.wav", "ta\\tb.wav", "\\033[31mred.wav", "q\\042\\047.wav", "b\\377.wav",
    "noext\\377",
    "{}.wav", "{stem}{index}.wav", "%%s%%n.wav", " .wav", "*?.wav", "\\302\\23331m.wav",
    "\\342\\200\\256rtl.wav",
    "<b>&amp\\073.wav", "\\\\n.wav", "\\177.wav",
  ]

  init() throws {
    try folder.write(TestAudio.wav(TestAudio.utterance()), to: "speech.wav")
    let printed = Self.names.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
    let made = try run(
      """
      for name in \(printed); do
        # The dot keeps a line feed at the end.
        name=$(printf -- "$name"; echo .)
        cp ../speech.wav "./${name%.}" || exit
      done
      find . -type f -printf x | wc -c
      """)
    #expect(made.status == 0 && Int(made.lines[0]) == Self.names.count, "\(made)")
  }

  /// Runs a line of shell in the folder of the recordings; `$v` is vadmon.
  private func run(_ script: String) throws -> Program.Result {
    try Program.shell("v=$vadmon; mkdir -p in; cd in || exit; \(script)", in: folder)
  }

  /// The names below the folder as they are, with zeros between them.
  private func all() throws -> Set<Data> {
    let found = try run("find .. -print0")
    return Set(found.bytes.split(separator: 0).map { Data($0) })
  }

  private func hasControls(_ bytes: Data) -> Bool {
    bytes.contains { $0 != 0x0A && ($0 < 0x20 || $0 == 0x7F) }
      || String(decoding: bytes, as: UTF8.self).unicodeScalars.contains {
        (0x80...0x9F).contains($0.value) || (0x202A...0x202E).contains($0.value)
      }
  }

  @Test func aTerminalGetsNoControls() throws {
    for options in ["", "--format json", "--format jsonl", "--template '{file} {stem} {index}'"] {
      let result = try run("exec \"$v\" . \(options)")
      #expect(result.status == 0, "\(result.errors)")
      #expect(!hasControls(result.bytes) && !hasControls(Data(result.errors.utf8)), "\(options)")
    }
    // Messages too. An empty file without an ending is no recording.
    let recordings = Self.names.count { $0.hasSuffix(".wav") }
    let errors = try run("for f in ./*; do : > \"$f\"; done; exec \"$v\" .")
    #expect(errors.status == 65 && errors.errors.split(separator: "\n").count == recordings)
    #expect(!hasControls(Data(errors.errors.utf8)), "\(errors.errors)")
  }

  /// Every recording is found, and its results are below the named folders, under its own name.
  @Test func resultsStayInTheirFolders() throws {
    let before = try all()
    let result = try run(
      """
      exec "$v" --output-dir ../out --frames ../tables --save-segments ../saved --format csv --report ../page.html .
      """)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    let new = try all().subtracting(before)
    for (kind, ending) in [("out", ".csv"), ("tables", ".csv"), ("saved", "-0001.wav")] {
      let files = new.filter { $0.starts(with: Data("../\(kind)/".utf8)) }
      #expect(files.count == Self.names.count, "\(kind)")
      #expect(files.allSatisfy { $0.suffix(ending.utf8.count) == Data(ending.utf8) })
    }
    #expect(new.count == 3 * Self.names.count + 4)
    let results = try run(
      """
      python3 -c 'import csv, glob, os
      for path in glob.glob(os.path.join(glob.escape(b"../out"), b"*")):
          rows = list(csv.reader(open(path, newline="", errors="replace")))
          name = os.path.basename(path)[:-4].decode(errors="replace")
          assert rows[1][1] in ("./" + name, "./" + name + ".wav"), rows'
      """)
    #expect(results.status == 0, "\(results.errors)")
  }

  /// A list may begin with dashes; arguments may behind `--`.
  @Test func namesAreNoOptions() throws {
    let listed = try run(
      "find . -type f -printf '%P\\0' | \"$v\" --files-from - --null --format file-jsonl")
    #expect(listed.status == 0 && listed.lines.count == Self.names.count, "\(listed.errors)")
    let named = try run("exec \"$v\" --format file-jsonl -- *")
    #expect(named.status == 0 && named.lines.count == Self.names.count, "\(named.errors)")
    #expect(try !folder.names.contains("pwned"))
  }

  /// Text without an ending is passed over, also under a name that is no text.
  @Test func otherFilesArePassedOver() throws {
    let result = try run("echo text > \"$(printf 'text\\377')\"; exec \"$v\" . --format file-jsonl")
    #expect(result.status == 0 && result.lines.count == Self.names.count, "\(result.errors)")
  }

  /// 255 bytes are the most that a name has; hidden names of ours are shorter.
  @Test func longNamesAreKeptOrRefused() throws {
    let kept = try run(
      """
      rm -f ./*; long=$(printf 'x%.0s' $(seq 251)); cp ../speech.wav "$long.wav"
      "$v" . --output-dir ../out --frames ../tables --format csv && [ -s "../out/$long.csv" ]
      """)
    #expect(kept.status == 0, "\(kept.errors)")
    let refused = try run("exec \"$v\" . --save-segments ../saved")
    #expect(refused.status == 74 && !refused.output.isEmpty)
    #expect(refused.errors.contains("the name is too long; choose a shorter one"))
  }
}
