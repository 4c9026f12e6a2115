import Annotations

/// Reads a label file of the recording `a`. Returns the sentences of the faults too.
func readLabels(
  _ bytes: some Sequence<UInt8>, ending: String = "txt", marks: SilenceMarks = SilenceMarks()
) -> (recordings: [String: LabelledRecording], faults: [String]) {
  var faults = LineFaults()
  let recordings = AnnotationFormat.recordings(
    in: Array(bytes), name: "a", ending: ending, marks: marks, faults: &faults)
  return (recordings, faults.sentences("a"))
}

/// Returns the times of the only recording; `nil` if there are faults, or other recordings.
func times(
  _ text: String, ending: String = "txt", marks: SilenceMarks = SilenceMarks(), name: String = "a"
) -> [[Double]]? {
  let (recordings, faults) = readLabels(text.utf8, ending: ending, marks: marks)
  guard faults.isEmpty, recordings.count == 1, case .spans(let spans)? = recordings[name]?.track
  else { return nil }
  return spans.map { [$0.start, $0.end] }
}
