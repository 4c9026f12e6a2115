extension AnnotationFormat {
  /// Comma-separated values: segments, or frames, which their header distinguishes.
  public static let csv = AnnotationFormat(
    name: "csv", fileExtension: "csv", naming: .path, writer: { TableFormat(separator: .comma) },
    recognises: { line, _ in
      FrameTableReader.recognises(line) || SegmentTable.separator(ofHeader: line) == .comma
    },
    read: {
      guard let line = $0.lines.first(where: { _ in true }), FrameTableReader.recognises(line)
      else { return SegmentTable.read($0, .comma, faults: &$1) }
      let frames = FrameTableReader.read($0.lines, faults: &$1)
      var recording = LabelledRecording(.frames(frames))
      recording.remark(partFrom: frames.partStart)
      return [$0.name: recording]
    })

  /// Tab-separated values.
  public static let tsv = AnnotationFormat(
    name: "tsv", fileExtension: "tsv", naming: .path, writer: { TableFormat(separator: .tab) },
    recognises: { line, _ in SegmentTable.separator(ofHeader: line) == .tab },
    read: { SegmentTable.read($0, .tab, faults: &$1) })
}

/// Comma-separated values (RFC 4180) or tab-separated values: a header, then one line for each segment, muted speech
/// and gap.
///
/// The channel is empty if all channels were mixed; channels that were analysed together have a `+` between them. Lines
/// end with CR LF after commas, as the RFC says, and with LF after tabs, as `cut` and `awk` expect. Fields are quoted
/// in both alike, which spreadsheets and pandas read.
struct TableFormat: RecordFormat {
  let separator: TableSeparator
  private var segmentType = SpanLabels.segment

  init(separator: TableSeparator) { self.separator = separator }

  mutating func begin(_ run: RunConfiguration, into text: inout String) {
    segmentType = run.segmentType
    line(["type", "file", "channel", "start", "end", "decided_at"], into: &text)
  }

  mutating func write(_ record: Record, into text: inout String) {
    switch record {
    case .segment(let span): line(segmentType, span, into: &text)
    case .mutedSpeech(let span): line(SpanLabels.mutedSpeech, span, into: &text)
    case .gap(let span): line(SpanLabels.gap, span, into: &text)
    case .input, .error, .file: break
    }
  }

  private func line(_ type: String, _ span: SpanRecord, into text: inout String) {
    let times = [span.start, span.end, span.decidedAt].map(\.seconds)
    line([type, span.file, span.channelColumn] + times, into: &text)
  }

  private func line(_ fields: [String], into text: inout String) {
    text += fields.map(quoted).joined(separator: separator.text)
    text += separator == .comma ? "\r\n" : "\n"
  }

