import Annotations
import AudioInput
import RealTime
import SystemPackage
import VoiceActivity

/// The totals of one input, and the conversion of its channels' findings from samples to records.
struct FileTally {
  private let file: String
  private let selection: ChannelSelection
  private let rate: Int
  private let saver: InputSaver?
  /// Whether the segments that are listed are the silence.
  private let isInverted: Bool
  /// The number of frames read so far.
  var frames: UInt64 = 0
  private var speech = MediaTime.zero
  private var mutedSpeech = MediaTime.zero
  private var segmentCount = 0

  init(
    file: String, channel: ChannelSelection, rate: Int, saver: InputSaver? = nil,
    isInverted: Bool = false
  ) {
    (self.saver, self.isInverted) = (saver, isInverted)
    self.file = file
    selection = channel
    self.rate = rate
  }

  var duration: MediaTime { MediaTime(samples: frames, rate: rate) }

  /// Saves the sound of a segment that is listed, if the run saves segments, adds the finding to the totals, and
  /// returns its record. `channel` is the index of the analysis, from 0.
  mutating func record(_ finding: ChannelAnalysis.Finding, channel: Int) -> Record {
    switch finding {
    case .segment(let span, let channels):
      var record = record(span, channel, channels)
      speech += record.duration
      if !isInverted { list(&record, span, channel) }
      return .segment(record)
    case .silence(let span):
      var record = record(span, channel)
      list(&record, span, channel)
      return .segment(record)
    case .mutedSpeech(let span, let channels):
      let record = record(span, channel, channels)
      mutedSpeech += record.duration
      return .mutedSpeech(record)
    case .gap(let span): return .gap(record(span, channel))
    }
  }

  private mutating func list(_ record: inout SpanRecord, _ span: SpeechCut, _ channel: Int) {
    saver?.save(span, channel: channel)
    record.saved = saver?.newest?.string
    segmentCount += 1
  }

  func record(
    _ source: any RecordedSource, echo: EchoStatus? = nil, warnings: [String], isWhole: Bool
  ) -> FileRecord {
    FileRecord(
      file: file, sampleRate: rate, channels: source.inputChannelCount, duration: duration,
      speech: speech, mutedSpeech: mutedSpeech, segmentCount: segmentCount,
      analysedChannels: selection.analysisCount(of: source), echo: echo.map { EchoRecord($0) },
      warnings: warnings, isWhole: isWhole)
  }

  private func record(
    _ span: SpeechCut, _ channel: Int, _ channels: [Int]? = nil
  ) -> SpanRecord {
    SpanRecord(
      file: file, channel: selection.number(ofAnalysis: channel), channels: channels,
      start: MediaTime(samples: span.start, rate: rate),
      end: MediaTime(samples: span.end, rate: rate), samples: span.start..<span.end,
      decidedAt: MediaTime(samples: span.decidedAt, rate: rate))
  }
}

extension ChannelSelection {
  /// The number of analyses of a source: channels that are analysed together have one.
  func analysisCount(of source: any PCMSource) -> Int { self == .any ? 1 : source.channelCount }

  /// Returns the number, from 1, of the channel that the analysis at `index` gets; `nil` for all of them.
  func number(ofAnalysis index: Int) -> Int? {
    switch self {
    case .mix, .any: nil
    case .each: index + 1
    case .channel(let number): number
    }
  }
}

extension EchoRecord {
  init(_ status: EchoStatus) {
    self.init(
      delay: MediaTime(status.delay), fit: Double(status.fit), couplingDB: status.couplingDB)
  }
}
