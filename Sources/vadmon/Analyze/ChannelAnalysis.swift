import Annotations
import RealTime
import VoiceActivity

/// The analysis of one channel of a recording by one detector, or of all its channels by a detector each, whose speech
/// is joined: blocks in, spans and hops out.
///
/// Use it from one thread at a time.
final class ChannelAnalysis {
  enum Finding {
    case segment(SpeechCut, Channels)
    /// What lies between the segments, if it was asked for.
    case silence(SpeechCut)
    case mutedSpeech(SpeechCut, Channels)
    case gap(SpeechCut)
  }

  /// The channels, from 1, that had a part in a finding; `nil` unless several are analysed together.
  typealias Channels = [Int]?

  private let rate: Int
  /// The position in the recording at which the analysis begins, as if nothing were before it. Everything here counts
  /// from it; what is reported counts from the beginning of the recording.
  private let origin: UInt64
  /// The first of the block's channels to analyse.
  private let firstChannel: Int
  private var detectors: ChannelDetectors
  private let reference: ReferenceTrack?
  private var cutter: SpeechCutter
  /// The silence between the cuts, if it is to be found too.
  private var pauses: SpeechPauses?
  private var frames: FrameTableFile?
  /// The picture of each channel.
  private let pictures: [PictureTrack]
  private var muteChanges: ArraySlice<(position: UInt64, isMuted: Bool)>
  /// The number of samples analysed so far.
  private var position: UInt64 = 0
  private var mutedOnset: UInt64 = 0
  private let isJoint: Bool
  private var speech: ChannelSpans
  private var mutedSpeech: ChannelSpans
  /// The results that the cutter has not taken yet.
  private var hops: [VoiceActivityHop] = []
  private var events: [VoiceActivityEvent] = []

  init(
    channels: Range<Int> = 0..<1, configuration: VoiceActivityDetector.Configuration,
    shaping: SegmentShaping, findsSilence: Bool = false, mute: MuteTimeline,
    speakerMargin: Float = VoiceActivityDetector.defaultSpeakerMargin,
    isLive: Bool = false, isJoint: Bool = false, from origin: UInt64 = 0, frames: FrameTableFile?,
    pictures: [PictureTrack] = [],
    reference: ReferenceTrack? = nil
  ) throws(VoiceActivityError) {
    self.reference = reference
    (rate, self.origin) = (configuration.sampleRate, origin)
    firstChannel = channels.lowerBound
    detectors = try ChannelDetectors(
      channelCount: channels.count, configuration: configuration, isSmoothed: !isLive,
      speakerMargin: speakerMargin, isPatient: true)
    cutter = try SpeechCutter(rules: shaping.rules, of: configuration)
    pauses = findsSilence ? SpeechPauses() : nil
    self.frames = frames
    self.pictures = pictures
    self.isJoint = isJoint
    speech = ChannelSpans(channelCount: channels.count)
    mutedSpeech = speech
    muteChanges =
      mute.changes(rate: rate).map {
        (position: $0.position - min($0.position, origin), isMuted: $0.isMuted)
      }[...]
  }

  /// Analyses the next samples, split at the times at which the mute changes.
  func process(_ block: borrowing PCMBlock, emit report: (Finding) -> Void) {
    func emit(_ finding: Finding) { report(finding.later(by: origin)) }
    for (index, picture) in pictures.enumerated() {
      block.withSamples(ofChannel: firstChannel + index) { picture.add($0) }
    }
    var done = 0
    repeat {
      applyMute()
      let end = min(block.frameCount, done + samplesUntilMuteChange, done + longestPortion)
      analyse(block, done..<end, emit)
      position += UInt64(end - done)
      done = end
    } while done < block.frameCount
    cut(emit)
  }

  /// Reports `count` missing samples at this position.
  func skip(_ count: UInt64, emit report: (Finding) -> Void) {
    func emit(_ finding: Finding) { report(finding.later(by: origin)) }
    for picture in pictures { picture.addGap(count) }
    var left = count
    while left > 0 {
      let portion = min(left, UInt64(longestPortion))
      pushGap(portion, emit)
      left -= portion
    }
    position += count
    cut(emit)
  }

  /// What the next segment surely contains (``SpeechCutter/beginning``) or, if silence is found, the next silence.
  var beginning: Range<UInt64> {
    let beginning = pauses?.beginning(beside: cutter.beginning) ?? cutter.beginning
    return beginning.lowerBound + origin..<beginning.upperBound + origin
  }

  /// The number of samples that are NaN or infinite, which the detectors take for silence.
  var nonFiniteSamples: UInt64 { detectors.inputCounts.nonFinite }

  /// Ends the recording and returns its frame table.
  func finish(emit report: (Finding) -> Void) -> FrameTableFile? {
    func emit(_ finding: Finding) { report(finding.later(by: origin)) }
    if let reference {
      detectors.only.flush(
        beside: &reference.echo, onHop: noteOnly, onEvent: { handle($0, emit) })
    } else {
      detectors.flush(onHop: note, onEvent: { handle($0, emit) }, onChannel: note)
    }
    cut(emit)
    cutter.finish(at: position) { pass($0, emit) }
    pauses?.finish(at: position).map { emit(.silence($0)) }
    return frames
  }
}

