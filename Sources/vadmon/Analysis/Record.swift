/// One result of the analysis. Records arrive in the order in which they become known; formats write records and
/// nothing else.
enum Record: Sendable, Hashable {
  /// An input was opened.
  case input(InputRecord)
  case segment(SpanRecord)
  case mutedSpeech(SpanRecord)
  case gap(SpanRecord)
  case error(ErrorRecord)
  /// The last record of every input that could be opened.
  case file(FileRecord)
}

struct InputRecord: Sendable, Hashable {
  /// The name as the user wrote it or as a folder listed it; "-" is standard input.
  var file: String
  /// The sample rate in Hz.
  var sampleRate: Int
  var channels: Int
}

/// A part of a recording: speech, muted speech or a gap.
struct SpanRecord: Sendable, Hashable {
  var file: String
  /// The channel, from 1; `nil` if all channels were mixed.
  var channel: Int?
  var start: Timestamp
  var end: Timestamp
  /// How much input had been read when the detector had decided start and end.
  var decidedAt: Timestamp

  var duration: Timestamp { end - start }
}

struct ErrorRecord: Sendable, Hashable {
  var file: String
  var message: String
  var exitCode: Int32
}

struct FileRecord: Sendable, Hashable {
  var file: String
  var sampleRate: Int
  var channels: Int
  var duration: Timestamp
  /// The total over all analysed channels.
  var speech: Timestamp
  var mutedSpeech: Timestamp
  var segmentCount: Int
  /// The number of channels analysed: `speech` is at most this many times `duration`.
  var analysedChannels: Int
  var warnings: [String]
  /// Whether the input was read to its end without an error.
  var isWhole = true
}
