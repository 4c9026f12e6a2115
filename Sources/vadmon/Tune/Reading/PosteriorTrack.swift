import Annotations
import AudioInput
import CReplay
import RealTime
import SpeechScoring
import VoiceActivity

/// The posteriors of a recording, which the searched settings do not change, and its labels.
struct PosteriorTrack: Sendable {
  /// What is compared with the labels.
  enum View: Sendable {
    /// The segments that `analyze` reports.
    case segments(SegmentShaping)
    /// What a live host sees: speech from when it is decided to the end of the hangover.
    case live

    /// Whether what follows a hop helps to decide it.
    var isSmoothed: Bool { if case .segments = self { true } else { false } }
  }

  let sampleRate: Int
  /// The length in samples.
  let length: UInt64
  /// The posterior of each hop.
  let posteriors: [Float]
  /// Whether each hop is labelled as speech.
  let labelled: [Bool]

  init(sampleRate: Int, length: UInt64, posteriors: [Float], labels: [LabelledSpan]) {
    (self.sampleRate, self.length, self.posteriors) = (sampleRate, length, posteriors)
    labelled = CellGrid.cells(labels, count: posteriors.count)
  }

  /// Reads a recording, which loses no samples, to its end, for decisions of one kind. Calls `report` with the number
  /// of frames of each block.
  static func read(
    _ source: any RecordedSource, for view: View, labels: [LabelledSpan],
    report: (Int) -> Void = { _ in }
  ) throws -> PosteriorTrack {
    var detector = try VoiceActivityDetector(
      configuration: .init(sampleRate: source.sampleRate), isSmoothed: view.isSmoothed)
    var block = PCMBlock(channelCount: source.channelCount)
    var length: UInt64 = 0
    var posteriors: [Float] = []
    while try source.read(into: &block) {
      block.withSamples(ofChannel: 0) { samples in
        detector.process(samples, onHop: { posteriors.append($0.posterior) }, onEvent: { _ in })
      }
      length += UInt64(block.frameCount)
      report(block.frameCount)
    }
    detector.flush(onHop: { posteriors.append($0.posterior) }, onEvent: { _ in })
    return PosteriorTrack(
      sampleRate: source.sampleRate, length: length, posteriors: posteriors, labels: labels)
  }

  /// The length of the recording in seconds.
  var duration: Double { Double(length) / Double(sampleRate) }

  /// Returns which hops are speech by these settings.
  func decisions(_ settings: DecisionSettings, _ view: View) -> [Bool] {
    let (segments, live) = replay(settings)
    switch view {
    case .live:
      // A host knows of a hop when its look-ahead has come.
      let late = Int(
        VoiceActivityDetector.lookahead / .milliseconds(CellGrid.cellMilliseconds))
      return Array((Array(repeating: false, count: late) + live).prefix(live.count))
    case .segments(let shaping):
      let spans = cuts(of: segments, shaping.rules).map { segment in
        (
          MediaTime(samples: segment.start, rate: sampleRate),
          MediaTime(samples: segment.end, rate: sampleRate)
        )
      }
      return CellGrid.cells(spans.compactMap(LabelledSpan.init), count: posteriors.count)
    }
  }

  /// Returns how the decisions agree with the labels.
  func tally(_ settings: DecisionSettings, _ view: View, minGap: Int) -> DecisionTally {
    DecisionTally(labelled: labelled, detected: decisions(settings, view), minGap: minGap)
  }

  private func replay(
    _ settings: DecisionSettings
  ) -> (segments: [va_replay_segment], live: [Bool]) {
    var live = [Bool](repeating: false, count: posteriors.count)
    var cSettings = va_replay_settings(
      sample_rate_hz: UInt32(sampleRate), onset_threshold: settings.onset,
      offset_threshold: settings.offset, onset_debounce_ms: UInt32(settings.debounce),
      hangover_ms: UInt32(settings.hangover))
    let segments = [va_replay_segment](
      unsafeUninitializedCapacity: posteriors.count / 2 + 1
    ) { buffer, count in
      count = va_replay(&cSettings, posteriors, posteriors.count, buffer.baseAddress, &live)
    }
    return (segments, live)
  }

  private func cuts(
    of segments: [va_replay_segment], _ rules: SpeechCutter.Rules
  ) -> [SpeechCut] {
    do {
      var cutter = try SpeechCutter(rules: rules, of: .init(sampleRate: sampleRate))
      var cuts: [SpeechCut] = []
      for segment in segments {
        cutter.push(speech: segment.start..<segment.end) { cuts.append($0) }
      }
      cutter.finish(at: length) { cuts.append($0) }
      return cuts
    } catch {
      preconditionFailure("the options were checked: \(error)")
    }
  }
}

extension LabelledSpan {
  fileprivate init?(_ start: MediaTime, _ end: MediaTime) {
    guard
      let span = try? Self(
        start: Double(start.milliseconds) / 1000, end: Double(end.milliseconds) / 1000)
    else { return nil }
    self = span
  }
}
