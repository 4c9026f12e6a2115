import Annotations
import Charts
import RealTime
import SystemPackage
import VoiceActivity

/// Collects what pictures show of one input: what its channels' tracks collect, and its records.
///
/// Use it from one thread at a time.
final class InputPictures {
  private let options: AnalyzeOptions
  private let input: Input
  private let interruption: Interruption
  private var tracks: [PictureTrack] = []
  private var spans: [Record] = []

  /// Creates a collector, or `nil` if no picture was asked for.
  init?(of input: Input, _ options: AnalyzeOptions, _ interruption: Interruption) {
    guard options.needsPictures else { return nil }
    (self.options, self.input, self.interruption) = (options, input, interruption)
  }

  /// Returns a track for the next channel.
  func makeTrack(rate: Int) throws(ErrorRecord) -> PictureTrack {
    let encoder =
      options.embedsAudio
      ? try OpusEncoder(
        name: RecordingName.shown(input.name), rate: rate, interruption: interruption) : nil
    let track = PictureTrack(
      rate: rate, scale: PosteriorScale(options.detector), hasSpectrogram: options.report != nil,
      encoder: encoder)
    tracks.append(track)
    return track
  }

  func note(_ record: Record) {
    switch record {
    case .segment, .mutedSpeech, .gap: spans.append(record)
    case .input, .error, .file: break
    }
  }

  /// Returns what a report shows of each channel, after `frames` of the part. `failure` says why it has no more; it and
  /// each warning are one sentence.
  func finish(
    _ frames: UInt64, rate: Int, failure: String?, warnings: [String]
  ) throws(ErrorRecord) -> [ReportRecording] {
    let start = options.part.startFrame(rate: rate)
    var recordings: [ReportRecording] = []
    for (index, track) in tracks.enumerated() {
      // Each channel has a picture of its own, also where they are analysed together.
      let channel = options.channel == .any ? index + 1 : options.channel.number(ofAnalysis: index)
      var recording = ReportRecording(
        file: input.name, channel: channel, rate: rate, samples: start..<start + frames)
      recording.audio = try track.finish()
      recording.picture = track.picture
      if frames == 0 { recording.failure = failure }
      recording.warnings = (frames == 0 ? [] : failure.map { [$0] } ?? []) + warnings
      recording.address = input.path.flatMap { path in
        options.report.flatMap { PageAddress.of(path, from: $0) }
      }
      for span in spans { recording.add(span) }
      recordings.append(recording)
    }
    return recordings
  }
}

extension ReportRecording {
  fileprivate mutating func add(_ record: Record) {
    switch record {
    case .segment(let span) where isShown(span): segments.append(span)
    case .mutedSpeech(let span) where isShown(span): mutedSpeech.append(span)
    case .gap(let span) where isShown(span): gaps.append(span)
    default: break
    }
  }

  /// Whether the channel has a part in a span. A span of channels that were analysed together is on all that had it,
  /// and missing sound is missing on all.
  private func isShown(_ span: SpanRecord) -> Bool {
    guard let channel, let channels = span.channels ?? span.channel.map({ [$0] }) else {
      return true
    }
    return channels.contains(channel)
  }

  /// Creates what a report shows of an input that could not be opened.
  init(_ error: ErrorRecord) {
    self.init(file: error.file, rate: 1, samples: 0..<0)
    failure = error.message
  }
}

extension PosteriorScale {
  init(_ detector: VoiceActivityDetector.Configuration) {
    self.init(onset: detector.onsetThreshold, offset: detector.offsetThreshold)
  }
}
