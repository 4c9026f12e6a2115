import Annotations
import SpeechScoring
import TestSupport
import Testing

@testable import vadmon

/// The search finds optima that are known because the posteriors were made for them.
@Suite struct TuningTests {
  private static let start = DecisionSettings(onset: 0.82, offset: 0.4, debounce: 10, hangover: 80)

  /// A recording of runs of hops, each with one posterior and a label.
  private func track(_ runs: [(hops: Int, posterior: Float, isSpeech: Bool)]) throws
    -> PosteriorTrack
  {
    var (posteriors, labels, position) = ([Float](), [LabelledSpan](), 0)
    for run in runs {
      posteriors += Array(repeating: run.posterior, count: run.hops)
      let end = position + run.hops
      if run.isSpeech {
        labels.append(try LabelledSpan(start: Double(position) / 100, end: Double(end) / 100))
      }
      position = end
    }
    return PosteriorTrack(
      sampleRate: 16_000, length: UInt64(position * 160), posteriors: posteriors, labels: labels)
  }

  private func tuning(
    _ tracks: [PosteriorTrack], _ objective: TuningObjective, folds: Int = 3,
    shaping: SegmentShaping = .init()
  ) -> Tuning {
    let view: PosteriorTrack.View =
      if case .onsetLatency = objective { .live } else { .segments(shaping) }
    return Tuning(
      from: Self.start, objective, recordings: tracks.count, folds: folds, Bootstrap()
    ) { settings in
      settings.map { settings in tracks.map { $0.tally(settings, view, minGap: 200) } }
    }
  }

  /// Returns `count` recordings, each longer than the one before.
  private func tracks(
    _ count: Int = 6, _ runs: (Int) -> [(hops: Int, posterior: Float, isSpeech: Bool)]
  ) throws -> [PosteriorTrack] {
    try (0..<count).map { try track(runs(100 + 10 * $0)) }
  }

