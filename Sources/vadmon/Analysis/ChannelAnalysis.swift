import VoiceActivity

/// One detector at work on one channel of one recording: samples in, spans and hops out.
///
/// A class only because arrays cannot hold detectors, which cannot be copied. One thread at a time.
final class ChannelAnalysis {
  enum Finding {
    case segment(SpeechSpan)
    case mutedSpeech(SpeechSpan)
    case gap(SpeechSpan)
  }

  private let rate: Int
  private var detector: VoiceActivityDetector
  private var shaper: SegmentShaper
  private var frames: FrameTable?
  private var muteChanges: ArraySlice<(position: UInt64, isMuted: Bool)>
  /// Samples analysed so far.
  private var position: UInt64 = 0
  private var onset: UInt64 = 0
  private var mutedOnset: UInt64 = 0
  /// Where no speech is any more that the detector has not declared.
  private var quietUntil: UInt64?

  init(
    configuration: VoiceActivityDetector.Configuration, shaping: AnalyzeOptions.Shaping,
    mute: MuteTimeline, frames: FrameTable?
  ) throws(VoiceActivityError) {
    rate = configuration.sampleRate
    detector = try VoiceActivityDetector(configuration: configuration)
    shaper = SegmentShaper(rules: shaping.rules(rate: rate))
    self.frames = frames
    muteChanges = mute.changes(rate: rate)[...]
  }

  /// Analyses what comes next, cut where the mute changes.
  func process(_ samples: Span<Float>, emit: (Finding) -> Void) {
    var done = 0
    repeat {
      applyMute()
      let end = min(samples.count, done + samplesUntilMuteChange)
      detector.process(samples.extracting(done..<end), onHop: note) { handle($0, emit) }
      position += UInt64(end - done)
      done = end
    } while done < samples.count
    passQuiet(emit)
  }

  /// Samples are missing here.
  func skip(_ count: UInt64, emit: (Finding) -> Void) {
    detector.pushGap(count, onHop: note) { handle($0, emit) }
    position += count
    passQuiet(emit)
  }

  /// Samples that are no numbers; the detector took them for silence.
  var nonFiniteSamples: UInt64 { detector.inputCounts.nonFinite }

  /// Ends the recording and gives back its hops.
  func finish(emit: (Finding) -> Void) -> FrameTable? {
    detector.flush(onHop: note) { handle($0, emit) }
    shaper.finish(at: position) { pass($0, emit) }
    return frames
  }
}

extension ChannelAnalysis {
  private func applyMute() {
    while let change = muteChanges.first, change.position <= position {
      detector.setMuted(change.isMuted)
      muteChanges.removeFirst()
    }
  }

  private var samplesUntilMuteChange: Int {
    guard let change = muteChanges.first else { return .max / 2 }
    return Int(clamping: min(change.position - position, UInt64(Int.max / 2)))
  }

  private func note(_ hop: VoiceActivityHop) {
    frames?.append(probability: hop.posterior, isSpeech: hop.isSpeech)
    quietUntil = hop.state == .silence ? hop.position : nil
  }

  /// Hops come before the events of the same samples, so that quiet counts only when both are through.
  private func passQuiet(_ emit: (Finding) -> Void) {
    guard let quietUntil else { return }
    shaper.advance(to: quietUntil) { pass($0, emit) }
    frames?.know(until: Timestamp(samples: shaper.earliestStart(quietUntil), rate: rate))
  }

  private func pass(_ segment: SpeechSpan, _ emit: (Finding) -> Void) {
    frames?.add(
      segmentFrom: Timestamp(samples: segment.start, rate: rate),
      to: Timestamp(samples: segment.end, rate: rate))
    emit(.segment(segment))
  }

  private func handle(_ event: VoiceActivityEvent, _ emit: (Finding) -> Void) {
    switch event.kind {
    case .onset:
      onset = event.position
      shaper.advance(to: onset) { pass($0, emit) }
    case .offset:
      shaper.add(span(onset, event)) { pass($0, emit) }
    case .mutedSpeechBegin:
      mutedOnset = event.position
    case .mutedSpeechEnd:
      emit(.mutedSpeech(span(mutedOnset, event)))
    case .discontinuity:
      let end = event.position + event.missingSamples
      emit(.gap(SpeechSpan(start: event.position, end: end, decidedAt: event.decidedAt)))
    }
  }

  private func span(_ start: UInt64, _ end: VoiceActivityEvent) -> SpeechSpan {
    SpeechSpan(start: start, end: end.position, decidedAt: end.decidedAt)
  }
}
