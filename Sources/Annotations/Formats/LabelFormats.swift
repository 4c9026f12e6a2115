/// The formats of labels and frames, recognised by the first line that is not blank.
public enum LabelFormats {
  /// Returns the tracks of a file, by the name of the recording.
  ///
  /// - Parameters:
  ///   - name: The name of the recording where the format has none.
  ///   - isCSV: Whether the file's name says that it is comma-separated values.
  public static func tracks(
    in bytes: [UInt8], name: String, isCSV: Bool, faults: inout LineFaults
  ) -> [String: LabelTrack] {
    let lines = TextLines(bytes)
    guard let first = lines.first(where: { !$0.isBlank }) else {
      if isCSV {
        faults.add(
          LineFault(
            "the header is missing: write start,end, or time,probability,speech above frames"),
          line: 1)
      }
      return [:]
    }
    if RTTMLabels.recognises(first) {
      return RTTMLabels.read(lines, faults: &faults).mapValues(LabelTrack.spans)
    }
    if first.number == 1, FrameTableReader.recognises(first) {
      return [name: .frames(FrameTableReader.read(lines, faults: &faults))]
    }
    if isCSV || isHeader(first) {
      return SegmentTable.read(bytes, name: name, faults: &faults).mapValues(LabelTrack.spans)
    }
    return [name: .spans(AudacityLabels.read(lines, faults: &faults))]
  }

  /// Returns whether the line is a CSV header: it has a comma before the first space and no tab, so it is not a label
  /// with a comma in its text.
  private static func isHeader(_ line: TextLines.Line) -> Bool {
    !line.bytes.contains(UInt8(ascii: "\t"))
      && line.fields.first?.contains(UInt8(ascii: ",")) == true
  }
}
