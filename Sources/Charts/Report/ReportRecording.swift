package import Annotations
internal import SpeechScoring

/// What a report shows of one channel of a recording.
package struct ReportRecording: Sendable {
  /// The name as the user wrote it.
  package var file: String
  /// The channel, from 1; `nil` if all channels were mixed.
  package var channel: Int?
  /// In Hz.
  package var rate: Int
  /// What is shown: all of the recording, or the part that was analysed. All times count from the recording's
  /// beginning; the picture and the sound begin with this range.
  package var samples: Range<UInt64>
  /// `nil` if nothing of the sound is known.
  package var picture: ChannelPicture?
  package var segments: [SpanRecord] = []
  package var mutedSpeech: [SpanRecord] = []
  package var gaps: [SpanRecord] = []
  /// One sentence for each, also for the error that ended the analysis of what is shown.
  package var warnings: [String] = []
  /// Why nothing of the recording was analysed, in a sentence; `nil` if something was.
  package var failure: String?
  /// Where a browser finds the recording from the page, percent-encoded; `nil` if there is no such place.
  package var address: String?
  /// Ogg Opus.
  package var audio: [UInt8]?
  /// What was compared with labels, in a page of a comparison.
  package var comparison: ReportComparison?

  package init(file: String, channel: Int? = nil, rate: Int, samples: Range<UInt64>) {
    (self.file, self.channel) = (file, channel)
    (self.rate, self.samples) = (rate, samples)
  }

  /// The beginning and the end of what is shown.
  package var start: MediaTime { MediaTime(samples: samples.lowerBound, rate: rate) }
  package var end: MediaTime { MediaTime(samples: samples.upperBound, rate: rate) }
}

extension ReportRecording {
  /// Creates what a comparison shows of a recording. Without its sound, a sample is a millisecond.
  package init(_ name: String, _ comparison: ReportComparison) {
    let counted = comparison.counted
    self.init(
      file: name, rate: 1000, samples: 0..<MediaTime(cells: counted.count).milliseconds)
    self.comparison = comparison
    segments = counted.detected.map { run in
      let end = MediaTime(cells: run.upperBound)
      return SpanRecord(
        file: name, channel: nil, start: MediaTime(cells: run.lowerBound), end: end, decidedAt: end)
    }
  }

  /// Shows the sound of what was compared, which may end before the labels.
  package mutating func show(_ picture: ChannelPicture, sampleCount: UInt64) {
    let duration = end
    self.picture = picture
    rate = picture.rate
    samples = 0..<max(sampleCount, duration.samples(rate: rate))
  }

  /// The name as a title.
  package var title: String {
    let name = RecordingName.shown(file)
    return channel.map { "\(name), channel \($0)" } ?? name
  }

  /// The row of the report's index.
  var summary: JSONValue {
    let notes =
      (comparison?.notes ?? [])
      + (failure == nil ? [] : ["not analysed"])
      + (warnings.isEmpty ? [] : [counted(warnings.count, "warning")])
      + (mutedSpeech.isEmpty ? [] : ["speaking while muted"])
      + (picture?.clipping.places.isEmpty ?? true ? [] : ["clipped"])
    return [
      "file": .string(file),
      "title": .string(title),
      "duration_ms": .integer(MediaTime(samples: UInt64(samples.count), rate: rate).milliseconds),
      "speech_ms": .integer(segments.reduce(0) { $0 + $1.duration.milliseconds }),
      "segments": .integer(segments.count),
      "failed": .bool(failure != nil),
      "note": .string(notes.joined(separator: ", ")),
    ]
  }

  /// Everything about the recording. Times are in milliseconds.
  var json: JSONValue {
    [
      "file": .string(file),
      "channel": channel.map { .integer($0) } ?? .null,
      "rate": .integer(rate),
      "samples": .array([.integer(samples.lowerBound), .integer(samples.upperBound)]),
      "segments": Self.spans(segments),
      "muted": Self.spans(mutedSpeech),
      "gaps": Self.spans(gaps),
      "warnings": .array(warnings.map { .string($0) }),
      "failure": failure.map { .string($0) } ?? .null,
      "source": address.map { .string($0) } ?? .null,
      "audio": audio.map { .string(SampleText.base64($0)) } ?? .null,
    ] + (picture?.json(from: samples.lowerBound) ?? [:]) + (comparison?.json ?? [:])
  }

  private static func spans(_ spans: [SpanRecord]) -> JSONValue {
    .array(spans.map { .pair($0.start, $0.end) })
  }
}

extension ChannelPicture {
  /// Returns the picture of a channel from the sample `start` of its recording on.
  fileprivate func json(from start: UInt64) -> JSONValue {
    func time(_ samples: UInt64) -> MediaTime { MediaTime(samples: start + samples, rate: rate) }
    func time(cells: Int) -> MediaTime { time(0) + MediaTime(cells: cells) }
    return [
      "clipped": .array(clipping.places.map { .pair(time($0.lowerBound), time($0.upperBound)) }),
      "clippedSamples": .integer(clipping.sampleCount),
      "echo": .array(
        echo.map { .pair(time(cells: $0.lowerBound), time(cells: $0.upperBound)) }),
      "peaks": [
        "step": .integer(peaks.step),
        "data": .string(
          SampleText.base64(
            peaks.peaks.flatMap { [UInt8(bitPattern: $0.lowest), UInt8(bitPattern: $0.highest)] })),
      ],
    ] + (posteriors.isEmpty ? [:] : ["hops": hops])
      + (spectrogram.map { ["spectrogram": $0.json] } ?? [:])
  }

  private var hops: JSONValue {
    [
      "posterior": .string(SampleText.base64(posteriors)),
      "level": .string(SampleText.characters(levels)),
      "floor": .string(SampleText.runs(noiseFloors)),
    ]
  }
}

extension SpectrogramTrack {
  fileprivate var json: JSONValue {
    [
      "step": .integer(step),
      "bands": .integer(Self.bandCount),
      "highest": .double(highest),
      "data": .string(SampleText.characters(levels)),
    ]
  }
}

extension JSONValue {
  /// Returns a span in milliseconds.
  static func pair(_ start: MediaTime, _ end: MediaTime) -> Self {
    .array([.integer(start.milliseconds), .integer(end.milliseconds)])
  }
}