extension ChannelAnalysis {
  /// The most samples to analyse at a time: beside a reference, what comes after one of its portions.
  private var longestPortion: Int {
    reference == nil ? .max / 2 : ReferenceTrack.portion(ofRate: rate)
  }

  private func analyse(
    _ block: borrowing PCMBlock, _ portion: Range<Int>, _ emit: (Finding) -> Void
  ) {
    guard let reference else {
      detectors.process(
        block, portion, first: firstChannel, onHop: note, onEvent: { handle($0, emit) },
        onChannel: note)
      return
    }
    advance(reference, by: portion.count)
    block.withSamples(ofChannel: firstChannel) { samples in
      detectors.only.process(
        samples.extracting(portion), beside: &reference.echo, onHop: noteOnly,
        onEvent: { handle($0, emit) })
    }
  }

  private func pushGap(_ count: UInt64, _ emit: (Finding) -> Void) {
    guard let reference else {
      detectors.pushGap(count, onHop: note, onEvent: { handle($0, emit) }, onChannel: note)
      return
    }
    advance(reference, by: Int(count))
    detectors.only.pushGap(
      count, beside: &reference.echo, onHop: noteOnly, onEvent: { handle($0, emit) })
  }

  /// A portion is never early: the microphone has taken all before it.
  private func advance(_ reference: ReferenceTrack, by frames: Int) {
    do { try reference.advance(by: frames) } catch { preconditionFailure("\(error)") }
  }

  private func applyMute() {
    while let change = muteChanges.first, change.position <= position {
      detectors.setMuted(change.isMuted)
      muteChanges.removeFirst()
    }
  }

  private var samplesUntilMuteChange: Int {
    guard let change = muteChanges.first else { return .max / 2 }
    return Int(clamping: min(change.position - position, UInt64(Int.max / 2)))
  }

  private func note(_ hop: VoiceActivityHop) {
    frames?.append(probability: hop.posterior, isLive: hop.isSpeech)
    hops.append(hop)
  }

  /// Notes a hop of the only channel.
  private func noteOnly(_ hop: VoiceActivityHop) {
    pictures.first?.add(hop)
    note(hop)
  }

  /// Notes what a channel reports by itself.
  private func note(_ channel: Int, _ result: ChannelDetectors.ChannelResult) {
    switch result {
    case .hop(let hop): if !pictures.isEmpty { pictures[channel].add(hop) }
    case .event(let event) where isJoint:
      switch event.kind {
      case .onset: speech.begin(channel, at: event.position)
      case .offset: speech.end(channel, at: event.position)
      case .mutedSpeechBegin: mutedSpeech.begin(channel, at: event.position)
      case .mutedSpeechEnd: mutedSpeech.end(channel, at: event.position)
      case .discontinuity: break
      }
    case .event: break
    }
  }

  /// Passes the newest results on to the cutter.
  private func cut(_ emit: (Finding) -> Void) {
    cutter.push(hops: hops.span, events: events.span) { pass($0, emit) }
    hops.removeAll(keepingCapacity: true)
    events.removeAll(keepingCapacity: true)
    let beginning = cutter.beginning
    pauses?.end(before: beginning).map { emit(.silence($0)) }
    frames?.know(until: MediaTime(samples: beginning.lowerBound, rate: rate))
    if isJoint { speech.forget(before: beginning.lowerBound) }
  }

  private func pass(_ segment: SpeechCut, _ emit: (Finding) -> Void) {
    pauses?.take(segment).map { emit(.silence($0)) }
    frames?.add(
      segmentFrom: MediaTime(samples: segment.start, rate: rate),
      to: MediaTime(samples: segment.end, rate: rate))
    emit(.segment(segment, isJoint ? speech.channels(in: segment.start..<segment.end) : nil))
  }

  private func handle(_ event: VoiceActivityEvent, _ emit: (Finding) -> Void) {
    switch event.kind {
    case .onset, .offset:
      if event.kind == .onset { pauses?.note(onset: event) }
      events.append(event)
    case .mutedSpeechBegin:
      mutedOnset = event.position
    case .mutedSpeechEnd:
      let span = SpeechCut(start: mutedOnset, end: event.position, decidedAt: event.decidedAt)
      emit(.mutedSpeech(span, isJoint ? mutedSpeech.channels(in: span.start..<span.end) : nil))
      mutedSpeech.forget(before: span.end)
    case .discontinuity:
      let end = event.position + event.missingSamples
      emit(.gap(SpeechCut(start: event.position, end: end, decidedAt: event.decidedAt)))
    }
  }
}

extension ChannelAnalysis.Finding {
  fileprivate func later(by count: UInt64) -> Self {
    switch self {
    case .segment(let cut, let channels): .segment(cut.later(by: count), channels)
    case .silence(let cut): .silence(cut.later(by: count))
    case .mutedSpeech(let cut, let channels): .mutedSpeech(cut.later(by: count), channels)
    case .gap(let cut): .gap(cut.later(by: count))
    }
  }
}

extension SpeechCut {
  fileprivate func later(by count: UInt64) -> Self {
    var cut = self
    cut.start += count
    cut.end += count
    cut.decidedAt += count
    return cut
  }
}
