/// One result of the analysis. Records arrive in the order in which they become known; formats write records and
/// nothing else.
public enum Record: Sendable, Hashable {
  /// An input was opened.
  case input(InputRecord)
  /// Speech.
  case segment(SpanRecord)
  /// Speech while muted, as published.
  case mutedSpeech(SpanRecord)
  /// Missing sound.
  case gap(SpanRecord)
  /// An input that could not be read, or not to its end.
  case error(ErrorRecord)
  /// The last record of every input that could be opened.
  case file(FileRecord)
}

/// An input that was opened.
public struct InputRecord: Sendable, Hashable {
  /// The name as the user wrote it or as a folder listed it; "-" is standard input.
  public var file: String
  /// The sample rate in Hz.
  public var sampleRate: Int
  /// The number of channels.
  public var channels: Int

  /// Creates a record.
  public init(file: String, sampleRate: Int, channels: Int) {
    (self.file, self.sampleRate, self.channels) = (file, sampleRate, channels)
  }
}

/// A part of a recording: speech, muted speech or a gap.
public struct SpanRecord: Sendable, Hashable {
  /// The name of the input.
  public var file: String
  /// The channel, from 1; `nil` if all channels were mixed, or analysed together.
  public var channel: Int?
  /// The channels, from 1, that have a part in the span; `nil` unless they were analysed together.
  public var channels: [Int]?
  /// The start of the span.
  public var start: MediaTime
  /// The end of the span, not before its start.
  public var end: MediaTime
  /// The span in samples of one channel, at the recording's rate; `nil` if only the times are known.
  public var samples: Range<UInt64>?
  /// How much input had been read when the detector had decided start and end.
  public var decidedAt: MediaTime
  /// The file that the segment's sound was saved to, if it was.
  public var saved: String?

  /// Creates a record.
  public init(
    file: String, channel: Int?, channels: [Int]? = nil, start: MediaTime, end: MediaTime,
    samples: Range<UInt64>? = nil, decidedAt: MediaTime, saved: String? = nil
  ) {
    (self.file, self.channel, self.channels, self.saved) = (file, channel, channels, saved)
    (self.start, self.end, self.samples, self.decidedAt) = (start, end, samples, decidedAt)
  }

  /// The length of the span.
  public var duration: MediaTime { end - start }

  /// The channel, or the channels with `+` between them, for a column of a table; empty if all were mixed.
  var channelColumn: String {
    (channel.map { [$0] } ?? channels ?? []).map(String.init).joined(separator: "+")
  }

  /// The channels as words, such as "channel 1" or "channels 1, 2"; `nil` if all were mixed.
  public var channelText: String? {
    guard let numbers = channel.map({ [$0] }) ?? channels, !numbers.isEmpty else { return nil }
    let list = numbers.map(String.init).joined(separator: ", ")
    return numbers.count == 1 ? "channel \(list)" : "channels \(list)"
  }
}

/// Why an input was not read, or not read to its end.
public struct ErrorRecord: Sendable, Hashable {
  /// The name of the input.
  public var file: String
  /// One sentence.
  public var message: String
  /// The exit code for this error alone, from `sysexits.h`.
  public var exitCode: Int32

  /// Creates a record.
  public init(file: String, message: String, exitCode: Int32) {
    (self.file, self.message, self.exitCode) = (file, message, exitCode)
  }
}

/// The totals of an input.
public struct FileRecord: Sendable, Hashable {
  /// The name of the input.
  public var file: String
  /// The sample rate in Hz.
  public var sampleRate: Int
  /// The number of channels of the input.
  public var channels: Int
  /// The length of the input.
  public var duration: MediaTime
  /// The speech of all analysed channels together.
  public var speech: MediaTime
  /// The muted speech of all analysed channels together.
  public var mutedSpeech: MediaTime
  /// The number of segments of all analysed channels together.
  public var segmentCount: Int
  /// The number of channels analysed by themselves: `speech` is at most this many times `duration`. It is 1 for
  /// channels that were mixed, and for those that were analysed together.
  public var analysedChannels: Int
  /// What was found of the loudspeaker's echo; `nil` without a reference.
  public var echo: EchoRecord?
  /// One sentence for each warning.
  public var warnings: [String]
  /// Whether the input was read to its end without an error.
  public var isWhole: Bool
  /// Whether an interruption ended the analysis before the input's end.
  public var isInterrupted = false
  /// The time in seconds that the input's container gives to its beginning; all other times count from there.
  public var containerStart = 0.0

  /// Creates a record.
  public init(
    file: String, sampleRate: Int, channels: Int, duration: MediaTime, speech: MediaTime,
    mutedSpeech: MediaTime, segmentCount: Int, analysedChannels: Int, echo: EchoRecord? = nil,
    warnings: [String], isWhole: Bool = true
  ) {
    (self.file, self.sampleRate, self.channels) = (file, sampleRate, channels)
    (self.duration, self.speech, self.mutedSpeech) = (duration, speech, mutedSpeech)
    (self.segmentCount, self.analysedChannels) = (segmentCount, analysedChannels)
    (self.echo, self.warnings, self.isWhole) = (echo, warnings, isWhole)
  }
}

/// What was known of a reference's echo at the end of a recording.
public struct EchoRecord: Sendable, Hashable {
  /// From the reference to the microphone, 0 … 680 ms; 0 if the reference is late, too.
  public var delay: MediaTime
  /// How well both move together at this delay, −1 … 1: with echo above 0.15, without echo below 0.1.
  public var fit: Double
  /// How loud the microphone is over the reference, in dB.
  public var couplingDB: Float

  /// Creates a record.
  public init(delay: MediaTime, fit: Double, couplingDB: Float) {
    (self.delay, self.fit, self.couplingDB) = (delay, fit, couplingDB)
  }
}
