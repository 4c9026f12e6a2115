/// Rich Transcription Time Marked (NIST, RT-09 evaluation plan, appendix A): one SPEAKER line of ten fields for each
/// segment.
///
/// The speaker is called `speech`; muted speech is a second speaker, `muted_speech`. Spaces separate the fields, so a
/// file ID must not contain any: see ``fileID(_:)``. Channels count from 1, which also stands for a mix of all
/// channels.
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

  /// Returns the file's name without folders and extension, with `_` for whitespace and control characters.
  static func fileID(_ file: String) -> String {
    let stem = FileNames.stem(file)
    let safe = stem.unicodeScalars.map { scalar in
      scalar.properties.isWhitespace || scalar.value < 0x20 || scalar.value == 0x7F ? "_" : scalar
    }
    var id = String(String.UnicodeScalarView(safe))
    // A line that begins with ";;" is a comment. An ID that begins so is not, but some readers take it for one.
    while id.hasPrefix(";") { id.removeFirst() }
    return id.isEmpty ? "_" : id
  }
}
