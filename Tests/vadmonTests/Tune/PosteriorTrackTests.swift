import Annotations
import AudioInput
import Foundation
import RealTime
import SystemPackage
import TestSupport
import Testing
import VoiceActivity

@testable import vadmon

/// Replayed decisions are those of a detector that was made with the settings.
@Suite struct PosteriorTrackTests {
  private let folder = TemporaryFolder()

  private func settings(_ generator: inout SeededGenerator) -> DecisionSettings {
    let onset = Float.random(in: 0.02..<0.99, using: &generator)
    return DecisionSettings(
      onset: onset, offset: Float.random(in: 0.01...onset, using: &generator),
      debounce: Int.random(in: 0...200, using: &generator),
      hangover: Int.random(in: 0...600, using: &generator))
  }

  private func configuration(
    _ settings: DecisionSettings, rate: Int
  ) -> VoiceActivityDetector.Configuration {
    var configuration = VoiceActivityDetector.Configuration(sampleRate: rate)
    configuration.onsetThreshold = settings.onset
    configuration.offsetThreshold = settings.offset
    configuration.onsetDebounce = .milliseconds(settings.debounce)
    configuration.hangover = .milliseconds(settings.hangover)
    return configuration
  }

  private func source(_ sample: String) throws -> any RecordedSource {
    try AudioFileSource(path: FilePath(sample), channels: .mix, logger: nil)
  }

  /// Returns what `vadmon analyze` computes, and with --live: for each hop whether it is in a segment, or speech live.
  private func analysed(
    _ sample: String, _ settings: DecisionSettings, _ shaping: SegmentShaping, isLive: Bool
  ) throws -> [Bool] {
    let table = folder / UUID().uuidString
    let frames = FrameTableFile(try OutputFile(path: FilePath(table)), hasLive: isLive)
    let source = try source(sample)
    let analysis = try ChannelAnalysis(
      configuration: configuration(settings, rate: source.sampleRate), shaping: shaping,
      mute: .never, isLive: isLive, frames: frames)
    let samples = try TestAudio.read(source)
    analysis.process(samples.span) { _ in }
    try analysis.finish { _ in }?.finish()
    let text = try String(contentsOfFile: table, encoding: .utf8)
    return text.split(separator: "\n").dropFirst().map { $0.hasSuffix(",1") }
  }

  private static let samples = [
    "speech.flac", "music.flac", "speech-cafe-10db.flac", "stereo-48k.flac", "telephone-8k.wav",
  ]

  @Test(arguments: samples) func replayedDecisionsAreTheDetectors(sample: String) throws {
    try compare(TestAudio.samples + "/" + sample, seed: 1)
  }

  /// At these rates a hop is no whole number of samples, or none of milliseconds.
  @Test(arguments: [8000, 11_025, 22_050, 44_100, 96_001]) func ratesDoNotMatter(rate: Int) throws {
    var sound: [Float] = []
    for seconds in [0.7, 1.3, 0.31] {
      sound += TestAudio.silence(seconds: 0.4, rate: rate)
      sound += TestAudio.voice(seconds: seconds, rate: rate)
    }
    try compare(try folder.write(TestAudio.wav(sound, rate: rate), to: "a.wav"), seed: 2)
  }

  private func compare(_ sample: String, seed: UInt64) throws {
    let smoothed = try PosteriorTrack.read(source(sample), for: .segments(.init()), labels: [])
    let live = try PosteriorTrack.read(source(sample), for: .live, labels: [])
    var generator = SeededGenerator(seed: seed)
    var speech = 0
    for index in 0..<12 {
      let settings = settings(&generator)
      let shaping =
        index % 3 == 0
        ? SegmentShaping()
        : SegmentShaping(
          pad: MediaTime(milliseconds: UInt64.random(in: 0...150, using: &generator)),
          minSpeech: MediaTime(milliseconds: UInt64.random(in: 0...300, using: &generator)),
          minSilence: MediaTime(milliseconds: UInt64.random(in: 0...500, using: &generator)))
      let expected = try analysed(sample, settings, shaping, isLive: false)
      #expect(smoothed.decisions(settings, .segments(shaping)) == expected, "\(settings)")
      let known = try analysed(sample, settings, shaping, isLive: true)
      let decided = live.decisions(settings, .live)
      // The look-ahead is three hops: a host knows later by that.
      #expect(
        decided == Array(([false, false, false] + known).prefix(decided.count)), "\(settings)")
      speech += expected.count { $0 }
    }
    #expect(speech > 0 || sample.hasSuffix("music.flac"))
  }

  /// Less than a hop, and nothing.
  @Test func shortRecordingsHaveNoHops() throws {
    for count in [0, 1, 159] {
      let wav = try folder.write(
        TestAudio.wav([Float](repeating: 0.1, count: count)), to: "\(count).wav")
      let track = try PosteriorTrack.read(
        source(wav), for: .live, labels: [LabelledSpan(start: 0, end: 1)])
      let settings = DecisionSettings(onset: 0.5, offset: 0.5, debounce: 0, hangover: 0)
      #expect(track.decisions(settings, .live).isEmpty && track.labelled.isEmpty)
      #expect(track.decisions(settings, .segments(.standard)).isEmpty)
      #expect(track.length == UInt64(count))
    }
  }
}
