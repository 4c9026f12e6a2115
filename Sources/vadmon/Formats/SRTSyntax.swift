/// SubRip subtitles: a number, the times with a decimal comma, the text and an empty line.
struct SRTSyntax: CueSyntax {
  let header = ""

  func cue(_ cue: Cue, number: Int) -> String {
    let start = cue.start.timecode(decimalMark: ",")
    return "\(number)\n\(start) --> \(cue.end.timecode(decimalMark: ","))\n\(cue.label)\n\n"
  }
}
