import Foundation
import TestSupport
import Testing

/// `vadmon analyze` beside what a loudspeaker played.
@Suite struct ReferenceTests {
  private static let far = try! TelephoneSpeech.samples(rate: 16_000)
  /// The far end, 90 ms later and 10 dB quieter.
  private static let microphone = far.indices.map { $0 < 1_440 ? 0 : 0.3 * far[$0 - 1_440] }

  /// Returns the segments that `vadmon analyze` finds.
  private func segments(_ arguments: String...) throws -> Int {
    let result = try Program.run([Program.path, "analyze", "--format", "csv"] + arguments)
    #expect(result.status == 0 && result.errors.isEmpty)
    return result.output.components(separatedBy: "segment,").count - 1
  }

  @Test func theFarEndIsNotTheUser() throws {
    let folder = try TemporaryFolder()
    let (mic, far, far48, both) = (
      folder / "mic.wav", folder / "far.wav", folder / "far48.wav", folder / "both.wav"
    )
    try TestAudio.wav(Self.microphone).write(to: URL(filePath: mic))
    try TestAudio.wav(Self.far).write(to: URL(filePath: far))
    try TestAudio.wav(try TelephoneSpeech.samples(rate: 48_000), rate: 48_000)
      .write(to: URL(filePath: far48))
    try TestAudio.wav(TestAudio.pcm16(Self.far, Self.microphone), channels: 2)
      .write(to: URL(filePath: both))
    #expect(try segments(mic) >= 2)
    #expect(try segments(mic, "--reference", far) == 0)
    #expect(try segments(mic, "--reference", far48) == 0)
    #expect(try segments(both, "--reference-channel", "1") == 0)
    #expect(try segments(both, "--reference-channel", "1", "--channel", "2") == 0)
  }

  /// In a folder of references, each recording has its own.
  @Test func aFolderOfReferencesHasTheSameNames() throws {
    let (heard, played) = (try TemporaryFolder(), try TemporaryFolder())
    for name in ["a.wav", "b.wav"] {
      try TestAudio.wav(Self.microphone).write(to: URL(filePath: heard / name))
      try TestAudio.wav(Self.far).write(to: URL(filePath: played / name))
    }
    #expect(try segments(heard.path, "--reference", played.path) == 0)
    try FileManager.default.removeItem(atPath: played / "b.wav")
    let result = try Program.analyze(heard.path, "--reference", played.path)
    #expect(result.status == 66 && result.errors.contains("\(played / "b.wav")"))
    #expect(result.output.contains("a.wav"))
  }

  /// A reference that ends early has silence behind its end: the far end is heard from there on.
  @Test func aShortReferenceEndsInSilence() throws {
    let folder = try TemporaryFolder()
    try TestAudio.wav(Self.microphone).write(to: URL(filePath: folder / "mic.wav"))
    try TestAudio.wav(Array(Self.far.prefix(56_000))).write(to: URL(filePath: folder / "far.wav"))
    #expect(try segments(folder / "mic.wav", "--reference", folder / "far.wav") == 1)
  }

  @Test func mistakesAreNamed() throws {
    let folder = try TemporaryFolder()
    let mic = folder / "mic.wav"
    try TestAudio.wav(Self.microphone).write(to: URL(filePath: mic))
    for (arguments, status, message) in [
      ([mic, "--reference", folder / "none.wav"], 66, "none.wav"),
      ([mic, mic, "--reference", mic], 64, "belongs to one recording"),
      ([mic, "--reference", mic, "--reference-channel", "1"], 64, "exclude each other"),
      ([mic, "--reference-channel", "2"], 65, "no channel 2"),
      ([mic, "--reference-channel", "2", "--channel", "2"], 64, "is the --channel itself"),
      ([mic, "--reference", mic, "--channel", "each"], 64, "choose its --channel"),
      (["-", "--reference-channel", "1"], 64, "standard input"),
      ([mic, "--reference", "-"], 64, "not '-'"),
    ] as [([String], Int32, String)] {
      let result = try Program.run([Program.path, "analyze"] + arguments)
      #expect(result.status == status, "\(arguments)")
      #expect(
        result.errors.contains(message) && result.errors.hasPrefix("vadmon: "), "\(result.errors)")
    }
  }
}
