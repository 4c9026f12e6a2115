extension AnnotationFormat {
  /// Audacity label tracks. Their beginning shows nothing, so that what is of no other format is read as one.
  public static let audacity = AnnotationFormat(
    name: "audacity", fileExtension: "txt", naming: .none,
    writer: { CueFormat { cue, _ in "\(cue.start.seconds)\t\(cue.end.seconds)\t\(cue.label)\n" } },
    read: { [$0.name: AudacityLabels.read($0.lines, marks: $0.marks, faults: &$1)] })
}

/// Audacity label tracks: start, end and label, in seconds, separated by tabs or spaces (Audacity manual, "Importing
/// and Exporting Labels").
///
/// Every label counts as speech, also one without a text, except silence marks and vadmon's own `speaking while muted`.
/// A label of zero length marks a point and is ignored.
enum AudacityLabels {
  static func read(
    _ lines: TextLines, marks: SilenceMarks, faults: inout LineFaults
  ) -> LabelledRecording {
    var spans: [LabelledSpan] = []
    faults.collect(lines) { line throws(LineFault) in
      if let span = try span(line, marks) { spans.append(span) }
    }
    var recording = LabelledRecording(.spans(spans))
    if !spans.isEmpty, spans.allSatisfy({ $0.start == $0.end }) { recording.remarkPoints() }
    return recording
  }

  private static func span(
    _ line: TextLines.Line, _ marks: SilenceMarks
  ) throws(LineFault) -> LabelledSpan? {
    // A line that begins with a backslash gives the frequency range of the label before it.
    if line.isBlank || line.hasPrefix("\\") { return nil }
    let fields = line.fields
    guard fields.count >= 2 else {
      throw LineFault(
        "\(quoted(line.bytes)) is not a label: write its start and end in seconds, separated by a tab"
      )
    }
    let span = try LabelledSpan(
      start: seconds(fields[0], "start"), end: seconds(fields[1], "end"))
    return marks.isSpeech(fields.dropFirst(2).joined(separator: " ".utf8)) ? span : nil
  }
}
