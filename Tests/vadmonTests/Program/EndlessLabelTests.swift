import Foundation
import TestSupport
import Testing

/// Files that are named as labels and have no end, or are sound: refused after their first bytes.
@Suite(.timeLimit(.minutes(5))) struct EndlessLabelTests {
  private let folder = TemporaryFolder()

  init() throws {
    try folder.write("0\t1\tspeech\n", to: "a.txt")
    try folder.write("0\t1\tspeech\n", to: "labels/a.txt")
    try folder.write(TestAudio.wav(TestAudio.utterance()), to: "sound/a.wav")
  }

  /// Runs a line of shell in the folder; `$v` is vadmon.
  private func run(_ line: String) throws -> Program.Result {
    try Program.shell("v=$vadmon; \(line)", in: folder)
  }

  @Test(arguments: [
    "compare /dev/zero a.txt", "compare a.txt /dev/zero", "compare a.txt a.txt --against /dev/zero",
    "compare a.txt a.txt --uem /dev/zero", "tune sound /dev/zero --for f1",
  ])
  func aDeviceWithoutAnEndIsRefused(command: String) throws {
    let result = try run("exec \"$v\" \(command)")
    #expect(result.status == 65 && result.output.isEmpty)
    expectMessage(result.errors, "/dev/zero", "NUL", "check its name")
  }

  @Test(arguments: ["txt", "json", "jsonl", "TextGrid", "csv", "eaf", "uem"])
  func aSparseFileIsRefused(ending: String) throws {
    let options = ending == "uem" ? "a.txt --uem" : ""
    let result = try run(
      "truncate -s 20G sparse.\(ending) && exec \"$v\" compare a.txt \(options) sparse.\(ending)")
    #expect(result.status == 65 && result.output.isEmpty)
    expectMessage(result.errors, "sparse.\(ending)", "NUL", "check its name")
  }

  @Test func aLineWithoutAnEndIsRefused() throws {
    let result = try run(
      """
      mkfifo pipe && { timeout 60 sh -c "tr '\\\\0' x < /dev/zero > pipe" 2> errors & } &&
      exec "$v" compare a.txt pipe
      """)
    #expect(result.status == 65)
    expectMessage(result.errors, "pipe", "16 MiB", "text file")
  }

  /// By its first bytes, whatever it is called.
  @Test func soundIsRefusedAsSound() throws {
    for name in ["a.wav", "sound.txt"] {
      let result = try run("cp sound/a.wav \(name); exec \"$v\" compare a.txt \(name)")
      #expect(result.status == 65)
      expectMessage(result.errors, name, "is a recording", "--frames")
    }
  }

  /// In a folder, a file that is not text is passed over, like other files without labels.
  @Test func aFolderMayHoldWhatIsNoText() throws {
    let result = try run(
      "truncate -s 20G labels/sparse.csv && exec \"$v\" compare labels labels --resamples 0")
    #expect(result.status == 0 && result.lines[0].hasPrefix("1 recording,"))
    let warnings = result.messages.filter { $0.contains("sparse.csv") }
    #expect(warnings.count == 2 && warnings.allSatisfy { $0.hasSuffix("passed over") })
  }
}
