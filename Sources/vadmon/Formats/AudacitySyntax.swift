/// The syntax of Audacity label tracks: start, end and label separated by tabs, in seconds (Audacity manual, "Importing
/// and Exporting Labels").
struct AudacitySyntax: CueSyntax {
  let header = ""

  func cue(_ cue: Cue, number: Int) -> String {
    "\(cue.start.seconds)\t\(cue.end.seconds)\t\(cue.label)\n"
  }
}
