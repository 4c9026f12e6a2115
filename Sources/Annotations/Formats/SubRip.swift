extension AnnotationFormat {
  /// SubRip subtitles: a number, the times with a decimal comma, the text and an empty line.
  public static let srt = AnnotationFormat(
    name: "srt", fileExtension: "srt", naming: .none,
    writer: { CueFormat { cue, number in cue.subtitle(number, decimalMark: ",") } },
    recognises: { _, input in !input.isWebVTT && CueReader.recognisesSRT(input.lines) },
    read: { [$0.name: CueReader.read($0.lines, .srt, $0.marks, faults: &$1)] })
}
