extension AnnotationFormat {
  /// Web Video Text Tracks (W3C WebVTT §4): a signature line, then cues with an identifier, the times with a decimal
  /// point, the text and an empty line.
  public static let vtt = AnnotationFormat(
    name: "vtt", fileExtension: "vtt", naming: .none,
    writer: {
      CueFormat(header: "WEBVTT\n\n") { cue, number in cue.subtitle(number, decimalMark: ".") }
    },
    recognises: { line, input in
      CueReader.isHeader(line) || input.isWebVTT && CueReader.recognisesSRT(input.lines)
    },
    read: { [$0.name: CueReader.read($0.lines, .vtt, $0.marks, faults: &$1)] })
}
