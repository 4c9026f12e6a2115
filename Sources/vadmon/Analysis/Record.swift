/// What the analysis has to say, in the order in which it became known. The formats write records and
/// nothing else.
enum Record: Sendable, Hashable {
  /// An input was opened.
  case input(InputRecord)
  case segment(SpanRecord)
  case mutedSpeech(SpanRecord)
  case gap(SpanRecord)
  case error(ErrorRecord)
  /// The last of every input that could be opened.
  case file(FileRecord)
}

struct InputRecord: Sendable, Hashable {
  /// As the user wrote it or a folder gave it; "-" is standard input.
  var file: String
  /// In Hz.
  var sampleRate: Int
  var channels: Int
}

/// A part of a recording: speech, muted speech or a gap.
struct SpanRecord: Sendable, Hashable {
  var file: String
  /// Counted from 1; `nil` where all channels were mixed.
  var channel: Int?
  var start: Timestamp
  var end: Timestamp
  /// How much input had been read when the detector knew all of this.
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
  /// In all analysed channels together.
  var speech: Timestamp
  var mutedSpeech: Timestamp
  var segmentCount: Int
  /// How many channels were analysed: `speech` is at most this many times `duration`.
  var analysedChannels: Int
  var warnings: [String]
  /// No error came before the end.
  var isWhole = true
}
