/// The formats of labels and frames.
///
/// A format is recognised by its beginning. The extension of the file's name decides only where the beginning is none of
/// a known format, so that the message for a broken file names what it should be.
public enum LabelFormats {
  private enum Format {
    case rttm, frames, vtt, srt, textGrid, eaf, json, jsonLines, audacity
    case table(TableSeparator)
  }

  /// The extensions of files that may be labels or frames, in lower case.
  public static let endings: Set = [
    "txt", "rttm", "csv", "tsv", "srt", "vtt", "textgrid", "eaf", "json", "jsonl",
  ]

  /// Returns the tracks of a file, by the name of the recording.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file: UTF-8, or UTF-16 with a byte-order mark.
  ///   - name: The name of the recording where the format has none.
  ///   - ending: The extension of the file's name.
  public static func tracks(
    in bytes: [UInt8], name: String, ending: String, faults: inout LineFaults
  ) -> [String: LabelTrack] {
    let bytes = utf8(bytes)
    let lines = TextLines(bytes)
    switch recognised(lines) ?? format(ending: ending.lowercased()) {
    case .frames: return [name: .frames(FrameTableReader.read(lines, faults: &faults))]
    case .rttm: return RTTMLabels.read(lines, faults: &faults).mapValues(LabelTrack.spans)
    case .table(let separator):
      return SegmentTable.read(bytes, separator, name: name, faults: &faults)
        .mapValues(LabelTrack.spans)
    case .json: return JSONLabels.read(bytes, faults: &faults).mapValues(LabelTrack.spans)
    case .jsonLines: return JSONLabels.readLines(lines, faults: &faults).mapValues(LabelTrack.spans)
    case .vtt: return [name: .spans(SubtitleLabels.readVTT(lines, faults: &faults))]
    case .srt: return [name: .spans(SubtitleLabels.readSRT(lines, faults: &faults))]
    case .textGrid: return [name: .spans(TextGridLabels.read(bytes, faults: &faults))]
    case .eaf: return [name: .spans(EAFLabels.read(bytes, faults: &faults))]
    case .audacity: return [name: .spans(AudacityLabels.read(lines, faults: &faults))]
    }
  }

  /// Returns the format that the beginning shows. Audacity's labels show nothing.
  private static func recognised(_ lines: TextLines) -> Format? {
    guard let first = lines.first(where: { !$0.isBlank }) else { return nil }
    if RTTMLabels.recognises(first) { return .rttm }
    if first.number == 1, FrameTableReader.recognises(first) { return .frames }
    if SubtitleLabels.recognisesVTT(first) { return .vtt }
    if SubtitleLabels.recognisesSRT(lines) { return .srt }
    if TextGridLabels.recognises(first) { return .textGrid }
    if EAFLabels.recognises(first) { return .eaf }
    if first.hasPrefix("{") { return JSONLabels.isRecord(first) ? .jsonLines : .json }
    return SegmentTable.separator(ofHeader: first).map(Format.table)
  }

  private static func format(ending: String) -> Format {
    switch ending {
    case "csv": .table(.comma)
    case "tsv": .table(.tab)
    case "vtt": .vtt
    case "textgrid": .textGrid
    case "eaf": .eaf
    case "json": .json
    default: .audacity
    }
  }
}

/// Returns text with a byte-order mark of UTF-16, which Praat and Windows programs write, as UTF-8.
private func utf8(_ bytes: [UInt8]) -> [UInt8] {
  let isBigEndian = bytes.starts(with: [0xFE, 0xFF])
  guard isBigEndian || bytes.starts(with: [0xFF, 0xFE]) else { return bytes }
  let (high, low) = isBigEndian ? (0, 1) : (1, 0)
  let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
    UInt16(bytes[index + high]) << 8 | UInt16(bytes[index + low])
  }
  return Array(String(decoding: units, as: UTF16.self).utf8)
}
