public import Annotations

/// Records that every format is tested with.
public enum SampleRecords {
  public static let run = RunConfiguration(
    generator: "vadmon 1.2.3", lookahead: MediaTime(milliseconds: 30),
    settings: [
      .init(name: "onset_threshold", json: .float(0.6)),
      .init(name: "pad_ms", json: .integer(0)),
      .init(name: "channel", json: "mix"),
    ])

  /// Names that are difficult for writers of files.
  public static let names = [
    "plain.wav", "two words.wav", "comma,semi;colon.wav", "quote\"d.wav", "apostrophe's.wav",
    "line\nbreak.wav", "carriage\rreturn.wav", "crlf\r\n.wav", "tab\t.wav", "back\\slash.wav",
    "escape\u{1B}[31m.wav", "nul-like\u{1}.wav", "grüße-日本語-🎤.wav", "replacement\u{FFFD}.wav",
    "e\u{301}.wav", "\u{2028}separator.wav", "=cmd().wav", "folder/in.folder/name",
  ]

  public static func input(_ file: String) -> Record {
    .input(InputRecord(file: file, sampleRate: 16_000, channels: 2))
  }

  public static func span(
    file: String = "a.wav", channel: Int? = nil, _ start: UInt64, _ end: UInt64
  ) -> SpanRecord {
    SpanRecord(
      file: file, channel: channel, start: MediaTime(milliseconds: start),
      end: MediaTime(milliseconds: end), samples: start * 16..<end * 16,
      decidedAt: MediaTime(milliseconds: end + 250))
  }

  public static func file(
    _ file: String = "a.wav", segments: Int = 1, warnings: [String] = []
  ) -> FileRecord {
    FileRecord(
      file: file, sampleRate: 16_000, channels: 2, duration: MediaTime(milliseconds: 10_000),
      speech: MediaTime(milliseconds: 1234), mutedSpeech: MediaTime(milliseconds: 500),
      segmentCount: segments, analysedChannels: 1, warnings: warnings)
  }

  /// Returns the records of one input, from opening to end.
  public static func recording(_ name: String) -> [Record] {
    [
      input(name),
      .segment(span(file: name, 510, 2340)),
      .mutedSpeech(span(file: name, channel: 2, 600, 2400)),
      .gap(span(file: name, 3000, 3100)),
      .segment(span(file: name, channel: 2, 3_600_000, 3_661_007)),
      .file(file(name, segments: 2, warnings: ["cut \"off\""])),
    ]
  }

  public static func write(_ records: [Record], _ format: some RecordFormat) -> String {
    var format: any RecordFormat = format
    var text = ""
    format.begin(run, into: &text)
    for record in records { format.write(record, into: &text) }
    format.end(into: &text)
    return text
  }
}
