import Foundation
import TestSupport
import Testing

/// The sound of saved segments, compared with ffmpeg's decoding of the recording.
@Suite struct SavedSegmentTests {
  private let folder = TemporaryFolder()

  @Test(
    .tags(.slow),
    arguments: [
      "speech.flac", "muted-talk.flac", "stereo-48k.flac", "telephone-8k.wav",
    ], ["wav", "flac"])
  func aSegmentHasTheSamplesOfTheRecording(name: String, format: String) throws {
    let recording = TestAudio.samples + "/" + name
    let cut = try CutRecording(
      recording, in: folder, "--segment-format", format, "--pad", "70ms")
    #expect(cut.result.status == 0)
    #expect(cut.segments.count >= 2)
    let channels = try CutRecording.probe(recording, "channels")
    let original = try CutRecording.decode(recording)
    for segment in cut.segments {
      #expect(try CutRecording.probe(segment.file, "channels") == channels)
      #expect(
        try CutRecording.decode(segment.file)
          == Array(original[segment.start * channels..<segment.end * channels]))
    }
  }

  /// At this rate, neither a hop nor a millisecond is a whole number of samples.
  @Test func positionsAreExactAtEveryRate() throws {
    let recording = folder / "recording.wav"
    try CutRecording.ffmpeg("-i", TestAudio.samples + "/speech.flac", "-ar", "11025", recording)
    let cut = try CutRecording(recording, in: folder)
    #expect(cut.segments.count >= 2)
    let original = try CutRecording.decode(recording)
    for segment in cut.segments {
      #expect(
        try CutRecording.decode(segment.file) == Array(original[segment.start..<segment.end]))
    }
    let lines = try Program.analyze(
      recording, "--template", "{start} {start_sample} {end} {end_sample}"
    ).lines.map { $0.split(separator: " ").compactMap { Double($0) } }
    #expect(lines.map { [Int($0[1]), Int($0[3])] } == cut.segments.map { [$0.start, $0.end] })
    for line in lines {
      for (time, sample) in [(line[0], line[1]), (line[2], line[3])] {
        #expect(abs(time - sample / 11_025) <= 0.0006, "\(line)")
      }
    }
  }

  /// ffmpeg reads both, as doubles.
  @Test(arguments: [("s32", "pcm_s32le"), ("f64", "pcm_f64le")])
  func whatAFloatDoesNotHoldIsRoundedWithAWarning(row: (raw: String, codec: String)) throws {
    let recording = folder / "recording.wav"
    try CutRecording.ffmpeg(
      "-i", TestAudio.samples + "/speech.flac", "-af", "volume=0.7:precision=double", "-c:a",
      row.codec, recording)
    let cut = try CutRecording(recording, in: folder)
    #expect(cut.result.status == 0)
    expectMessage(cut.result.errors, "warning", recording, "24 bits", "rounded")
    let original = try CutRecording.decode(recording, as: "f32le")
    for segment in cut.segments {
      let saved = try CutRecording.decode(segment.file, as: "f32le")
      #expect(saved == Array(original[segment.start..<segment.end]))
    }
  }

  /// ffmpeg makes the recording, and decodes both.
  @Test(
    .tags(.slow),
    arguments: [
      ("pcm_u8", "wav", 16), ("pcm_s16le", "wav", 16), ("pcm_s24le", "wav", 24),
      ("pcm_s24le", "flac", 24), ("pcm_f32le", "wav", 32), ("pcm_mulaw", "wav", 16),
      ("pcm_s32le", "wav", 32),
    ])
  func theEncodingIsKept(row: (codec: String, format: String, bits: Int)) throws {
    let recording = folder / "recording.wav"
    // Twice 0.7 leaves no sample a multiple of a 16-bit one. 24 bits are what a float holds.
    try CutRecording.ffmpeg(
      "-i", TestAudio.samples + "/stereo-48k.flac", "-af",
      "volume=0.7:precision=float,aformat=s32,volume=0.7:precision=fixed", "-c:a",
      row.codec == "pcm_s32le" ? "pcm_s24le" : row.codec, recording)
    if row.codec == "pcm_s32le" {
      try CutRecording.ffmpeg("-i", recording, "-c:a", "pcm_s32le", folder / "wide.wav")
      try FileManager.default.removeItem(atPath: recording)
      try FileManager.default.moveItem(atPath: folder / "wide.wav", toPath: recording)
    }
    let cut = try CutRecording(recording, in: folder, "--segment-format", row.format)
    #expect(!cut.segments.isEmpty)
    let type = row.codec == "pcm_f32le" ? "f32le" : "s32le"
    let original = try CutRecording.decode(recording, as: type)
    for segment in cut.segments {
      #expect(
        try CutRecording.decode(segment.file, as: type)
          == Array(original[segment.start * 2..<segment.end * 2]))
      let bits = try CutRecording.probe(
        segment.file, row.format == "flac" ? "bits_per_raw_sample" : "bits_per_sample")
      #expect(bits == row.bits)
    }
  }

  @Test func theSegmentsOfEachChannelHaveItAlone() throws {
    let recording = folder / "two.wav"
    try CutRecording.ffmpeg(
      "-i", TestAudio.samples + "/muted-talk.flac", "-i", TestAudio.samples + "/speech.flac",
      "-filter_complex", "amerge=inputs=2", recording)
    let cut = try CutRecording(recording, in: folder, "--channel", "each")
    let original = try CutRecording.decode(recording)
    #expect(cut.segments.contains { $0.file.hasSuffix("-ch2-0001.wav") })
    for segment in cut.segments {
      let channel = segment.file.contains("-ch2-") ? 1 : 0
      let expected = (segment.start..<segment.end).map { original[2 * $0 + channel] }
      #expect(try CutRecording.decode(segment.file) == expected)
    }
  }

  /// All channels are saved even if one decides.
  @Test func theSegmentsOfOneChannelHaveAll() throws {
    let recording = TestAudio.samples + "/stereo-48k.flac"
    let cut = try CutRecording(recording, in: folder, "--channel", "1")
    #expect(cut.segments.count == 2)
    #expect(try cut.segments.allSatisfy { try CutRecording.probe($0.file, "channels") == 2 })
  }

  /// The analysis is the same as without saving, with any mix of channels.
  @Test(arguments: ["mix", "each", "1"])
  func savingDoesNotChangeWhatIsFound(channel: String) throws {
    let four = folder / "four.wav"
    try CutRecording.ffmpeg(
      "-i", TestAudio.samples + "/stereo-48k.flac", "-i", TestAudio.samples + "/speech.flac",
      "-filter_complex", "[0][1]amerge=inputs=2,pan=3c|c0=c0|c1=c1|c2=c2", four)
    for recording in [four, TestAudio.samples + "/stereo-48k.flac"] {
      let found = try Program.analyze(recording, "--channel", channel, "--format", "csv")
      let saved = try Program.analyze(
        recording, "--channel", channel, "--format", "csv", "--save-segments", folder / channel,
        "--force")
      #expect(saved.output == found.output)
      #expect(saved.errors == found.errors)
    }
  }

  @Test func piecesOfSplitSpeechJoinWithoutASeam() throws {
    let recording = try folder.write(
      TestAudio.wav(TestAudio.silence(seconds: 1) + TestAudio.voice(seconds: 9)), to: "long.wav")
    let cut = try CutRecording(
      recording, in: folder, "--split", "2s", "--pad", "100ms", "--fade", "10ms")
    #expect(cut.segments.count >= 5)
    #expect(cut.segments.allSatisfy { $0.end - $0.start <= 32_000 })
    let original = try CutRecording.decode(recording)
    for (segment, next) in zip(cut.segments, cut.segments.dropFirst()) {
      #expect(segment.end == next.start)
    }
    let saved = try cut.segments.flatMap { try CutRecording.decode($0.file) }
    let (first, last) = (cut.segments.first!.start, cut.segments.last!.end)
    let expected = Array(original[first..<last])
    #expect(saved.count == expected.count)
    // Only the ends are faded.
    #expect(saved[160..<saved.count - 160] == expected[160..<expected.count - 160])
  }

  @Test func aFadeFollowsItsFormula() throws {
    let recording = TestAudio.samples + "/speech.flac"
    let cut = try CutRecording(recording, in: folder, "--fade", "20ms")
    let original = try CutRecording.decode(recording, as: "s32le").map { Int32(bitPattern: $0) }
    for segment in cut.segments {
      let saved = try CutRecording.decode(segment.file).map { Int32(bitPattern: $0) >> 16 }
      let length = segment.end - segment.start
      for index in 0..<length {
        let distance = min(index, length - 1 - index)
        let t = min(1, (Double(distance) + 0.5) / 320)
        let expected = Double(original[segment.start + index] >> 16) * (t * t * (3 - 2 * t))
        #expect(abs(Double(saved[index]) - expected) <= 0.51)
      }
    }
  }

  @Test func aStreamIsSavedAsItComes() throws {
    let pcm = TestAudio.pcm16(TestAudio.utterance(), TestAudio.utterance().map { $0 / 4 })
    let result = try Program.analyze(
      "-", "--sample-format", "s16le", "--rate", "16000", "--channels", "2", "--save-segments",
      folder / "out", "--trim", folder / "whole.wav", "--fade", "0", "--format", "csv", input: pcm)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    let rows = result.output.split(whereSeparator: \.isNewline)
    let times = try #require(rows.dropFirst().first).split(
      separator: ",", omittingEmptySubsequences: false)[3...4]
      .map { Int((Double($0)! * 16_000).rounded()) }
    let samples = pcm.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    let expected = samples[2 * times[0]..<2 * times[1]].map { UInt32(bitPattern: Int32($0) << 16) }
    #expect(try CutRecording.decode(folder / "out/stdin-0001.wav") == expected)
    #expect(try CutRecording.decode(folder / "whole.wav") == expected)
  }
}
