/// A format of labels and results: everything that differs between formats.
///
/// Each format is described in one file, with its writer and reader, and named in ``all``.
public struct AnnotationFormat: Sendable {
  /// How a file names the recordings that it holds.
  public enum Naming: Sendable {
    /// Not at all: each file holds one recording.
    case none
    /// By ``RecordingName/fileID(_:)``, which must differ for each recording.
    case fileID
    /// By the name that the user wrote.
    case path
  }

  /// The name, in lower case.
  public let name: String
  /// The extension of its files.
  public let fileExtension: String
  /// How a file names its recordings.
  public let naming: Naming
  /// Returns a writer for one file.
  public let writer: @Sendable () -> any RecordFormat
  /// Whether the program that the format is for opens the recordings by the names in it.
  public internal(set) var opensRecordings = false
  /// Whether segments of several channels that overlap are one.
  public internal(set) var joinsChannels = false
  /// Returns the configuration by itself; `nil` if the format has no place for it.
  public internal(set) var configuration: (@Sendable (RunConfiguration) -> String)?
  /// Whether most files with its extension are something else.
  var hasOtherUses = false
  /// Returns whether a file with this first line is of the format.
  var recognises: @Sendable (TextLines.Line, LabelInput) -> Bool = { _, _ in false }
  /// Reads a file; `nil` if the format cannot be read.
  var read: (@Sendable (LabelInput, inout LineFaults) -> [String: LabelledRecording])?

  /// The formats, in the order in which the beginning of a file is compared with them. Much begins like a table, so
  /// tables come last.
  public static let all = [
    json, jsonl, fileJSONL, rttm, audacity, srt, vtt, textGrid, eaf, csv, tsv, clips, ffconcat,
  ]
}

extension AnnotationFormat {
  /// The extensions of files that may be labels or frames, in lower case.
  public static let endings = Set(all.filter { $0.read != nil }.map(\.ending))

  /// Those of them whose files are mostly something else.
  public static let endingsOfOtherUses = Set(all.filter(\.hasOtherUses).map(\.ending))

  private var ending: String { fileExtension.lowercased() }

  /// Returns what a file says about each recording, by the name of the recording.
  ///
  /// The beginning of the file determines its format. The extension of its name decides only where the beginning is
  /// none of a known format, so that the message for a broken file names what it should be, and whether cues without a
  /// header are SubRip or a WebVTT that lacks it.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file: UTF-8, or UTF-16 with a byte-order mark.
  ///   - name: The name of the recording where the format has none.
  ///   - ending: The extension of the file's name.
  ///   - marks: The labels that are not speech.
  public static func recordings(
    in bytes: [UInt8], name: String, ending: String, marks: SilenceMarks = SilenceMarks(),
    faults: inout LineFaults
  ) -> [String: LabelledRecording] {
    var input = LabelInput(
      text: PlainText(bytes), name: name, ending: ending.lowercased(), marks: marks)
    let format = recognised(input) ?? all.first { $0.ending == input.ending }
    guard let read = format?.read ?? audacity.read else { return [:] }
    var recordings = read(input, &faults)
    guard recordings.values.allSatisfy(\.track.isEmpty) else { return recordings }
    // Labels that mark no speech are not the same as no labels.
    input.marks = .none
    var ignored = LineFaults()
    for (name, recording) in read(input, &ignored) {
      recordings[name]?.hasOnlySilence = !recording.track.isEmpty
    }
    return recordings
  }

  private static func recognised(_ input: LabelInput) -> AnnotationFormat? {
    guard let line = input.lines.first(where: { !$0.isBlank }) else { return nil }
    return all.first { $0.recognises(line, input) }
  }
}

/// A file of labels or frames.
struct LabelInput {
  let text: PlainText
  /// The name of the recording where the format has none.
  let name: String
  /// The extension of the file's name, in lower case.
  let ending: String
  var marks: SilenceMarks

  /// Whether the file is named as a WebVTT.
  var isWebVTT: Bool { ending == AnnotationFormat.vtt.fileExtension }

  var lines: TextLines { TextLines(text) }
}
