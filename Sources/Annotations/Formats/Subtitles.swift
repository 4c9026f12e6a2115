/// SubRip subtitles: a number, the times with a decimal comma, the text and an empty line.
public struct SRTSyntax: CueSyntax {
  /// Creates the syntax.
  public init() {}

  /// Nothing: SubRip has no header.
  public let header = ""

  /// Returns a cue.
  public func cue(_ cue: Cue, number: Int) -> String {
    let start = cue.start.timecode(decimalMark: ",")
    return "\(number)\n\(start) --> \(cue.end.timecode(decimalMark: ","))\n\(cue.label)\n\n"
  }
}

/// Web Video Text Tracks (W3C WebVTT §4): a signature line, then cues with an identifier, the times with a decimal
/// point, the text and an empty line.
public struct VTTSyntax: CueSyntax {
  /// Creates the syntax.
  public init() {}

  /// The signature.
  public let header = "WEBVTT\n\n"

  /// Returns a cue.
  public func cue(_ cue: Cue, number: Int) -> String {
    let start = cue.start.timecode(decimalMark: ".")
    return "\(number)\n\(start) --> \(cue.end.timecode(decimalMark: "."))\n\(cue.label)\n\n"
  }
}