  /// The default hears nothing. Only onset thresholds above 0.6 and up to 0.7 tell speech from noise.
  @Test func theOnsetThresholdIsFound() throws {
    let tracks = try tracks {
      [($0, 0.05, false), ($0, 0.7, true), (80, 0.05, false), (60, 0.6, false)]
    }
    let tuning = tuning(tracks, .f1)
    #expect(0.6 < tuning.tuned.onset && tuning.tuned.onset <= 0.7, "\(tuning.tuned)")
    #expect(tuning.section.detected.values[.f1] == 1)
    #expect(tuning.section.against?.values[.f1] == 0)
    #expect(tuning.verdict.isGain && tuning.verdict.interval == 1...1)
    #expect(tuning.verdict.figure == .f1)
    #expect(tuning.advised == tuning.tuned)
    for fold in tuning.folds { #expect(0.6 < fold.settings.onset && fold.settings.onset <= 0.7) }
  }

  /// Between words the posterior falls to 0.3, in the noise after them to 0.2.
  @Test func theOffsetThresholdIsFound() throws {
    let tracks = try tracks {
      [($0, 0.05, false), (40, 0.9, true), (50, 0.3, true), (40, 0.9, true), (100, 0.2, false)]
    }
    let tuning = tuning(tracks, .f1)
    #expect(0.2 < tuning.tuned.offset && tuning.tuned.offset <= 0.3, "\(tuning.tuned)")
    #expect(tuning.section.detected.values[.f1] == 1)
    #expect(tuning.verdict.isGain)
  }

  /// Clicks are as sure as speech, but no longer than 60 ms.
  @Test func theDebounceIsFound() throws {
    let tracks = try tracks {
      [
        ($0, 0.05, false), (6, 0.95, false), (50, 0.05, false), (100, 0.95, true),
        (50, 0.05, false),
      ]
    }
    let tuning = tuning(tracks, .f1)
    #expect(tuning.tuned.debounce == 80, "the shortest of the grid that is longer than a click")
    #expect(tuning.section.detected.values[.f1] == 1 && tuning.verdict.isGain)
  }

  /// Pauses of 150 ms belong to speech. In segments the hangover itself does not count.
  @Test func theHangoverIsFound() throws {
    let tracks = try tracks {
      [($0, 0.05, false), (50, 0.95, true), (15, 0.05, true), (50, 0.95, true), ($0, 0.05, false)]
    }
    let tuning = tuning(tracks, .f1)
    #expect(tuning.tuned.hangover == 200, "the shortest of the grid that is longer than a pause")
    #expect(tuning.section.detected.values[.f1] == 1 && tuning.verdict.isGain)
    // With the pauses joined in any case, there is nothing to gain.
    let joined = self.tuning(
      tracks, .f1, shaping: .init(minSilence: MediaTime(milliseconds: 200)))
    #expect(joined.tuned == Self.start && joined.advised == Self.start && !joined.verdict.isGain)
  }

  /// Half of the speech is surer than the noise, which is a tenth of the time without speech.
  @Test func falseAlarmsStayBelowTheirLimit() throws {
    let tracks = try tracks { _ in
      [
        (350, 0.05, false), (100, 0.9, true), (50, 0.05, false), (50, 0.6, false),
        (50, 0.05, false), (100, 0.5, true),
      ]
    }
    let strict = tuning(tracks, .falseAlarmRate(0.02))
    #expect(strict.section.detected.values[.recall] == 0.5)
    #expect(strict.section.detected.values[.falseAlarmRate] == 0)
    #expect(!strict.verdict.isGain, "the default finds as much")
    let loose = tuning(tracks, .falseAlarmRate(0.12))
    #expect(loose.section.detected.values[.recall] == 1)
    #expect(loose.section.detected.values[.falseAlarmRate] == 0.1)
    #expect(loose.verdict.isGain && loose.verdict.keptBound == (true, true))
  }

  /// Speech becomes sure only after 100 ms. Onsets within 50 ms have to be believed at 0.3, where noise is believed
  /// too.
  @Test func latencyStaysBelowItsLimit() throws {
    let tracks = try tracks {
      [
        ($0, 0.05, false), (10, 0.3, true), (90, 0.9, true), (50, 0.05, false), (30, 0.35, false),
        ($0, 0.05, false),
      ]
    }
    let strict = tuning(tracks, .onsetLatency(50))
    #expect(strict.tuned.onset <= 0.3)
    #expect((strict.section.detected.values[.onsetP50] ?? .infinity) <= 50)
    #expect(strict.verdict.figure == .onsetP50, "the default misses the limit")
    #expect(strict.verdict.keptBound == (false, true) && strict.verdict.isGain)
    let loose = tuning(tracks, .onsetLatency(300))
    #expect(loose.tuned.onset > 0.35)
  }

  /// A limit that nothing meets is approached.
  @Test func aLimitOutOfReachIsApproached() throws {
    let tracks = try tracks { [($0, 0.995, false), ($0, 0.995, true)] }
    let tuning = tuning(tracks, .falseAlarmRate(0.1))
    #expect(tuning.verdict.keptBound == (false, false) && !tuning.verdict.isGain)
    #expect(tuning.advised == Self.start)
  }

  /// What one recording teaches is wrong for the other.
  @Test func noGainWhereRecordingsDisagree() throws {
    let tracks = [
      try track([(100, 0.5, false), (100, 0.7, true)]),
      try track([(100, 0.7, false), (100, 0.9, true)]),
    ]
    let tuning = tuning(tracks, .f1, folds: 2)
    #expect(!tuning.verdict.isGain && tuning.advised == Self.start)
  }

  @Test func theSameSeedGivesTheSame() throws {
    let tracks = try tracks(7) { [($0, 0.05, false), ($0, 0.7, true), (60, 0.6, false)] }
    let (first, second) = (tuning(tracks, .f1), tuning(tracks, .f1))
    #expect(first.tuned == second.tuned && first.tried == second.tried)
    #expect(first.folds.map(\.heldOut) == second.folds.map(\.heldOut))
  }

  @Test func thresholdsOfTheGridAreAllowed() {
    for start in [
      Self.start, DecisionSettings(onset: 0.99, offset: 0.01, debounce: 0, hangover: 0),
      DecisionSettings(onset: 0.004, offset: 0.003, debounce: 0, hangover: 0),
      DecisionSettings(onset: 0.999, offset: 0.999, debounce: 0, hangover: 0),
    ] {
      let all =
        DecisionGrid.thresholds(of: start) + DecisionGrid.lengths(of: Self.start)
        + DecisionGrid.finer.flatMap { DecisionGrid.neighbours(of: start, $0) }
      #expect(all.allSatisfy { 0 < $0.offset && $0.offset <= $0.onset && $0.onset < 1 })
    }
    let near = DecisionGrid.neighbours(of: Self.start, 5).map { "\($0.onset)" }
    #expect(Set(near) == ["0.77", "0.82", "0.87"], "without excess digits")
  }
}
