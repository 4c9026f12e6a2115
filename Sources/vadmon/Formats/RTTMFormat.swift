/// Rich Transcription Time Marked (NIST, RT-09 evaluation plan, appendix A): one SPEAKER line of ten
/// fields for each segment.
///
/// The speaker is called `speech`; muted speech is a second one, `muted_speech`. Fields are separated by
/// blanks, so that a file id may hold none: see ``fileID(_:)``. Channels count from 1, which also stands
/// for a mixture of all.
struct RTTMFormat: RecordFormat {
  private var order: SpanOrder?

  mutating func begin(_ run: RunConfiguration, into text: inout String) { order = SpanOrder(run) }

  mutating func write(_ record: Record, into text: inout String) {
    for record in order?.take(record) ?? [record] {
      switch record {
      case .segment(let span): line(span, speaker: "speech", into: &text)
      case .mutedSpeech(let span): line(span, speaker: "muted_speech", into: &text)
      case .input, .gap, .error, .file: break
      }
    }
  }

  private func line(_ span: SpanRecord, speaker: String, into text: inout String) {
    text += "SPEAKER \(Self.fileID(span.file)) \(span.channel ?? 1) \(span.start.seconds) "
    text += "\(span.duration.seconds) <NA> <NA> \(speaker) <NA> <NA>\n"
  }

  /// The file's name without folders and ending, with `_` for whatever would split or end a line.
  static func fileID(_ file: String) -> String {
    let stem = FileNames.stem(file)
    let safe = stem.unicodeScalars.map { scalar in
      scalar.properties.isWhitespace || scalar.value < 0x20 || scalar.value == 0x7F ? "_" : scalar
    }
    var id = String(String.UnicodeScalarView(safe))
    // A line that begins with ";;" is a comment; an id that does is none, but readers differ.
    while id.hasPrefix(";") { id.removeFirst() }
    return id.isEmpty ? "_" : id
  }
}
