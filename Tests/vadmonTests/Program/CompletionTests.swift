import Foundation
import TestSupport
import Testing

/// The completion of command lines in shells.
@Suite struct CompletionTests {
  /// The shells themselves complete, those that are installed.
  @Test(.tags(.slow)) func shellsComplete() throws {
    let folder = TemporaryFolder()
    let scripts = [
      "bash": "bash-completion/completions/vadmon", "zsh": "zsh/site-functions/_vadmon",
      "fish": "fish/vendor_completions.d/vadmon.fish",
    ]
    for (shell, path) in scripts {
      let script = try Program.vadmon("--generate-completion-script", shell)
      try folder.write(script.output, to: "share/" + path)
    }
    try folder.link("bin/vadmon", to: Program.path)
    let check = URL(fileURLWithPath: #filePath).appending(
      path: "../../../Program/completions.sh"
    ).standardized.path
    let result = try Program.run([check, folder.path])
    #expect(result.status == 0 && result.output.contains(" bash"), "\(result.errors)")
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func completionsAreGenerated(shell: String) throws {
    let result = try Program.vadmon("--generate-completion-script", shell)
    #expect(result.status == 0)
    #expect(result.output.contains("mute-timeline"))
  }
}
