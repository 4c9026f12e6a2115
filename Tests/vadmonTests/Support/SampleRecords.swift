@testable import vadmon

/// Records that every format is tested with.
enum SampleRecords {
  static let run = RunConfiguration(
    version: "1.2.3", lookahead: Timestamp(milliseconds: 30),
    settings: [
      .init(name: "onset_threshold", json: .float(0.6)),
      .init(name: "pad_ms", json: .integer(0)),
      .init(name: "channel", json: "mix"),
    ])

  /// Names that are difficult for writers of files.
  static let names = [
    "plain.wav", "two words.wav", "comma,semi;colon.wav", "quote\"d.wav", "apostrophe's.wav",
    "line\nbreak.wav", "carriage\rreturn.wav", "crlf\r\n.wav", "tab\t.wav", "back\\slash.wav",
    "escape\u{1B}[31m.wav", "nul-like\u{1}.wav", "grüße-日本語-🎤.wav", "replacement\u{FFFD}.wav",
    "e\u{301}.wav", "\u{2028}separator.wav", "=cmd().wav", "folder/in.folder/name",
  ]

  static func input(_ file: String) -> Record {
    .input(InputRecord(file: file, sampleRate: 16_000, channels: 2))
  }

  static func span(
    file: String = "a.wav", channel: Int? = nil, _ start: UInt64, _ end: UInt64
  ) -> SpanRecord {
    SpanRecord(
      file: file, channel: channel, start: Timestamp(milliseconds: start),
      end: Timestamp(milliseconds: end), decidedAt: Timestamp(milliseconds: end + 250))
  }

  static func file(
    _ file: String = "a.wav", segments: Int = 1, warnings: [String] = []
  ) -> FileRecord {
    FileRecord(
      file: file, sampleRate: 16_000, channels: 2, duration: Timestamp(milliseconds: 10_000),
      speech: Timestamp(milliseconds: 1234), mutedSpeech: Timestamp(milliseconds: 500),
      segmentCount: segments, analysedChannels: 1, warnings: warnings)
  }

  /// Returns the records of one input, from opening to end.
  static func recording(_ name: String) -> [Record] {
    [
      input(name),
      .segment(span(file: name, 510, 2340)),
      .mutedSpeech(span(file: name, channel: 2, 600, 2400)),
      .gap(span(file: name, 3000, 3100)),
      .segment(span(file: name, channel: 2, 3_600_000, 3_661_007)),
      .file(file(name, segments: 2, warnings: ["cut \"off\""])),
    ]
  }

  static func write(_ records: [Record], _ format: some RecordFormat) -> String {
    var format: any RecordFormat = format
    var text = ""
    format.begin(run, into: &text)
    for record in records { format.write(record, into: &text) }
    format.end(into: &text)
    return text
  }
}
