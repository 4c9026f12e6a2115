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
    let result = try Program.analyze(["--format", "csv"] + arguments)
    #expect(result.status == 0 && result.errors.isEmpty)
    return result.output.components(separatedBy: "segment,").count - 1
  }

  @Test func theFarEndIsNotTheUser() throws {
    let folder = TemporaryFolder()
    let mic = try folder.write(TestAudio.wav(Self.microphone), to: "mic.wav")
    let far = try folder.write(TestAudio.wav(Self.far), to: "far.wav")
    let far48 = try folder.write(
      TestAudio.wav(TelephoneSpeech.samples(rate: 48_000), rate: 48_000), to: "far48.wav")
    let both = try folder.write(
      TestAudio.wav(TestAudio.pcm16(Self.far, Self.microphone), channels: 2), to: "both.wav")
    #expect(try segments(mic) >= 2)
    #expect(try segments(mic, "--reference", far) == 0)
    #expect(try segments(mic, "--reference", far48) == 0)
    #expect(try segments(both, "--reference-channel", "1") == 0)
    #expect(try segments(both, "--reference-channel", "1", "--channel", "2") == 0)
  }

  /// Stereo in opposite phase, of which the mean would be silence, and a voice on one side only.
  @Test(arguments: [-1.0, 0] as [Float])
  func stereoIsMixedWithoutCancelling(right: Float) throws {
    let folder = TemporaryFolder()
    let mic = try folder.write(TestAudio.wav(Self.microphone), to: "mic.wav")
    let stereo = TestAudio.pcm16(Self.far, Self.far.map { right * $0 })
    let far = try folder.write(TestAudio.wav(stereo, channels: 2), to: "far.wav")
    #expect(try segments(mic, "--reference", far) == 0)
  }

  /// The reference comes up to 60 ms after its echo, or up to 680 ms before it.
  @Test(arguments: [-60, -20, 0, 600, 660])
  func theReferenceMayBeLate(delay: Int) throws {
    let folder = TemporaryFolder()
    func late(_ sound: [Float], _ milliseconds: Int) -> [Float] {
      [Float](repeating: 0, count: 16 * max(milliseconds, 0)) + sound
    }
    let echo = late(Self.far.map { 0.3 * $0 }, delay)
    let mic = try folder.write(TestAudio.wav(echo), to: "mic.wav")
    let far = try folder.write(TestAudio.wav(late(Self.far, -delay)), to: "far.wav")
    let result = try Program.analyze(mic, "--reference", far, "--format", "jsonl")
    #expect(!result.output.contains("\"segment\""))
    let found = try #require(result.output.firstMatch(of: /"delay_ms": (\d+)/))
    #expect(abs(try #require(Int(found.1)) - max(delay, 0)) <= 20)
  }

  /// In a folder of references, each recording has its own.
  @Test func aFolderOfReferencesHasTheSameNames() throws {
    let (heard, played) = (TemporaryFolder(), TemporaryFolder())
    for name in ["a.wav", "b.wav"] {
      try heard.write(TestAudio.wav(Self.microphone), to: name)
      try played.write(TestAudio.wav(Self.far), to: name)
    }
    #expect(try segments(heard.path, "--reference", played.path) == 0)
    try FileManager.default.removeItem(atPath: played / "b.wav")
    let result = try Program.analyze(heard.path, "--reference", played.path)
    #expect(
      result.status == 66
        && result.errors.contains("the reference of \(heard / "b.wav") cannot be used"))
    #expect(result.errors.contains("\(played / "b.wav")"))
    #expect(result.output.contains("a.wav"))
  }

  /// What keeps a reference from its effect is said, in a message and in the results, and so is what was found of it.
  @Test func aReferenceThatDoesNotServeIsNamed() throws {
    let folder = TemporaryFolder()
    let mic = try folder.write(TestAudio.wav(Self.microphone), to: "mic.wav")
    let whole = TestAudio.wav(Self.far)
    var broken = Self.far
    broken.replaceSubrange(5_000..<5_003, with: [.nan, .infinity, -.infinity])
    for (name, file, segments, warning) in [
      ("whole", whole, 0, nil),
      // From the end of a short one on the far end is heard.
      ("short", TestAudio.wav(Array(Self.far.prefix(56_000))), 1, "it ends at 3.500 s"),
      ("torn", whole.prefix(100_000), 1, "the recording is cut off"),
      ("empty", TestAudio.wav([Float]()), 2, "it contains a header and no audio"),
      ("silent", TestAudio.wav(Self.far.map { _ in 0 }), 2, "no echo of it"),
      (
        "broken", TestAudio.wav(TestAudio.float32(broken), bits: 32, isFloat: true), 0,
        "3 samples are not numbers"
      ),
      ("copy", TestAudio.wav(Self.microphone), 0, "the recording is a copy of it"),
    ] as [(String, Data, Int, String?)] {
      let path = try folder.write(file, to: "\(name).wav")
      let result = try Program.analyze(mic, "--reference", path, "--format", "jsonl")
      #expect(result.status == 0)
      let found = result.output.components(separatedBy: "\"segment\"").count - 1
      #expect(found >= segments && (segments > 0 || found == 0), "\(name): \(found)")
      guard let warning else {
        #expect(result.errors.isEmpty)
        let echo = try #require(result.output.firstMatch(of: /"delay_ms": (\d+), "fit": ([\d.]+)/))
        // In steps of 20 ms.
        #expect(abs(try #require(Int(echo.1)) - 90) <= 20 && Double(echo.2)! > 0.15)
        continue
      }
      let said = "reference \(path): \(warning)"
      #expect(result.errors.contains("vadmon: warning: \(mic): \(said)"), "\(result.errors)")
      #expect(result.output.contains("\"\(said)"), "\(result.output)")
    }
  }

  /// Beside itself all of a recording would be echo, by whatever name and through whatever link.
  @Test func aRecordingIsNotItsOwnReference() throws {
    let folder = TemporaryFolder()
    let mic = try folder.write(TestAudio.wav(Self.microphone), to: "mic.wav")
    let link = try folder.link("link.wav", to: mic)
    for reference in [mic, link, folder.path] {
      let result = try Program.analyze(mic, "--reference", reference)
      #expect(result.status == 64)
      #expect(result.errors.contains("\(mic) is its own reference: name"), "\(result.errors)")
    }
  }

  @Test func mistakesAreNamed() throws {
    let folder = TemporaryFolder()
    let mic = try folder.write(TestAudio.wav(Self.microphone), to: "mic.wav")
    for (arguments, status, message) in [
      ([mic, "--reference", folder / "none.wav"], 66, "none.wav"),
      ([mic, mic, "--reference", mic], 64, "belongs to one recording"),
      ([mic, "--reference", mic, "--reference-channel", "1"], 64, "exclude each other"),
      ([mic, "--reference-channel", "2"], 65, "no channel 2 for the reference: it has only one"),
      ([mic, "--reference-channel", "1"], 65, "no channel beside the reference: it has only one"),
      (
        [mic, "--reference-channel", "2", "--channel", "2"], 64,
        "--reference-channel and --channel are both channel 2"
      ),
      (
        [mic, "--reference", mic, "--channel", "each"], 64, "--channel is each: choose its channel"
      ),
      (["-", "--reference-channel", "1"], 64, "standard input"),
      ([mic, "--reference", "-"], 64, "not '-'"),
    ] as [([String], Int32, String)] {
      let result = try Program.analyze(arguments)
      #expect(result.status == status, "\(arguments)")
      #expect(
        result.errors.contains(message) && result.errors.hasPrefix("vadmon: "), "\(result.errors)")
    }
  }
}
