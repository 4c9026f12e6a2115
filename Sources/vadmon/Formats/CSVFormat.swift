/// Comma-separated values (RFC 4180): a header, then one line for each segment, muted speech and gap.
///
/// The channel is empty if all channels were mixed.
struct CSVFormat: RecordFormat {
  mutating func begin(_ run: RunConfiguration, into text: inout String) {
    line(["type", "file", "channel", "start", "end", "decided_at"], into: &text)
  }

  mutating func write(_ record: Record, into text: inout String) {
    switch record {
    case .segment(let span): line("segment", span, into: &text)
    case .mutedSpeech(let span): line("muted_speech", span, into: &text)
    case .gap(let span): line("gap", span, into: &text)
    case .input, .error, .file: break
    }
  }

  private func line(_ type: String, _ span: SpanRecord, into text: inout String) {
    let channel = span.channel.map(String.init) ?? ""
    let times = [span.start, span.end, span.decidedAt].map(\.seconds)
    line([type, span.file, channel] + times, into: &text)
  }

  private func line(_ fields: [String], into text: inout String) {
    text += fields.map(quoted).joined(separator: ",") + "\r\n"
  }

  /// Quotes a field (RFC 4180 §2.6 and §2.7). It compares scalars because Swift treats CR LF as one character.
  private func quoted(_ field: String) -> String {
    let special: Set<Unicode.Scalar> = ["\"", ",", "\r", "\n"]
    guard field.unicodeScalars.contains(where: special.contains) else { return field }
    var quoted = "\""
    for scalar in field.unicodeScalars {
      if scalar == "\"" { quoted += "\"" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}