  /// Quotes a field (RFC 4180 §2.6 and §2.7). It compares scalars because Swift treats CR LF as one character.
  private func quoted(_ field: String) -> String {
    let special: Set<Unicode.Scalar> = [
      "\"", Unicode.Scalar(separator.rawValue), "\r", "\n",
    ]
    guard field.unicodeScalars.contains(where: special.contains) else { return field }
    var quoted = "\""
    for scalar in field.unicodeScalars {
      if scalar == "\"" { quoted += "\"" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}

extension TableSeparator {
  fileprivate var text: String { String(Unicode.Scalar(rawValue)) }
}

/// Segments as comma- or tab-separated values: a header with `start` and `end`, in seconds, and optionally `file` and
/// `type`, in any order among other columns. `vadmon analyze --format csv` and `tsv` write this format.
///
/// If there is a type, only `segment` is speech. If there is a column `label` or `text`, its silence marks are not
/// speech.
struct SegmentTable {
  private let start: Int
  private let end: Int
  private let file: Int?
  private let type: Int?
  private let label: Int?
  private let columnCount: Int

  /// Returns the speech of each recording in the `file` column or, without that column, of the whole table under the
  /// name of the input.
  static func read(
    _ input: LabelInput, _ separator: TableSeparator, faults: inout LineFaults
  ) -> [String: LabelledRecording] {
    var records = CSVRecords(input.text, separator)
    var recordings = NamedRecordings()
    guard let header = records.next() else {
      faults.add(
        LineFault(
          "the header is missing: write start,end, or time,probability,speech above frames"),
        line: 1)
      return [:]
    }
    do throws(LineFault) {
      let table = try SegmentTable(header: header, separator)
      recordings.areNamed = table.file != nil
      while let record = records.next() {
        do throws(LineFault) {
          try table.read(record, name: input.name, marks: input.marks, into: &recordings)
        } catch {
          faults.add(error, line: record.line)
        }
      }
    } catch {
      faults.add(error, line: header.line)
    }
    return recordings.recordings
  }

  /// Returns what separates the columns if the line is a header: a comma before the first space and no tab, so that it
  /// is not a label with a comma in its text; or tabs between names among which are `start` and `end`.
  static func separator(ofHeader line: TextLines.Line) -> TableSeparator? {
    guard line.bytes.contains(TableSeparator.tab.rawValue) else {
      return line.fields.first?.contains(TableSeparator.comma.rawValue) == true ? .comma : nil
    }
    let names = line.bytes.split(separator: TableSeparator.tab.rawValue).map { column in
      column.filter { $0 != UInt8(ascii: " ") }
    }
    let hasTimes = ["start", "end"].allSatisfy { name in
      names.contains { $0.elementsEqual(name.utf8) }
    }
    return hasTimes ? .tab : nil
  }

  private init(header: CSVRecords.Record, _ separator: TableSeparator) throws(LineFault) {
    if let fault = header.fault { throw fault }
    // Ignore spaces around a name.
    let names = header.fields.map { field in
      String(decoding: field.filter { $0 != UInt8(ascii: " ") }, as: UTF8.self)
    }
    if let other = Self.otherSeparator(of: names) {
      throw LineFault("the header separates its columns with \(other): write commas or tabs")
    }
    guard let start = names.firstIndex(of: "start"), let end = names.firstIndex(of: "end") else {
      throw LineFault(
        "the header \(names.joined(separator: separator.text)) has no start and end: "
          + "write file,start,end, or time,probability,speech above frames")
    }
    let twice = ["start", "end", "file", "type", "label", "text"].first { name in
      names.count { $0 == name } > 1
    }
    if let twice { throw LineFault("the header has \(twice) twice: keep one of them") }
    (self.start, self.end, columnCount) = (start, end, names.count)
    file = names.firstIndex(of: "file")
    type = names.firstIndex(of: "type")
    label = names.firstIndex(of: "label") ?? names.firstIndex(of: "text")
  }

  /// Returns what else than commas and tabs separates the columns of a header; `nil` if nothing does. Such tables are
  /// not read, because spreadsheets write semicolons where numbers have decimal commas.
  private static func otherSeparator(of names: [String]) -> String? {
    guard names.count == 1 else { return nil }
    return [(";", "semicolons"), ("|", "bars")].first { mark, _ in
      let columns = names[0].split(separator: mark)
      return columns.contains("start") && columns.contains("end")
    }?.1
  }

  private func read(
    _ record: CSVRecords.Record, name: String, marks: SilenceMarks,
    into recordings: inout NamedRecordings
  ) throws(LineFault) {
    if let fault = record.fault { throw fault }
    let fields = record.fields
    if fields.count == 1, fields[0].isEmpty { return }
    guard fields.count == columnCount else {
      throw LineFault(
        "the line has \(counted(fields.count, "field")) and the header \(columnCount): complete or delete the line"
      )
    }
    let span = try LabelledSpan(
      start: seconds(fields[start], "start"), end: seconds(fields[end], "end"))
    let isSpeech =
      try hasSpeechType(fields, marks) && (label.map { marks.isSpeech(fields[$0]) } ?? true)
    let added = isSpeech ? [span] : []
    if let file {
      try recordings.add(added, of: String(decoding: fields[file], as: UTF8.self))
    } else {
      recordings.add(added, named: name)
    }
  }

  private func hasSpeechType(
    _ fields: [ArraySlice<UInt8>], _ marks: SilenceMarks
  ) throws(LineFault) -> Bool {
    guard let type else { return true }
    switch String(decoding: fields[type], as: UTF8.self) {
    case SpanLabels.segment: return true
    case SpanLabels.silence, SpanLabels.mutedSpeech: return marks.isSpeech(named: fields[type])
    case SpanLabels.gap: return false
    default:
      throw LineFault(
        "the type \(quoted(fields[type])) is unknown: write segment, muted_speech or gap")
    }
  }
}
