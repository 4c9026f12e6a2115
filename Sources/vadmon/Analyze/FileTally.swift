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
  /// The number of frames read so far.
  var frames: UInt64 = 0
  private var speech = MediaTime.zero
  private var mutedSpeech = MediaTime.zero
  private var segmentCount = 0

  init(file: String, channel: ChannelSelection, rate: Int, saver: InputSaver? = nil) {
    self.saver = saver
    self.file = file
    selection = channel
    self.rate = rate
  }

  var duration: MediaTime { MediaTime(samples: frames, rate: rate) }

  /// Returns the record of a finding, the sound of which it has saved if that was asked for, and adds it to the totals; `channel` is the detector's index, from 0.
  mutating func record(_ finding: ChannelAnalysis.Finding, channel: Int) -> Record {
    switch finding {
    case .segment(let span):
      var record = record(span, channel)
      record.saved = saver?.save(span, channel: channel)?.string
      segmentCount += 1
      speech += record.duration
      return .segment(record)
    case .mutedSpeech(let span):
      let record = record(span, channel)
      mutedSpeech += record.duration
      return .mutedSpeech(record)
    case .gap(let span): return .gap(record(span, channel))
    }
  }

  func record(
    _ source: any RecordedSource, echo: EchoStatus? = nil, warnings: [String], isWhole: Bool
  ) -> FileRecord {
    FileRecord(
      file: file, sampleRate: rate, channels: source.inputChannelCount, duration: duration,
      speech: speech, mutedSpeech: mutedSpeech, segmentCount: segmentCount,
      analysedChannels: source.channelCount, echo: echo.map { EchoRecord($0) },
      warnings: warnings, isWhole: isWhole)
  }

  private func record(_ span: SpeechCut, _ channel: Int) -> SpanRecord {
    SpanRecord(
      file: file, channel: selection.number(ofDetector: channel),
      start: MediaTime(samples: span.start, rate: rate),
      end: MediaTime(samples: span.end, rate: rate),
      decidedAt: MediaTime(samples: span.decidedAt, rate: rate))
  }
}

extension ChannelSelection {
  /// Returns the number, from 1, of the channel that the detector at `index` gets; `nil` for the mean of all.
  func number(ofDetector index: Int) -> Int? {
    switch self {
    case .mix: nil
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
