import Foundation
import TestSupport
import Testing

/// No file in a folder is dropped without a message.
@Suite struct FolderTests {
  private let folder = TemporaryFolder()

  init() throws {
    try folder.write(TestAudio.wav(TestAudio.utterance()), to: "in/good.wav")
  }

  /// A recording is recognised by the extension of its name, or by its first bytes.
  @Test(
    arguments: [
      ("torn.wav", Data("RIFF".utf8)), ("empty.flac", Data()), ("fake.mp3", Data("notes".utf8)),
      ("noending", Data("fLaC\0\0".utf8)), ("odd.bin", Data("OggS\0\u{2}".utf8)),
      ("x.M4A", Data("no film".utf8)), ("torn.vob", Data([0, 0, 1, 0xBA])), ("x.gsm", Data()),
    ])
  func aBadRecordingIsReportedAsWhenItIsNamed(name: String, content: Data) throws {
    let bad = try folder.write(content, to: "in/\(name)")
    let found = try Program.analyze(folder / "in", "--format", "csv")
    let named = try Program.analyze(folder / "in/good.wav", bad, "--format", "csv")
    #expect(found.status == 65)
    #expect(named.status == 65)
    #expect(found.errors == named.errors)
    #expect(found.errors.contains("cannot read \(bad): "))
    #expect(found.output.contains("good.wav"))
  }

  @Test func aLinkToNowhereThatShouldBeARecordingIsReported() throws {
    for name in ["lost.wav", "lost.txt"] {
      try folder.link("in/\(name)", to: folder / "nowhere")
    }
    let result = try Program.analyze(folder / "in")
    #expect(result.status == 66)
    #expect(result.messages.count == 1)
    #expect(result.errors.contains("lost.wav: No such file"))
  }

  @Test func aVideoWithoutSoundIsPassedOver() throws {
    let video = folder / "in/silent.mp4"
    let made = try Program.shell(
      #"ffmpeg -v error -f lavfi -i color=size=64x64:duration=1:rate=5 -c:v mpeg4 "$1" < /dev/null"#,
      video)
    #expect(made.status == 0, "\(made.errors)")
    let found = try Program.analyze(folder / "in", "--format", "file-jsonl")
    #expect(found.status == 0)
    #expect(found.errors.isEmpty)
    #expect(found.lines.count == 1, "\(found.output)")
    let text = try Program.analyze(folder / "in")
    #expect(text.status == 0 && text.errors.isEmpty)
    #expect(text.lines.last?.hasPrefix("total: speech ") == true)
    #expect(text.lines.last?.hasSuffix(" of 1 recording, 1 video without sound") == true)
    let verbose = try Program.analyze(folder / "in", "--verbose")
    #expect(verbose.errors.contains("\(video): passed over, it has no audio track"))
    let named = try Program.analyze(video)
    #expect(named.status == 65)
    expectMessage(named.errors, video, "audio track")
  }

  /// Nothing goes to standard output if each input has a file of its own.
  @Test(arguments: ["csv", "json"]) func aNamedPipeHasNoResults(format: String) throws {
    try folder.pipe("in/pipe.wav")
    let result = try Program.analyze(
      folder / "in", "--format", format, "--output-dir", folder / "out")
    #expect(result.status == 66 && result.output.isEmpty)
  }

  @Test func aNamedPipeIsReportedAndNotWaitedFor() throws {
    for name in ["live.wav", "control"] { try folder.pipe("in/\(name)") }
    let result = try Program.analyze(folder / "in", "--format", "csv")
    #expect(result.status == 66)
    #expect(
      result.errors == """
        vadmon: cannot read \(folder / "in/live.wav"): it is a named pipe in a folder, \
        which is not waited for; name it on the command line

        """)
    #expect(result.output.contains("good.wav"))
  }

  @Test func filesThatAreNoRecordingsAreCounted() throws {
    try folder.write("0\t1\tspeech\n", to: "in/good.txt")
    try folder.write("more", to: "in/deep/notes.txt")
    try folder.write(Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), to: "in/cover.png")
    try folder.write(Data([0, 0, 0, 24] + Array("ftypheic".utf8)), to: "in/photo")
    try folder.write("x", to: "in/.hidden.wav")
    let plain = try Program.analyze(folder / "in")
    #expect(plain.status == 0)
    #expect(plain.errors.isEmpty)
    let verbose = try Program.analyze(folder / "in", "--verbose")
    #expect(
      verbose.errors.contains(
        "in: passed over 5 items that are not recordings: "
          + "2 .txt, 1 .png, 1 hidden or special, 1 without an ending"), "\(verbose.errors)")
  }
}
