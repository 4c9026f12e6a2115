private import Glibc

extension AnnotationFormat {
  /// The clip_timestamps of Whisper and faster-whisper: starts and ends in seconds, separated by commas. Without speech
  /// they name an empty clip, because an empty list stands for the whole recording. Segments that touch are clips of
  /// their own, so that none is longer than `--split` allows.
  public static let clips = AnnotationFormat(
    name: "clips", fileExtension: "clips", naming: .none,
    writer: {
      CutFormat(joinsTouching: false) { _, stretches in
        let clips = stretches.isEmpty ? [MediaTime.zero..<MediaTime.zero] : stretches
        return clips.map { "\($0.lowerBound.seconds),\($0.upperBound.seconds)" }
          .joined(separator: ",") + "\n"
      }
    }, joinsChannels: true)

  /// A script for FFmpeg's concat demuxer, which plays the speech of all recordings, one stretch after the other
  /// (FFmpeg Formats Documentation, "concat"). Names are absolute, because FFmpeg looks for others beside the script;
  /// times are those of the containers.
  public static let ffconcat = AnnotationFormat(
    name: "ffconcat", fileExtension: "ffconcat", naming: .path,
    writer: {
      let folder = currentFolder()
      return CutFormat(header: "ffconcat version 1.0\n") { file, stretches in
        let name = quotedForFFmpeg(file.file.hasPrefix("/") ? file.file : folder + file.file)
        func place(_ time: MediaTime) -> String { placeForFFmpeg(time, in: file) }
        return stretches.map {
          "file \(name)\ninpoint \(place($0.lowerBound))\noutpoint \(place($0.upperBound))\n"
        }.joined()
      }
    }, opensRecordings: true, joinsChannels: true)
}

/// The speech of recordings as stretches in order that do not overlap, for programs that cut. Segments of several
/// channels that overlap are one stretch; muted speech is within them.
struct CutFormat: RecordFormat {
  private let header: String
  private let joinsTouching: Bool
  private let text: (_ file: FileRecord, _ stretches: [Range<MediaTime>]) -> String
  private var segments: [Range<MediaTime>] = []

  /// Creates a format from the text at the beginning of the file and that of a recording.
  init(
    header: String = "", joinsTouching: Bool = true,
    text: @escaping (_ file: FileRecord, _ stretches: [Range<MediaTime>]) -> String
  ) {
    (self.header, self.joinsTouching, self.text) = (header, joinsTouching, text)
  }

  mutating func begin(_ run: RunConfiguration, into text: inout String) { text += header }

  /// Keeps a segment until its recording has ended.
  mutating func write(_ record: Record, into text: inout String) {
    switch record {
    case .segment(let span): segments.append(span.start..<span.end)
    case .file(let file):
      text += self.text(file, joined())
      segments = []
    case .input, .mutedSpeech, .gap, .error: break
    }
  }

  private func joined() -> [Range<MediaTime>] {
    var stretches: [Range<MediaTime>] = []
    for segment in segments.sorted(by: { $0.lowerBound < $1.lowerBound }) where !segment.isEmpty {
      if let last = stretches.last,
        segment.lowerBound < last.upperBound
          || (joinsTouching && segment.lowerBound == last.upperBound)
      {
        let end = max(last.upperBound, segment.upperBound)
        stretches[stretches.count - 1] = last.lowerBound..<end
      } else {
        stretches.append(segment)
      }
    }
    return stretches
  }
}

/// Returns a string as FFmpeg's scripts quote it: a quote within is written outside of the quotes.
private func quotedForFFmpeg(_ text: String) -> String {
  "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
    + "'"
}

/// Returns a time in seconds as the container of a recording counts it.
private func placeForFFmpeg(_ time: MediaTime, in file: FileRecord) -> String {
  guard file.containerStart != 0 else { return time.seconds }
  return fixed(file.containerStart + Double(time.milliseconds) / 1000, places: 6)
}

/// Returns the current folder with a slash at the end; nothing if it has been removed.
private func currentFolder() -> String {
  guard let folder = getcwd(nil, 0) else { return "" }
  defer { free(folder) }
  let path = String(cString: folder)
  return path.hasSuffix("/") ? path : path + "/"
}
