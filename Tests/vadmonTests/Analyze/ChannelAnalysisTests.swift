import Annotations
import TestSupport
import Testing
import VoiceActivity

@testable import vadmon

@Suite struct ChannelAnalysisTests {
  private struct Findings: Equatable {
    var segments: [SpeechCut] = []
    var mutedSpeech: [SpeechCut] = []
    var gaps: [SpeechCut] = []
    var silences: [SpeechCut] = []

    mutating func add(_ finding: ChannelAnalysis.Finding) {
      switch finding {
      case .segment(let span, _): segments.append(span)
      case .mutedSpeech(let span, _): mutedSpeech.append(span)
      case .gap(let span): gaps.append(span)
      case .silence(let span): silences.append(span)
      }
    }
  }

  private let recording =
    TestAudio.utterance() + TestAudio.utterance() + TestAudio.voice(seconds: 1)

  private func makeAnalysis(
    _ shaping: SegmentShaping = .init(), _ mute: MuteTimeline = .never
  ) throws -> ChannelAnalysis {
    try ChannelAnalysis(
      configuration: .init(sampleRate: 16_000), shaping: shaping, findsSilence: true, mute: mute,
      frames: nil)
  }

  private func analyse(
    _ analysis: ChannelAnalysis, chunk: () -> Int
  ) throws -> Findings {
    var findings = Findings()
    var rest = recording[...]
    while !rest.isEmpty {
      let samples = Array(rest.prefix(chunk()))
      rest = rest.dropFirst(samples.count)
      analysis.process(samples.span) { findings.add($0) }
    }
    _ = analysis.finish { findings.add($0) }
    return findings
  }

  /// Chunks are cut where the mute changes. The result must not depend on where the source cuts them.
  @Test(arguments: ["0-", "0.5-2.0001,3-4", "0.00007-1.77,1.78-"])
  func findingsDoNotDependOnHowTheInputIsCut(timeline: String) throws {
    let mute = try MuteTimeline(parsing: timeline)
    let shaping = SegmentShaping(
      pad: MediaTime(milliseconds: 40), minSilence: MediaTime(milliseconds: 150))
    let atOnce = try analyse(makeAnalysis(shaping, mute)) { recording.count }
    #expect(!atOnce.segments.isEmpty && !atOnce.mutedSpeech.isEmpty)
    var random = SeededGenerator(seed: 7)
    for limit in [1000, 160, 37] {
      let cut = try analyse(makeAnalysis(shaping, mute)) {
        Int.random(in: 1...limit, using: &random)
      }
      #expect(cut == atOnce)
    }
  }

  /// Segments and silences have each sample of the recording once, and a silence is known before the speech after it.
  @Test(arguments: [
    SegmentShaping(), .standard, SegmentShaping(pad: MediaTime(milliseconds: 700)),
    SegmentShaping(pad: MediaTime(milliseconds: 1500)),
    SegmentShaping(minSpeech: MediaTime(milliseconds: 5000)),
    SegmentShaping(split: MediaTime(milliseconds: 1000)),
  ])
  func silencesAreWhatLiesBetweenTheSegments(shaping: SegmentShaping) throws {
    let found = try analyse(makeAnalysis(shaping)) { 777 }
    var position: UInt64 = 0
    let parts = (found.segments + found.silences).sorted { $0.start < $1.start }
    for part in parts {
      #expect(part.start == position && part.end > part.start)
      position = part.end
    }
    #expect(position == UInt64(recording.count))
    for silence in found.silences {
      #expect(silence.decidedAt >= silence.end)
      if let next = found.segments.first(where: { $0.start == silence.end }) {
        #expect(silence.decidedAt <= next.decidedAt)
      }
    }
    let plain = try ChannelAnalysis(
      configuration: .init(sampleRate: 16_000), shaping: shaping, mute: .never, frames: nil)
    let speech = try analyse(plain) { 777 }
    #expect(speech.segments == found.segments && speech.silences.isEmpty)
  }

