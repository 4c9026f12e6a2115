import Annotations
import AudioInput
import RealTime
import SystemPackage
import VoiceActivity

/// What is saved of one input: a file for each segment, and the recording without its silence.
///
/// The first failure ends saving. The analysis continues, and the failure is reported at the end of the input.
final class InputSaver {
  /// The writers of each analysis.
  private var writers: [[CutWriter]] = []
  private var segments: [SegmentFiles] = []
  private let trimmed: TrimmedRecording?
  private let isPerChannel: Bool
  private let isRounded: Bool
  private let replacesFiles: Bool
  private let files: ResultFiles
  /// Files that may pass for segments of this run.
  private var others: [FilePath] = []
  /// The file of the segment that was saved last; `nil` if it got none of its own.
  private(set) var newest: FilePath?
  private(set) var failure: OutputError?

  init(
    _ options: AnalyzeOptions, _ files: ResultFiles, _ input: Input, _ source: any RecordedSource,
    analysisCount: Int, _ interruption: Interruption
  ) throws(OutputError) {
    isPerChannel = options.channel == .each
    isRounded = source.exceedsFloats
    (replacesFiles, self.files) = (options.replacesFiles, files)
    let format = SoundFormat(source, channelCount: isPerChannel ? 1 : source.inputChannelCount)
    trimmed = try options.trimming.map { trimming throws(OutputError) in
      try TrimmedRecording(trimming, format, interruption)
    }
    for number in 1...analysisCount {
      var writers: [CutWriter] = []
      if let saving = options.saving, let (folder, stem) = files.segments(of: input) {
        let channel = isPerChannel ? number : nil
        let made = SegmentFiles(
          saving,
          SegmentFiles.Input(folder: folder, stem: stem, channel: channel, format: format)
        ) { path throws(OutputError) in
          try files.makeSegment(path, of: input, interruption: interruption)
        }
        segments.append(made)
        writers.append(Self.writer(made, format, saving.fade))
      }
      if let trimmed, let trimming = options.trimming {
        writers.append(Self.writer(trimmed, format, trimming.fade))
      }
      self.writers.append(writers)
    }
    // The sound begins with the part that is analysed.
    let start = options.part.startFrame(rate: format.rate)
    for channel in writers.indices {
      for index in writers[channel].indices { writers[channel][index].skip(start) }
    }
  }

  private static func writer(
    _ destination: any CutWriter.Destination, _ format: SoundFormat, _ fade: MediaTime
  ) -> CutWriter {
    CutWriter(
      destination, channelCount: format.channelCount, fade: fade.samples(rate: format.rate))
  }

  /// Takes the newest block, before it is analysed.
  func append(_ block: borrowing PCMBlock, of recording: SeparatedRecording) {
    for channel in writers.indices {
      for index in writers[channel].indices {
        writers[channel][index].skip(block.missingFrames)
        if isPerChannel {
          block.withSamples(ofChannel: channel) { writers[channel][index].append($0) }
        } else {
          writers[channel][index].append(recording.frames.span)
        }
      }
    }
  }

  /// Saves a segment of a channel, from 0, in the file ``newest``.
  func save(_ cut: SpeechCut, channel: Int) {
    attempt(channel) { writer throws(OutputError) in try writer.save(cut) }
    newest = failure == nil && !segments.isEmpty ? segments[channel].path : nil
  }

  /// Writes what is sure of the next segment, and forgets what none needs.
  func advance(_ beginning: Range<UInt64>, channel: Int) {
    attempt(channel) { writer throws(OutputError) in try writer.advance(beginning) }
  }

  /// What the user has to know of the files, one sentence each.
  var warnings: [String] {
    let clipped = SegmentFiles.warning(clipped: segments.reduce(0) { $0 + $1.clippedCount })
    return [
      failure == nil ? trimmed?.warning : nil, clipped, warningOfOthers,
      isRounded ? "its samples have more than 24 bits; what is saved is rounded to 24" : nil,
    ].compactMap(\.self)
  }

  /// Nobody knows whether an earlier run saved them or the user has given them such names.
  private var warningOfOthers: String? {
    guard let first = others.first else { return nil }
    let (subject, them) =
      others.count == 1
      ? ("\(printable(first)) has the name of a segment", "it")
      : (
        "\(printable(first)) and \(counted(others.count - 1, "more file")) have names of segments",
        "them"
      )
    return "\(subject), but this run did not save \(them): delete what an earlier run left"
  }

  /// Completes the recording without silence. Call it after the last segment.
  ///
  /// - Parameter duration: The length of the input if all of it was analysed; otherwise `nil`, and no file of an
  ///   earlier run counts as outdated.
  func finish(_ duration: MediaTime?) throws(OutputError) {
    if let failure { throw failure }
    try trimmed?.commit()
    guard let duration else { return }
    trimmed?.removeOld()
    guard replacesFiles else { return }
    others = segments.flatMap { $0.surplus(within: duration) }.filter { !files.isInUse($0) }
  }

  private func attempt(
    _ channel: Int, _ body: (inout CutWriter) throws(OutputError) -> Void
  ) {
    guard failure == nil else { return }
    do throws(OutputError) {
      for index in writers[channel].indices { try body(&writers[channel][index]) }
    } catch {
      failure = error
      EndingSignals.requestEnd(ifReaderHasGone: error)
      // Nothing is kept any more.
      for channel in writers.indices { writers[channel] = [] }
    }
  }
}
