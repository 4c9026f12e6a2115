/// SubRip subtitles: a number, the times with a decimal comma, the text and an empty line.
public struct SRTSyntax: CueSyntax {
  public init() {}

  public let header = ""

  public func cue(_ cue: Cue, number: Int) -> String {
    let start = cue.start.timecode(decimalMark: ",")
    return "\(number)\n\(start) --> \(cue.end.timecode(decimalMark: ","))\n\(cue.label)\n\n"
  }
}

/// Web Video Text Tracks (W3C WebVTT §4): a signature line, then cues with an identifier, the times with a decimal
/// point, the text and an empty line.
public struct VTTSyntax: CueSyntax {
  public init() {}

  public let header = "WEBVTT\n\n"

  public func cue(_ cue: Cue, number: Int) -> String {
    let start = cue.start.timecode(decimalMark: ".")
    return "\(number)\n\(start) --> \(cue.end.timecode(decimalMark: "."))\n\(cue.label)\n\n"
  }
}
