/// The formats of labels and frames.
///
/// A format is recognised by its beginning. The extension of the file's name decides only where the beginning is none of
/// a known format, so that the message for a broken file names what it should be.
public enum LabelFormats {
  /// The extensions of files that may be labels or frames, in lower case.
  public static let endings = Set(LabelFormat.all.flatMap(\.endings))

  /// Returns what a file says about each recording, by the name of the recording.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file: UTF-8, or UTF-16 with a byte-order mark.
  ///   - name: The name of the recording where the format has none.
  ///   - ending: The extension of the file's name.
  ///   - marks: The labels that are not speech.
  public static func recordings(
    in bytes: [UInt8], name: String, ending: String, marks: SilenceMarks = SilenceMarks(),
    faults: inout LineFaults
  ) -> [String: LabelledRecording] {
    let input = LabelInput(text: PlainText(bytes), name: name, marks: marks)
    let format =
      recognised(input) ?? LabelFormat.all.first { $0.endings.contains(ending.lowercased()) }
    return (format ?? .audacity).read(input, &faults)
  }

  private static func recognised(_ input: LabelInput) -> LabelFormat? {
    guard let line = input.lines.first(where: { !$0.isBlank }) else { return nil }
    return LabelFormat.all.first { $0.recognises(line, input) }
  }
}

/// A file of labels or frames.
private struct LabelInput {
  let text: PlainText
  /// The name of the recording where the format has none.
  let name: String
  let marks: SilenceMarks

  var lines: TextLines { TextLines(text) }

  func recording(_ spans: [LabelledSpan]) -> [String: LabelledRecording] {
    [name: LabelledRecording(.spans(spans))]
  }
}

/// A format: everything that differs between formats when a file is read.
private struct LabelFormat: Sendable {
  /// The extensions of its files, in lower case.
  let endings: [String]
  /// Returns whether a file with this first line is of the format.
  let recognises: @Sendable (TextLines.Line, LabelInput) -> Bool
  let read: @Sendable (LabelInput, inout LineFaults) -> [String: LabelledRecording]

  /// Audacity's labels, whose beginning shows nothing.
  static let audacity = LabelFormat(
    endings: ["txt"], recognises: { _, _ in false },
    read: { $0.recording(AudacityLabels.read($0.lines, marks: $0.marks, faults: &$1)) })

  /// The formats in the order in which a beginning is tried.
  static let all = [
    LabelFormat(
      endings: ["rttm"], recognises: { line, _ in RTTMLabels.recognises(line) },
      read: { RTTMLabels.read($0.lines, marks: $0.marks, faults: &$1) }),
    LabelFormat(
      endings: [],
      recognises: { line, _ in line.number == 1 && FrameTableReader.recognises(line) },
      read: {
        [$0.name: LabelledRecording(.frames(FrameTableReader.read($0.lines, faults: &$1)))]
      }),
    LabelFormat(
      endings: ["vtt"], recognises: { line, _ in CueReader.isHeader(line) },
      read: { [$0.name: CueReader.read($0.lines, .vtt, $0.marks, faults: &$1)] }),
    LabelFormat(
      endings: ["srt"], recognises: { _, input in CueReader.recognisesSRT(input.lines) },
      read: { [$0.name: CueReader.read($0.lines, .srt, $0.marks, faults: &$1)] }),
    LabelFormat(
      endings: ["textgrid"], recognises: { line, _ in TextGridLabels.recognises(line) },
      read: { [$0.name: TextGridLabels.read($0.text, marks: $0.marks, faults: &$1)] }),
    LabelFormat(
      endings: ["eaf"], recognises: { line, _ in EAFLabels.recognises(line) },
      read: { [$0.name: EAFLabels.read($0.text, of: $0.name, marks: $0.marks, faults: &$1)] }),
    LabelFormat(
      endings: ["jsonl"],
      recognises: { line, _ in line.hasPrefix("{") && JSONLabels.isRecord(line) },
      read: { JSONLabels.readLines($0.lines, faults: &$1) }),
    LabelFormat(
      endings: ["json"], recognises: { line, _ in line.hasPrefix("{") },
      read: { JSONLabels.read($0.text, faults: &$1) }),
    table(.comma, ending: "csv"), table(.tab, ending: "tsv"), audacity,
  ]

  private static func table(_ separator: TableSeparator, ending: String) -> LabelFormat {
    LabelFormat(
      endings: [ending],
      recognises: { line, _ in SegmentTable.separator(ofHeader: line) == separator },
      read: {
        SegmentTable.read($0.text, separator, name: $0.name, marks: $0.marks, faults: &$1)
      })
  }
}
