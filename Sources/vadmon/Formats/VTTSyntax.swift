/// Web Video Text Tracks (W3C WebVTT §4): a signature line, then cues with an identifier, the times with a decimal
/// point, the text and an empty line.
struct VTTSyntax: CueSyntax {
  let header = "WEBVTT\n\n"

  func cue(_ cue: Cue, number: Int) -> String {
    let start = cue.start.timecode(decimalMark: ".")
    return "\(number)\n\(start) --> \(cue.end.timecode(decimalMark: "."))\n\(cue.label)\n\n"
  }
}
