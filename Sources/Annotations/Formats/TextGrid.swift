extension AnnotationFormat {
  /// Praat's TextGrids.
  public static let textGrid = AnnotationFormat(
    name: "textgrid", fileExtension: "TextGrid", naming: .none,
    writer: { TierFormat(document: TextGrid.document) },
    recognises: { line, _ in TextGridLabels.recognises(line) },
    read: { [$0.name: TextGridLabels.read($0.text, marks: $0.marks, faults: &$1)] })
}

/// A TextGrid as a text file, in its long form (Praat manual, "TextGrid file formats"). Each tier consists of intervals
/// that cover the whole recording; silence has an empty text.
///
/// Praat reads UTF-8.
private enum TextGrid {
  /// Returns the file's text.
  static func document(_ recording: TieredRecording) -> String {
    // A grid cannot end before its last interval does.
    let end = recording.tiers.flatMap(\.spans).map(\.end).reduce(recording.end, max)
    var text = "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\n"
    text += "xmin = 0\nxmax = \(end.seconds)\ntiers? <exists>\n"
    text += "size = \(recording.tiers.count)\nitem []:\n"
    for (index, tier) in recording.tiers.enumerated() {
      let intervals = intervals(of: tier, until: end)
      text += "    item [\(index + 1)]:\n        class = \"IntervalTier\"\n"
      text += "        name = \"\(tier.name)\"\n        xmin = 0\n        xmax = \(end.seconds)\n"
      text += "        intervals: size = \(intervals.count)\n"
      for (index, interval) in intervals.enumerated() {
        text += "        intervals [\(index + 1)]:\n            xmin = \(interval.start.seconds)\n"
        text += "            xmax = \(interval.end.seconds)\n"
        text += "            text = \"\(interval.label)\"\n"
      }
    }
    return text
  }

  /// Returns the tier's spans and the silence between them. No interval is empty, except that of an empty recording,
  /// for a tier must have one.
  private static func intervals(of tier: TieredRecording.Tier, until end: MediaTime) -> [Cue] {
    var intervals: [Cue] = []
    var position = MediaTime.zero
    for span in tier.spans where span.end > max(span.start, position) {
      let start = max(span.start, position)
      if start > position { intervals.append(Cue(start: position, end: start, label: "")) }
      intervals.append(Cue(start: start, end: span.end, label: tier.text(span)))
      position = span.end
    }
    if position < end || intervals.isEmpty {
      intervals.append(Cue(start: position, end: end, label: ""))
    }
    return intervals
  }
}

/// TextGrids, long or short (Praat manual, "TextGrid file formats"). Every interval with a text counts as speech on any
/// tier, except where the text is a silence mark or vadmon's own for muted speech. Points are ignored.
struct TextGridLabels {
  private var tokens: TextGridTokens
  private let marks: SilenceMarks
  private var (hasIntervals, hasPoints) = (false, false)

  static func recognises(_ line: TextLines.Line) -> Bool {
    // Very old files say "ooTextFile short".
    line.hasPrefix("File type = \"ooTextFile") || isBinary(line.bytes)
  }

  /// Returns whether a file begins as Praat's binary files do.
  static func isBinary(_ head: some Sequence<UInt8>) -> Bool {
    head.starts(with: "ooBinaryFile".utf8)
  }

  private init(_ text: PlainText, _ marks: SilenceMarks) {
    (tokens, self.marks) = (TextGridTokens(text), marks)
  }

  static func read(
    _ text: PlainText, marks: SilenceMarks, faults: inout LineFaults
  ) -> LabelledRecording {
    var reader = TextGridLabels(text, marks)
    do throws(LineFault) {
      if isBinary(text.bytes) { throw notText }
      return try reader.grid()
    } catch {
      faults.add(error, line: reader.tokens.line)
      return LabelledRecording(.spans([]))
    }
  }

  static let notText = LineFault(
    "this is not a text file of Praat: save it there with \"Save as text file\"")

  private mutating func grid() throws(LineFault) -> LabelledRecording {
    guard try tokens.string("the type of file").hasPrefix("ooTextFile") else { throw Self.notText }
    let kind = try tokens.string("the class")
    guard kind == "TextGrid" else {
      throw LineFault("the file holds a \(printable(kind)): save the TextGrid itself")
    }
    _ = try tokens.number("the start")
    let end = try seconds(tokens.number("the end"), "end")
    var spans: [LabelledSpan] = []
    if try tokens.hasContent() {
      for _ in 0..<(try tokens.count("tiers")) { spans += try tier() }
    }
    try tokens.end()
    var recording = LabelledRecording(.spans(spans), length: end)
    if hasPoints, !hasIntervals { recording.remarkPoints() }
    return recording
  }

  private mutating func tier() throws(LineFault) -> [LabelledSpan] {
    let kind = try tokens.string("the class of a tier")
    _ = try tokens.string("the name of a tier")
    _ = try tokens.number("the start of a tier")
    _ = try tokens.number("the end of a tier")
    switch kind {
    case "IntervalTier":
      hasIntervals = true
      var spans: [LabelledSpan] = []
      for _ in 0..<(try tokens.count("intervals")) {
        if let span = try interval() { spans.append(span) }
      }
      return spans
    case "TextTier":
      hasPoints = true
      for _ in 0..<(try tokens.count("points")) {
        _ = try tokens.number("the time of a point")
        _ = try tokens.string("the text of a point")
      }
      return []
    default:
      throw LineFault(
        "the class of tier \(quoted(Array(kind.utf8)[...])) is unknown: "
          + "write IntervalTier or TextTier")
    }
  }

  private mutating func interval() throws(LineFault) -> LabelledSpan? {
    let start = try seconds(tokens.number("the start of an interval"), "start")
    let end = try seconds(tokens.number("the end of an interval"), "end")
    let span = try LabelledSpan(start: start, end: end)
    let text = try tokens.string("the text of an interval")
    // Intervals cover the whole recording, so one without a text is silence.
    return text.allSatisfy(\.isWhitespace) || !marks.isSpeech(text.utf8) ? nil : span
  }
}
