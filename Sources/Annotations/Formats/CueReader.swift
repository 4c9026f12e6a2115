/// A reader of SubRip and WebVTT. Every cue counts as speech, except silence marks and vadmon's own for muted speech.
///
/// It finds cues where the parsers of both formats find them (W3C WebVTT §6.1, "collect a WebVTT block"; SubRip has no
/// standard): wherever the line of their times stands, also without an empty line before it, behind a header, or in a
/// block that begins like a comment. All else is text. What looks like the times of a cue and is not is a fault, so
/// that no cue is lost without a word.
///
/// X-TIMESTAMP-MAP (RFC 8216, 3.5) relates cue times to the clock of a stream. The beginning of the recording on that
/// clock stands in the stream alone, so times count as they are written, from 0, which a remark says.
struct CueReader {
  enum Dialect { case srt, vtt }

  private struct Cue {
    var span: LabelledSpan
    var text: [ArraySlice<UInt8>] = []
  }

  private let dialect: Dialect
  private let marks: SilenceMarks
  private var spans: [LabelledSpan] = []
  private var faults: LineFaults
  private var remarks: [String] = []
  /// The lines of the block that have been read, without those above its last cue, and whether it has a cue.
  private var block: [TextLines.Line] = []
  private var blockHasCue = false
  /// The cue whose text is being read.
  private var cue: Cue?
  /// The first text that belongs to no cue.
  private var stray: TextLines.Line?
  private var map: ArraySlice<UInt8>?

  static func isHeader(_ line: TextLines.Line) -> Bool {
    line.fields.first?.elementsEqual("WEBVTT".utf8) == true
  }

  /// Returns whether lines begin with the times of a cue, or with a number above them.
  static func recognisesSRT(_ lines: TextLines) -> Bool {
    let head = lines.lazy.filter { !$0.isBlank }.prefix(2)
    guard let first = head.first(where: { _ in true }) else { return false }
    return beginsWithTime(first) || first.isNumber && head.contains(where: beginsWithTime)
  }

  private static func beginsWithTime(_ line: TextLines.Line) -> Bool {
    CueTimes.areIn(line.bytes) && line.fields[0].contains(UInt8(ascii: ":"))
  }

  static func read(
    _ lines: TextLines, _ dialect: Dialect, _ marks: SilenceMarks, faults: inout LineFaults
  ) -> LabelledRecording {
    var reader = CueReader(dialect: dialect, marks: marks, faults: faults)
    reader.read(lines)
    faults = reader.faults
    return LabelledRecording(.spans(reader.spans), remarks: reader.remarks)
  }

  private init(dialect: Dialect, marks: SilenceMarks, faults: LineFaults) {
    (self.dialect, self.marks, self.faults) = (dialect, marks, faults)
  }

  private mutating func read(_ lines: TextLines) {
    if dialect == .vtt, lines.first(where: { !$0.isBlank }).map(Self.isHeader) != true {
      faults.add(LineFault("the line WEBVTT is missing: write it above the cues"), line: 1)
      return
    }
    for line in lines {
      if line.isBlank {
        endBlock()
      } else if isTimes(line) {
        begin(line)
      } else {
        add(line)
      }
    }
    endBlock()
    if let stray, spans.isEmpty, faults.isEmpty {
      faults.add(Self.noCue(stray), line: stray.number)
    }
  }

  /// Returns whether the line is that of a cue's times. An arrow without a time is, where a cue begins: on the first
  /// line of a block, or on the second below a number or, in WebVTT, any name.
  private func isTimes(_ line: TextLines.Line) -> Bool {
    if !blockHasCue, isComment(block.first ?? line) {
      return (try? CueTimes.span(line.bytes)) != nil
    }
    return CueTimes.areIn(line.bytes)
      || line.bytes.contains(CueTimes.arrow) && !blockHasCue && block.count < 2
        && (dialect == .vtt || block.allSatisfy(\.isNumber))
  }

  private func isComment(_ line: TextLines.Line) -> Bool {
    let words = ["NOTE", "STYLE", "REGION"]
    return dialect == .vtt && words.contains { line.fields[0].elementsEqual($0.utf8) }
  }

  private mutating func begin(_ line: TextLines.Line) {
    // What stands directly above the times is their number, not the text of the cue before.
    if block.last?.isNumber == true, cue?.text.isEmpty == false { cue?.text.removeLast() }
    endCue()
    (block, blockHasCue) = ([], true)
    do throws(LineFault) {
      cue = Cue(span: try CueTimes.span(line.bytes))
    } catch {
      faults.add(error, line: line.number)
    }
  }

  private mutating func add(_ line: TextLines.Line) {
    block.append(line)
    cue?.text.append(line.bytes)
    if dialect == .vtt, line.hasPrefix("X-TIMESTAMP-MAP"), Self.isHeader(block[0]) {
      add(map: line)
    }
  }

  private mutating func endCue() {
    guard let cue else { return }
    let text = String(decoding: Array(cue.text.joined(separator: " ".utf8)), as: UTF8.self)
    // A mark such as <sil> looks like a tag.
    if marks.isSpeech(text.utf8), marks.isSpeech(Self.shown(text).utf8) { spans.append(cue.span) }
    self.cue = nil
  }

  /// Returns a text without its tags, such as `<i>` and `<v Bob>`, and with its escapes replaced (W3C WebVTT §6.4).
  private static func shown(_ text: String) -> String {
    var shown = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
      shown += rest[..<start]
      rest = rest[end...].dropFirst()
    }
    let escapes = [("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", " "), ("&amp;", "&")]
    return escapes.reduce(shown + rest) { $0.replacing($1.0, with: $1.1) }
  }

  private mutating func endBlock() {
    endCue()
    if let first = block.first, !blockHasCue, !isComment(first), !Self.isHeader(first) {
      if block.count > 1, first.isNumber { faults.add(Self.noCue(first), line: first.number) }
      stray = stray ?? first
    }
    (block, blockHasCue) = ([], false)
  }

  private static func noCue(_ line: TextLines.Line) -> LineFault {
    LineFault(
      "\(quoted(line.bytes)) is not a cue: write its times, 00:00:01.500 --> 00:00:02.000, below "
        + "its number")
  }

  /// Remembers the map of a header. Segments of a stream that were joined are on one clock only if their maps are
  /// equal.
  private mutating func add(map line: TextLines.Line) {
    let nonzero = UInt8(ascii: "1")...UInt8(ascii: "9")
    if map == nil, line.bytes.contains(where: nonzero.contains) {
      remarks.append(
        "X-TIMESTAMP-MAP places its cues in a stream; without that stream, their times count as written"
      )
    }
    if let map, map != line.bytes {
      faults.add(
        LineFault("this X-TIMESTAMP-MAP differs from the one above: write a file for each segment"),
        line: line.number)
    }
    map = line.bytes
  }
}

extension TextLines.Line {
  /// Whether the line is a whole number.
  fileprivate var isNumber: Bool {
    let fields = fields
    return fields.count == 1 && fields[0].allSatisfy(isDigit)
  }
}