  @Test func ofARecordingWithoutSpeechAllIsSilence() throws {
    for seconds in [0, 0.001, 1] {
      let analysis = try makeAnalysis()
      var findings = Findings()
      let silence = TestAudio.silence(seconds: seconds)
      analysis.process(silence.span) { findings.add($0) }
      _ = analysis.finish { findings.add($0) }
      let end = UInt64(silence.count)
      #expect(
        findings.silences
          == (end == 0 ? [] : [SpeechCut(start: 0, end: end, decidedAt: end)]))
    }
  }

  /// Without shaping, segments are the detector's own.
  @Test func segmentsAreTheDetectorsEvents() throws {
    var detector = try VoiceActivityDetector(
      configuration: .init(sampleRate: 16_000), isSmoothed: true)
    var events: [VoiceActivityEvent] = []
    detector.process(recording.span) { events.append($0) }
    detector.flush { events.append($0) }
    let onsets = events.filter { $0.kind == .onset }.map(\.position)
    let offsets = events.filter { $0.kind == .offset }
    let findings = try analyse(makeAnalysis()) { 4096 }
    #expect(!onsets.isEmpty)
    #expect(findings.segments.map(\.start) == onsets)
    #expect(findings.segments.map(\.end) == offsets.map(\.position))
    #expect(findings.segments.map(\.decidedAt) == offsets.map(\.decidedAt))
    #expect(findings.gaps.isEmpty)
  }

  @Test func missingSamplesAreAGapAndTimeGoesOn() throws {
    let analysis = try makeAnalysis()
    var findings = Findings()
    let silence = TestAudio.silence(seconds: 1)
    let voice = TestAudio.utterance()
    analysis.process(silence.span) { findings.add($0) }
    analysis.skip(8000) { findings.add($0) }
    analysis.process(voice.span) { findings.add($0) }
    _ = analysis.finish { findings.add($0) }
    #expect(findings.gaps.map { [$0.start, $0.end] } == [[16_000, 24_000]])
    let first = try #require(findings.segments.first)
    // One second and the gap precede the utterance, which begins with a second of silence.
    #expect((24_000 + 15_000..<24_000 + 24_000).contains(first.start))
  }

  /// Two talkers in turn: the joint segments name who spoke, however the input is cut.
  @Test func jointSegmentsNameTheirChannels() throws {
    let (first, second) = (recording, TestAudio.silence(seconds: 0.8) + recording)
    let channels = [first + TestAudio.silence(seconds: 0.8), second]
    func segments(_ chunk: () -> Int) throws -> [(SpeechCut, [Int]?)] {
      let analysis = try ChannelAnalysis(
        channels: 0..<2, configuration: .init(sampleRate: 16_000),
        shaping: .init(minSilence: MediaTime(milliseconds: 200)), mute: .never, isJoint: true,
        frames: nil)
      var found: [(SpeechCut, [Int]?)] = []
      func add(_ finding: ChannelAnalysis.Finding) {
        if case .segment(let cut, let channels) = finding { found.append((cut, channels)) }
      }
      var start = 0
      while start < second.count {
        let end = min(second.count, start + chunk())
        analysis.process(channels.map { $0[start..<end] }, emit: add)
        start = end
      }
      _ = analysis.finish(emit: add)
      return found
    }
    let atOnce = try segments { second.count }
    #expect(!atOnce.isEmpty)
    #expect(Set(atOnce.compactMap(\.1)).isSuperset(of: [[1, 2]]))
    var random = SeededGenerator(seed: 11)
    for limit in [1000, 161] {
      let cut = try segments { Int.random(in: 1...limit, using: &random) }
      #expect(cut.map(\.0) == atOnce.map(\.0) && cut.map(\.1) == atOnce.map(\.1))
    }
  }

  @Test func aSegmentIsHandedOutBeforeTheRecordingEnds() throws {
    let analysis = try makeAnalysis(.init(pad: MediaTime(milliseconds: 50)))
    var findings = Findings()
    let utterance = TestAudio.utterance()
    analysis.process(utterance.span) { findings.add($0) }
    #expect(!findings.segments.isEmpty)
  }
}
