import Foundation
import TestSupport
import Testing

/// Samples beyond full scale, as decoders of loud speech make them: WAV keeps them, FLAC cannot, which is said.
@Suite struct ClippedSampleTests {
  private let folder = TemporaryFolder()
  private let recording: String
  private let samples: [Float]

  init() throws {
    samples = Self.utterance(peak: 1.4)
    recording = try folder.write(Self.wav(samples), to: "loud.wav")
  }

  private static func utterance(peak: Float) -> [Float] {
    let speech = TestAudio.utterance()
    let gain = peak / speech.map(\.magnitude).max()!
    return speech.map { $0 * gain }
  }

  private static func wav(_ samples: [Float]) -> Data {
    TestAudio.wav(TestAudio.float32(samples), bits: 32, isFloat: true)
  }

  /// How many samples of these segments are beyond full scale.
  private func count(_ segments: [Range<Int>]) -> Int {
    segments.map { range in samples[range].count { $0 > 1 || $0 < -1 } }.reduce(0, +)
  }

  private func segments(_ result: Program.Result) throws -> [Range<Int>] {
    try result.records.ofType("segment").map {
      try #require($0["start_sample"] as? Int)..<#require($0["end_sample"] as? Int)
    }
  }

  @Test func theFLACOfATrimSaysHowManyAreClipped() throws {
    let result = try Program.analyze(
      recording, "--trim", folder / "t.flac", "--fade", "0", "--format", "jsonl")
    let clipped = try count(segments(result))
    #expect(result.status == 0 && clipped > 10)
    let warning =
      "\(clipped) samples beyond full scale were clipped in the FLAC of --trim; end its name with .wav to keep the peaks"
    #expect(result.errors == "vadmon: warning: \(recording): \(warning)\n")
    #expect(result.lines.last?.contains("\"warnings\": [\"\(warning)\"]") == true)
  }

  @Test func theFLACOfSegmentsSaysHowManyAreClipped() throws {
    let cut = try CutRecording(recording, in: folder, "--segment-format", "flac")
    let clipped = count(cut.segments.map { $0.start..<$0.end })
    #expect(cut.result.status == 0 && clipped > 10)
    expectMessage(
      cut.result.errors, "warning: \(recording): \(clipped) samples", "--save-segments",
      "--segment-format wav")
  }

  @Test func aWAVKeepsThem() throws {
    let cut = try CutRecording(recording, in: folder, "--trim", folder / "t.wav", "--fade", "0")
    #expect(cut.result.status == 0 && cut.result.errors.isEmpty, "\(cut.result.errors)")
    let expected = cut.segments.flatMap { samples[$0.start..<$0.end].map(\.bitPattern) }
    #expect(expected.count > 10_000)
    #expect(try CutRecording.decode(folder / "t.wav", as: "f32le") == expected)
    #expect(
      try cut.segments.flatMap { try CutRecording.decode($0.file, as: "f32le") } == expected)
  }

  /// Full scale itself is rounded like other samples.
  @Test func fullScaleIsNotClipped() throws {
    let full = try folder.write(Self.wav(Self.utterance(peak: 1)), to: "full.wav")
    let cut = try CutRecording(
      full, in: folder, "--segment-format", "flac", "--trim", folder / "t.flac")
    #expect(cut.result.status == 0 && !cut.segments.isEmpty)
    #expect(cut.result.errors.isEmpty, "\(cut.result.errors)")
  }

  @Test(arguments: ["flac", "wav"]) func liveSaysIt(format: String) throws {
    let result = try Program.vadmon(
      "live", "-", "--sample-format", "f32le", "--save-segments", folder / "out",
      "--segment-format", format, "--json", input: TestAudio.float32(samples))
    let clipped = try count(segments(result))
    #expect(result.status == 0 && clipped > 10)
    let warning = "\(clipped) samples beyond full scale were clipped in the FLAC of --save-segments"
    #expect(result.errors.contains("standard input: \(warning)") == (format == "flac"))
    #expect(result.lines.last?.contains(warning) == (format == "flac"), "\(result.output)")
  }
}
