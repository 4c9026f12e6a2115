/// The syntax of Audacity label tracks: start, end and label separated by tabs, in seconds (Audacity manual, "Importing
/// and Exporting Labels").
public struct AudacitySyntax: CueSyntax {
  /// Creates the syntax.
  public init() {}

  /// Nothing: label tracks have no header.
  public let header = ""

  /// Returns one line.
  public func cue(_ cue: Cue, number: Int) -> String {
    "\(cue.start.seconds)\t\(cue.end.seconds)\t\(cue.label)\n"
  }
}

/// Audacity label tracks: start, end and label, in seconds, separated by tabs or spaces (Audacity manual, "Importing
/// and Exporting Labels").
///
/// Every label counts as speech, whatever its text, except vadmon's own `speaking while muted`, which repeats speech
/// and adds a hold. A label of zero length marks a point and is ignored.
enum AudacityLabels {
  static func read(_ lines: TextLines, faults: inout LineFaults) -> [LabelledSpan] {
    var spans: [LabelledSpan] = []
    for line in lines {
      do throws(LineFault) {
        if let span = try span(line) { spans.append(span) }
      } catch {
        faults.add(error, line: line.number)
      }
    }
    return spans
  }

  private static func span(_ line: TextLines.Line) throws(LineFault) -> LabelledSpan? {
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
    let isMuted = fields.dropFirst(2).starts(with: mutedSpeech) { $0.elementsEqual($1.utf8) }
    return isMuted ? nil : span
  }

  private static let mutedSpeech = SpanLabels.speakingWhileMuted.split(separator: " ")
}
