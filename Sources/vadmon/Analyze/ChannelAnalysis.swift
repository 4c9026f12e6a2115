import Annotations
import VoiceActivity

/// The analysis of one channel of one recording by one detector: samples in, spans and hops out.
///
/// It is a class only because arrays cannot hold detectors, which cannot be copied. Use it from one thread at a time.
final class ChannelAnalysis {
  enum Finding {
    case segment(SpeechCut)
    case mutedSpeech(SpeechCut)
    case gap(SpeechCut)
  }

  private let rate: Int
  private var detector: VoiceActivityDetector
  private let reference: ReferenceTrack?
  private var cutter: SpeechCutter
  private var frames: FrameTableFile?
  private let picture: PictureTrack?
  private var muteChanges: ArraySlice<(position: UInt64, isMuted: Bool)>
  /// The number of samples analysed so far.
  private var position: UInt64 = 0
  private var mutedOnset: UInt64 = 0
  /// The results that the cutter has not taken yet.
  private var hops: [VoiceActivityHop] = []
  private var events: [VoiceActivityEvent] = []

  init(
    configuration: VoiceActivityDetector.Configuration, shaping: SegmentShaping,
    mute: MuteTimeline, speakerMargin: Float = VoiceActivityDetector.defaultSpeakerMargin,
    frames: FrameTableFile?, picture: PictureTrack? = nil, reference: ReferenceTrack? = nil
  ) throws(VoiceActivityError) {
    self.reference = reference
    rate = configuration.sampleRate
    detector = try VoiceActivityDetector(configuration: configuration)
    try detector.setSpeakerMargin(speakerMargin)
    cutter = try SpeechCutter(rules: shaping.rules, of: configuration)
    self.frames = frames
    self.picture = picture
    muteChanges = mute.changes(rate: rate)[...]
  }

  /// Analyses the next samples, split at the times at which the mute changes.
  func process(_ samples: Span<Float>, emit: (Finding) -> Void) {
    picture?.add(samples)
    var done = 0
    repeat {
      applyMute()
      let end = min(samples.count, done + samplesUntilMuteChange, done + longestPortion)
      analyse(samples.extracting(done..<end), emit)
      position += UInt64(end - done)
      done = end
    } while done < samples.count
    cut(emit)
  }

  /// Reports `count` missing samples at this position.
  func skip(_ count: UInt64, emit: (Finding) -> Void) {
    picture?.addGap(count)
    var left = count
    while left > 0 {
      let portion = min(left, UInt64(longestPortion))
      pushGap(portion, emit)
      left -= portion
    }
    position += count
    cut(emit)
  }

  /// What the next segment surely contains (``SpeechCutter/beginning``).
  var beginning: Range<UInt64> { cutter.beginning }

  /// The number of samples that are NaN or infinite, which the detector takes for silence.
  var nonFiniteSamples: UInt64 { detector.inputCounts.nonFinite }

  /// Ends the recording and returns its frame table.
  func finish(emit: (Finding) -> Void) -> FrameTableFile? {
    if let reference {
      detector.flush(beside: &reference.echo, onHop: note, onEvent: { handle($0, emit) })
    } else {
      detector.flush(onHop: note) { handle($0, emit) }
    }
    cut(emit)
    cutter.finish(at: position) { pass($0, emit) }
    return frames
  }
}

extension ChannelAnalysis {
  /// The most samples to analyse at a time: beside a reference, what comes after one of its portions.
  private var longestPortion: Int {
    reference == nil ? .max / 2 : ReferenceTrack.portion(ofRate: rate)
  }

  private func analyse(_ samples: Span<Float>, _ emit: (Finding) -> Void) {
    guard let reference else {
      detector.process(samples, onHop: note) { handle($0, emit) }
      return
    }
    advance(reference, by: samples.count)
    detector.process(
      samples, beside: &reference.echo, onHop: note, onEvent: { handle($0, emit) })
  }

  private func pushGap(_ count: UInt64, _ emit: (Finding) -> Void) {
    guard let reference else {
      detector.pushGap(count, onHop: note) { handle($0, emit) }
      return
    }
    advance(reference, by: Int(count))
    detector.pushGap(
      count, beside: &reference.echo, onHop: note, onEvent: { handle($0, emit) })
  }

  /// A portion is never early: the microphone has taken all before it.
  private func advance(_ reference: ReferenceTrack, by frames: Int) {
    do { try reference.advance(by: frames) } catch { preconditionFailure("\(error)") }
  }

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
    frames?.append(probability: hop.posterior, isLive: hop.isSpeech)
    picture?.add(hop)
    hops.append(hop)
  }

  /// Passes the newest results on to the cutter.
  private func cut(_ emit: (Finding) -> Void) {
    cutter.take(hops: hops.span, events: events.span) { pass($0, emit) }
    hops.removeAll(keepingCapacity: true)
    events.removeAll(keepingCapacity: true)
    frames?.know(until: MediaTime(samples: cutter.beginning.lowerBound, rate: rate))
  }

  private func pass(_ segment: SpeechCut, _ emit: (Finding) -> Void) {
    frames?.add(
      segmentFrom: MediaTime(samples: segment.start, rate: rate),
      to: MediaTime(samples: segment.end, rate: rate))
    emit(.segment(segment))
  }

  private func handle(_ event: VoiceActivityEvent, _ emit: (Finding) -> Void) {
    switch event.kind {
    case .onset, .offset:
      events.append(event)
    case .mutedSpeechBegin:
      mutedOnset = event.position
    case .mutedSpeechEnd:
      emit(
        .mutedSpeech(
          SpeechCut(start: mutedOnset, end: event.position, decidedAt: event.decidedAt)))
    case .discontinuity:
      let end = event.position + event.missingSamples
      emit(.gap(SpeechCut(start: event.position, end: end, decidedAt: event.decidedAt)))
    }
  }
}
