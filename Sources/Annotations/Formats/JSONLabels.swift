/// The JSON and the JSON Lines of `vadmon analyze`: the segments and the length of each file, or the error that left it
/// without a result. Muted speech, gaps, and segments whose `text` marks silence are not speech.
///
/// An entry without `duration` has labels of a recording whose length is not known, as other formats have.
struct JSONLabels {
  private var recordings = NamedRecordings()
  private let marks: SilenceMarks
  /// The segments of each file of JSON Lines whose last line has not come.
  private var counts: [String: Int] = [:]
  /// Where the parts begin that were analysed, in seconds.
  private var start: Double = 0

  private init(_ marks: SilenceMarks) { self.marks = marks }

  /// Returns whether a first line begins an object, or a list of objects, which only JSON does; blanks may come before.
  static func recognises(_ line: TextLines.Line) -> Bool {
    let start = line.bytes.lazy.filter { !isBlankByte($0) }.prefix(2)
    return start.first == UInt8(ascii: "{")
      || ["[", "[{"].contains { start.elementsEqual($0.utf8) }
  }

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
      if isLines(text) {
        throw LineFault(
          "its lines have no \"type\", so that they are not of vadmon analyze --format jsonl: name another file"
        )
      }
      try labels.read(JSONReader.value(of: text.bytes[...]))
      try labels.checkHasRecordings()
    } catch {
      // The message names the place: the line, or the segment, for values do not know their lines.
      faults.add(error, line: nil)
    }
    return labels.read
  }

  /// Returns whether a text has an object on its first line and more below it.
  private static func isLines(_ text: PlainText) -> Bool {
    var lines = TextLines(text).lazy.filter { !$0.isBlank }.makeIterator()
    guard let first = lines.next(), lines.next() != nil else { return false }
    return (try? JSONReader.value(of: first.bytes)) != nil
  }

  /// The recordings read.
  private var read: [String: LabelledRecording] {
    recordings.recordings.mapValues { recording in
      var recording = recording
      if recording.failure == nil { recording.remark(partFrom: start) }
      return recording
    }
  }

  private func checkHasRecordings() throws(LineFault) {
    guard recordings.recordings.isEmpty else { return }
    throw LineFault("it has no recording: check that the file is complete, or name another one")
  }

  private mutating func read(_ document: JSONValue) throws(LineFault) {
    try take(config: document["config"])
    guard case .array(let files)? = document["files"] else {
      throw LineFault(
        "this is not the JSON of vadmon analyze: it has no list \"files\"; name another file")
    }
    for file in files { try read(file: file) }
  }

  private mutating func read(file: JSONValue) throws(LineFault) {
    let name = try Self.fileName(of: file)
    if let error = file["error"], error != .null {
      try recordings.add(failure: Self.message(of: error), of: name)
    }
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
    try recordings.add(spans, of: name, length: end(of: file, name))
  }

  /// Reads lines of objects with the member `type`.
  static func readLines(
    _ lines: TextLines, marks: SilenceMarks, faults: inout LineFaults
  ) -> [String: LabelledRecording] {
    var labels = JSONLabels(marks)
    for line in lines where !line.isBlank {
      do throws(LineFault) {
        try labels.read(line: JSONReader.value(of: line.bytes), areAllRead: faults.isEmpty)
      } catch {
        faults.add(error, line: line.number)
      }
    }
    guard faults.isEmpty else { return labels.read }
    do throws(LineFault) {
      try labels.checkHasAllLines()
      try labels.checkHasRecordings()
    } catch {
      faults.add(error, line: nil)
    }
    return labels.read
  }

  /// - Parameter areAllRead: Whether every line so far could be read, so that segments can be counted.
  private mutating func read(line: JSONValue, areAllRead: Bool) throws(LineFault) {
    switch line["type"] {
    case "segment":
      let name = try Self.fileName(of: line)
      counts[name, default: 0] += 1
      try recordings.add(speech(line), of: name)
    case "muted_speech", "gap": counts[try Self.fileName(of: line), default: 0] += 0
    case "file":
      let name = try Self.fileName(of: line)
      let count = counts.removeValue(forKey: name) ?? 0
      if areAllRead { try Self.check(count, of: name, line["segment_count"]) }
      try recordings.add([], of: name, length: end(of: line, name))
    case "error":
      try recordings.add(failure: Self.message(of: line), of: Self.fileName(of: line))
    case "config": try take(config: line["config"])
    // A later version may have more.
    case .string?: break
    case let type?:
      throw LineFault("the type \(type.text) is not a string: name another file")
    case nil:
      throw LineFault(
        "it has no \"type\", so that it is not of vadmon analyze --format jsonl: name another file")
    }
  }

  /// Checks the number of segments that a file's last line states.
  private static func check(
    _ count: Int, of name: String, _ stated: JSONValue?
  ) throws(LineFault) {
    guard stated != .integer(count) else { return }
    guard case .number(let number)? = stated else {
      throw LineFault(
        "the number \"segment_count\" of \(printable(name)) is missing: use --format jsonl")
    }
    let segments = number == "1" ? "1 segment" : "\(number) segments"
    throw LineFault(
      "the file has \(segments) of \(printable(name)), but \(counted(count, "line")) of them: "
        + (count == 0 ? "use --format jsonl" : "check that the file is complete"))
  }

  /// Checks that every file has its last line, so that none is cut off between two lines.
  private func checkHasAllLines() throws(LineFault) {
    guard let name = counts.keys.min() else { return }
    throw LineFault(
      "the last line of \(printable(name)) is missing, that of type \"file\": "
        + "check that the file is complete")
  }

  private mutating func take(config: JSONValue?) throws(LineFault) {
    if config?["invert"] == .bool(true) {
      throw LineFault("the segments are the silence: run vadmon analyze without --invert")
    }
    guard let given = config?["from_ms"], given != .null else { return }
    let bytes = Array(given.text.utf8)[...]
    guard let milliseconds = decimal(bytes), 0...(latestTime * 1000) ~= milliseconds else {
      throw LineFault(
        "from_ms cannot be \(quoted(bytes)): write ms from 0 to \(Int(latestTime * 1000))")
    }
    start = milliseconds / 1000
  }

  private static func fileName(of value: JSONValue) throws(LineFault) -> String {
    guard case .string(let name)? = value["file"] else {
      throw LineFault("the name \"file\" is missing: use --format json or jsonl")
    }
    return name
  }

  /// Returns the message of an error.
  private static func message(of error: JSONValue) -> String {
    guard case .string(let message)? = error["message"] else { return error.text }
    return message
  }

  /// Returns where the analysis of a file ended; `nil` if its length is not known.
  private func end(of file: JSONValue, _ name: String) throws(LineFault) -> Double? {
    guard let duration = file["duration"], duration != .null else { return nil }
    do throws(LineFault) {
      let seconds = try Self.time("duration", of: file)
      guard start + seconds <= latestTime else {
        throw LineFault("the end \(start + seconds) \(LineFault.tooLate)")
      }
      // What broke off at once has no result.
      return seconds == 0 && recordings.hasFailed(name) ? nil : start + seconds
    } catch {
      throw LineFault("\(printable(name)): \(error.message)")
    }
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
