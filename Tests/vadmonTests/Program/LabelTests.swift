import Foundation
import TestSupport
import Testing

/// `vadmon label`: the page that it makes and names, what it replaces, and what opens it. Tests/ReportPage labels on
/// one.
@Suite struct LabelTests {
  private let folder = TemporaryFolder()
  private let speech: String

  init() throws {
    speech = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "in/speech.wav")
  }

  private func label(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> Program.Result {
    try Program.vadmon(["label"] + arguments, in: folder, environment: environment)
  }

  @Test func itMakesAPageInTheCurrentFolderAndPrintsItsName() throws {
    let result = try label([speech])
    #expect(result.status == 0 && result.output == "speech.html\n", "\(result.errors)")
    let page = try folder.text(of: "speech.html")
    #expect(page.contains("<title>Labels of \(speech)</title>"))
    #expect(page.contains("\"editing\":true") || page.contains("\"editing\": true"))
    let named = try label([speech, "--report", folder / "page.html", "--quiet"])
    #expect(named.status == 0 && named.output == folder / "page.html" + "\n")
    #expect(try folder.names == ["in", "page.html", "speech.html"])
  }

  @Test func theReportOfAnalyzeDoesNotBeginWithTheEditor() throws {
    _ = try Program.analyze(speech, "--report", folder / "report.html")
    let page = try folder.text(of: "report.html")
    #expect(page.contains("\"editing\":false") || page.contains("\"editing\": false"))
  }

  @Test func itReplacesNothingWithoutForce() throws {
    try folder.write("mine", to: "speech.html")
    let refused = try label([speech])
    #expect(refused.status == 64 && refused.output.isEmpty)
    expectMessage(refused.errors, "speech.html", "--report", "--force")
    #expect(try folder.text(of: "speech.html") == "mine")
    #expect(try label([speech, "--force"]).status == 0)
    #expect(try folder.text(of: "speech.html") != "mine")
  }

  @Test func aPageInAPipeIsAllThatIsWritten() throws {
    let result = try label([speech, "--report", "/dev/stdout", "--force"])
    #expect(result.status == 0 && result.output.hasSuffix("</html>\n"))
  }

  @Test func whatCannotBeReadHasNoPage() throws {
    try folder.write("no sound", to: "in/broken.flac")
    for (name, status) in [("nowhere.wav", 66), ("in/broken.flac", 65)] as [(String, Int32)] {
      let result = try label([folder / name])
      #expect(result.status == status && result.output.isEmpty)
      expectMessage(result.errors, name)
    }
    let stream = try label(["-"])
    #expect(stream.status == 64)
    expectMessage(stream.errors, "'-'", "file")
    #expect(try folder.names == ["in"])
  }

  /// The page has what can be read, and the exit code is that of `analyze`.
  @Test func whatCannotBeReadIsNamedBesideThePageOfTheOthers() throws {
    try folder.write("no sound", to: "in/broken.flac")
    let result = try label([folder / "in"])
    #expect(result.status == 65 && result.output == "in.html\n")
    expectMessage(result.errors, "broken.flac")
    #expect(try folder.text(of: "in.html").contains("speech.wav"))
    try folder.write("mine", to: "none.html")
    let none = try label([folder / "in/broken.flac", "--report", "none.html", "--force"])
    #expect(none.status == 65 && none.output.isEmpty)
    #expect(try folder.text(of: "none.html") == "mine")
  }

  @Test func aRecordingIsNotReplacedByItsPage() throws {
    let result = try label([speech, "--report", speech, "--force"])
    #expect(result.status == 64)
    expectMessage(result.errors, speech)
  }

  @Test func aFolderHasOnePage() throws {
    try folder.write(TestAudio.wav(TestAudio.silence(seconds: 1)), to: "in/other.wav")
    let result = try label([folder / "in"])
    #expect(result.status == 0 && result.output == "in.html\n", "\(result.errors)")
    #expect(try folder.text(of: "in.html").contains("id=\"recording-2\""))
  }

  @Test func theSettingsOfAFileDecideWhatOneBeginsWith() throws {
    try folder.write(#"{"onset_threshold": 0.97}"#, to: "my.json")
    #expect(try label([speech, "--config", folder / "my.json"]).status == 0)
    #expect(try folder.text(of: "speech.html").contains("0.97"))
  }

  /// There is no `--from`, so that its setting is one of other commands.
  @Test func recordingsAreLabelledWhole() throws {
    #expect(try label([speech]).status == 0)
    let whole = try folder.text(of: "speech.html")
    let settings = try folder.write(#"{"from_ms": 3000, "to_ms": 3100}"#, to: "my.json")
    #expect(try label([speech, "--config", settings, "--force"]).status == 0)
    #expect(try folder.text(of: "speech.html") == whole)
    let shown = try label([speech, "--config", settings, "--report", "new.html", "--show-config"])
    #expect(shown.output.contains(#/from_ms +0 +default/#), "\(shown.output)\(shown.errors)")
  }

  /// A script takes the place of the desktop's program, because a test has no desktop.
  private func open(with script: String) throws -> Program.Result {
    try folder.script(script, to: "bin/xdg-open")
    return try label([speech, "--open"], environment: folder.programsFirst)
  }

  @Test func aPageThatCannotBeOpenedIsReported() throws {
    let result = try open(with: "exit 3")
    #expect(result.status == 69 && result.output == "speech.html\n")
    expectMessage(result.errors, "speech.html", "xdg-open failed with exit code 3", "browser")
  }

  @Test func openGivesThePageToTheDesktop() async throws {
    let note = folder / "opened"
    let result = try open(
      with: "printf %s \"$1\" > '\(note).part' && mv '\(note).part' '\(note)'")
    #expect(result.status == 0 && result.output == "speech.html\n", "\(result.errors)")
    try await waitUntil("xdg-open was called") { FileManager.default.fileExists(atPath: note) }
    #expect(try folder.text(of: "opened").hasSuffix("/speech.html"))
  }

  @Test func withoutAProgramToOpenItThereIsOneSentence() throws {
    let result = try Program.vadmon(
      "label", speech, "--report", folder / "page.html", "--open",
      environment: ["PATH": folder.path])
    #expect(result.status == 69)
    expectMessage(result.errors, "--open", "xdg-open", "PATH", "xdg-utils")
    #expect(try folder.names == ["in"])
  }
}
