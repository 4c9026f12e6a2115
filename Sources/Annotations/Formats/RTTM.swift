extension AnnotationFormat {
  /// Rich Transcription Time Marked.
  public static let rttm = AnnotationFormat(
    name: "rttm", fileExtension: "rttm", naming: .fileID, writer: { RTTMFormat() },
    recognises: { line, _ in RTTMLabels.recognises(line) },
    read: { RTTMLabels.read($0.lines, marks: $0.marks, faults: &$1) })
}

/// Rich Transcription Time Marked (NIST, RT-09 evaluation plan, appendix A): one SPEAKER line of ten fields for each
/// segment.
///
/// The speaker is called `speech`, or `silence`; muted speech is a second speaker, `muted_speech`. Spaces separate the
/// fields, so a file ID must not contain any: see ``RecordingName/fileID(_:)``. Channels count from 1, which also
/// stands for a mix of all channels.
struct RTTMFormat: RecordFormat {
  private var order: SpanOrder?
  private var speaker = SpanLabels.speech

  /// Learns whether spans need sorting, and what segments are. RTTM has no header.
  mutating func begin(_ run: RunConfiguration, into text: inout String) {
    (order, speaker) = (SpanOrder(run), run.segmentLabel)
  }

  /// Appends a SPEAKER line for each span.
  mutating func write(_ record: Record, into text: inout String) {
    for record in order?.take(record) ?? [record] {
      switch record {
      case .segment(let span): line(span, speaker: speaker, into: &text)
      case .mutedSpeech(let span): line(span, speaker: SpanLabels.mutedSpeech, into: &text)
      case .input, .gap, .error, .file: break
      }
    }
  }

  private func line(_ span: SpanRecord, speaker: String, into text: inout String) {
    text += "SPEAKER \(RecordingName.fileID(span.file)) \(span.channel ?? 1) \(span.start.seconds) "
    text += "\(span.duration.seconds) <NA> <NA> \(speaker) <NA> <NA>\n"
  }
}

/// Rich Transcription Time Marked (NIST, RT-09 evaluation plan, appendix A): fields separated by spaces. In SPEAKER
/// lines, the second field is the recording, the fourth the start and the fifth the length.
///
/// Every speaker on every channel counts as speech, except vadmon's own speakers `silence` and `muted_speech`, which
/// repeats speech and adds a hold. The known silence marks do not apply, because the type of a line says what it is,
/// and a speaker may have the initials SP. Marks that the user adds do apply.
enum RTTMLabels {
  /// Returns the speech of each recording named, in any order.
  static func read(
    _ lines: TextLines, marks: SilenceMarks, faults: inout LineFaults
  ) -> [String: LabelledRecording] {
    var recordings = NamedRecordings()
    faults.collect(lines.lazy.filter { !$0.isBlank && !$0.hasPrefix(";;") }) {
      line throws(LineFault) in
      try read(line.fields, marks: marks, into: &recordings)
    }
    return recordings.recordings
  }

  /// Returns whether the line is a comment or has a type of the standard.
  static func recognises(_ line: TextLines.Line) -> Bool {
    line.hasPrefix(";;") || line.fields.first.map { types.contains(text($0)) } == true
  }

  private static func read(
    _ fields: [ArraySlice<UInt8>], marks: SilenceMarks, into recordings: inout NamedRecordings
  ) throws(LineFault) {
    guard types.contains(text(fields[0])) else {
      throw LineFault(
        "\(quoted(fields[0])) is not a type of RTTM line: begin the line with SPEAKER")
    }
    guard text(fields[0]) == "SPEAKER" else { return }
    guard fields.count == 9 || fields.count == 10 else {
      throw LineFault(
        "the SPEAKER line has \(counted(fields.count, "field")) instead of 9 or 10: write SPEAKER FILE 1 "
          + "START LENGTH <NA> <NA> NAME <NA> <NA>")
    }
    let start = try seconds(fields[3], "start")
    let span = try LabelledSpan(start: start, end: start + seconds(fields[4], "length"))
    recordings.add(marks.isSpeech(named: fields[7]) ? [span] : [], named: text(fields[1]))
  }

  /// The types of lines. Only SPEAKER lines state who speaks when.
  private static let types: Set = [
    "SPEAKER", "SPKR-INFO", "SEGMENT", "NOSCORE", "NO_RT_METADATA", "LEXEME", "NON-LEX",
    "NON-SPEECH", "FILLER", "EDIT", "IP", "SU", "CB", "A/P",
  ]
}

private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
