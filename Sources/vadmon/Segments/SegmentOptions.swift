import Annotations
import ArgumentParser
import AudioInput
import RealTime

/// The flags that save what was cut out of recordings.
struct SegmentOptions: ParsableArguments {
  @Option(
    """
    Save each segment to DIR, sample for sample at its rate. analyze keeps all channels, or with --channel each the \
    segment's own; live saves what it listens to.
    """, value: "DIR", completion: .directory)
  var saveSegments: PathArgument?

  @Option(
    help: ArgumentHelp(
      """
      Name the files after TEXT: {stem} is the recording, or in live the time at which it began to listen; {index} is the \
      number of the segment, {start} and {start_ms} are where it begins, {channel} is its channel. (default: \(SegmentName.default.text))
      """, valueName: "TEXT"), transform: SegmentName.init(parsing:))
  var segmentName: SegmentName?

  @Option(
    help: """
      Format of the files: wav keeps integers and floats as they are; flac has integers of at most 24 bits, and clips \
      what is beyond full scale.
      """)
  var segmentFormat: SegmentFormat?

  @Option(
    """
    Fade each segment in and out over this length (default: 0ms; 5ms for --trim of analyze). Nothing is faded where \
    --split cut speech.
    """, value: "LENGTH", read: LengthArgument.init(parsing:))
  var fade: LengthArgument?
}

/// The formats of saved segments; WAV becomes RF64 where a recording is too long for it.
enum SegmentFormat: String, WordArgument {
  case wav, flac

  var container: SoundFileWriter.Container { self == .flac ? .flac : .wav }
}

extension SegmentOptions {
  /// - Parameter trim: The option for which `--fade` is as well; `nil` if the command has none.
  func validated(
    channel: ChannelSelection, trim: TrimOptions? = nil
  ) throws(RunError) -> SegmentSaving? {
    guard let saveSegments else {
      if let flag = firstGiven([
        "--segment-name": segmentName != nil, "--segment-format": segmentFormat != nil,
      ]) {
        throw RunError("\(flag) is for --save-segments: add --save-segments DIR")
      }
      guard fade != nil, trim?.trim == nil else { return nil }
      let (others, other) = trim == nil ? ("", "") : (" and --trim", ", or --trim FILE")
      throw RunError("--fade is for --save-segments\(others): add --save-segments DIR\(other)")
    }
    let name = segmentName ?? (channel == .each ? .perChannel : .default)
    if channel == .each, !name.has(.channel) {
      throw RunError(
        "--segment-name \(name.text) has no {channel}, but --channel each saves each apart: add it")
    }
    return SegmentSaving(
      folder: try saveSegments.folder(for: "--save-segments"), name: name,
      container: segmentFormat?.container ?? .wav,
      fade: fade?.length ?? .zero)
  }
}
