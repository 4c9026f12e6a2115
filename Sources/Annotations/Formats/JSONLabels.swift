/// The JSON and the JSON Lines of `vadmon analyze`: the segments and the length of each file. Muted speech, gaps, and segments
/// whose `text` marks silence are not speech.
struct JSONLabels {
  private var recordings = NamedRecordings()
  private let marks: SilenceMarks
  /// Where the parts begin that were analysed, in seconds.
  private var start: Double = 0

  private init(_ marks: SilenceMarks) { self.marks = marks }

  /// Returns whether a line is a record of JSON Lines. The first line of a document is not.
  static func isRecord(_ line: TextLines.Line) -> Bool {
    (try? JSONReader.value(of: line.bytes))?["type"] != nil
  }

  /// Reads a document: an object with the member `files`.
  static func read(
    _ text: PlainText, marks: SilenceMarks, faults: inout LineFaults
  ) -> [String: LabelledRecording] {
    var labels = JSONLabels(marks)
    do throws(LineFault) {
      try labels.read(JSONReader.value(of: text.bytes[...]))
    } catch {
      // The message names the place: the line, or the segment, for values do not know their lines.
      faults.add(error, line: nil)
    }
    return labels.read
  }

  /// The recordings read.
  private var read: [String: LabelledRecording] {
    recordings.recordings.mapValues { recording in
      var recording = recording
      recording.remark(partFrom: start)
      return recording
    }
  }

  private mutating func read(_ document: JSONValue) throws(LineFault) {
    try take(config: document["config"])
    guard case .array(let files)? = document["files"] else {
      throw LineFault(
        "this is not the JSON of vadmon analyze: it has no list \"files\"; name another file")
    }
    for file in files {
      let name = try Self.fileName(of: file)
      // A file that could not be opened has no length, and no result.
      guard file["duration"] != nil else { continue }
      guard case .array(let segments)? = file["segments"] else {
        throw LineFault("\(printable(name)) has no list \"segments\": use --format json")
      }
      var spans: [LabelledSpan] = []
      for (index, segment) in segments.enumerated() {
        do throws(LineFault) {
          spans += try speech(segment)
        } catch {
          throw LineFault("segment \(index + 1) of \(printable(name)): \(error.message)")
        }
      }
      try recordings.add(spans, of: name, length: end(of: file))
    }
  }

  /// Reads lines of objects with the member `type`.
  static func readLines(
    _ lines: TextLines, marks: SilenceMarks, faults: inout LineFaults
  ) -> [String: LabelledRecording] {
    var labels = JSONLabels(marks)
    var counts: [String: Int] = [:]
    for line in lines where !line.isBlank {
      do throws(LineFault) {
        try labels.read(line: JSONReader.value(of: line.bytes), counts: &counts)
      } catch {
        faults.add(error, line: line.number)
      }
    }
    return labels.read
  }

  private mutating func read(line: JSONValue, counts: inout [String: Int]) throws(LineFault) {
    switch line["type"] {
    case "segment":
      let name = try Self.fileName(of: line)
      counts[name, default: 0] += 1
      try recordings.add(speech(line), of: name)
    case "file":
      let name = try Self.fileName(of: line)
      try recordings.add([], of: name, length: end(of: line))
      let count = counts.removeValue(forKey: name) ?? 0
      guard line["segment_count"] == .integer(count) else {
        throw LineFault(
          "the file has \(line["segment_count"]?.text ?? "no number of") segments of "
            + "\(printable(name)), but \(count) lines of them: use --format jsonl")
      }
    case "config": try take(config: line["config"])
    case "error", "muted_speech", "gap": break
    default:
      throw LineFault(
        "the type \(line["type"]?.text ?? "") is not one of vadmon analyze --format jsonl: "
          + "name another file")
    }
  }

  private mutating func take(config: JSONValue?) throws(LineFault) {
    if config?["invert"] == .bool(true) {
      throw LineFault("the segments are the silence: run vadmon analyze without --invert")
    }
    if case .number(let milliseconds)? = config?["from_ms"] {
      start = (Double(milliseconds) ?? 0) / 1000
    }
  }

  private static func fileName(of value: JSONValue) throws(LineFault) -> String {
    guard case .string(let name)? = value["file"] else {
      throw LineFault("the name \"file\" is missing: use --format json or jsonl")
    }
    return name
  }

  /// Returns where the analysis of a file ended; `nil` if its length is not known.
  private func end(of file: JSONValue) -> Double? {
    (try? Self.time("duration", of: file)).map { start + $0 }
  }

  /// Returns the span of a segment, or nothing if its text marks silence.
  private func speech(_ segment: JSONValue) throws(LineFault) -> [LabelledSpan] {
    let span = try LabelledSpan(
      start: Self.time("start", of: segment), end: Self.time("end", of: segment))
    guard case .string(let text)? = segment["text"] else { return [span] }
    return marks.isSpeech(text.utf8) ? [span] : []
  }

  private static func time(_ name: String, of value: JSONValue) throws(LineFault) -> Double {
    try seconds(Array((value[name]?.text ?? "").utf8)[...], name)
  }
}

extension JSONValue {
  /// Returns the value of an object's member; `nil` if there is none.
  fileprivate subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }
}
