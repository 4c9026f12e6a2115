import Annotations
import AudioInput
import RealTime
import SystemPackage
import VoiceActivity
import VoiceMonitor

/// The files of `vadmon live --save-segments`, one for each segment that the monitor reports.
///
/// The sound comes through the recorder's ring, the segments through a ``LiveSegmentQueue``. The tap puts a block into
/// the ring before the monitor analyses it, so that the sound of a segment is here when it is saved, unless the disk
/// was too slow for it: then the segment waits for the gap that takes its place.
final class LiveSegments: RecordingSink {
  private let queue: LiveSegmentQueue
  private let files: SegmentFiles
  private var writer: CutWriter
  private let onSaved: @Sendable (SpeechCut, FilePath) -> Void
  /// The segments whose sound is not here yet.
  private var waiting: [SpeechCut] = []
  private var savedCount = 0

  private init(
    _ queue: LiveSegmentQueue, _ files: SegmentFiles, channelCount: Int, fade: UInt64,
    _ onSaved: @escaping @Sendable (SpeechCut, FilePath) -> Void
  ) {
    (self.queue, self.files, self.onSaved) = (queue, files, onSaved)
    writer = CutWriter(files, channelCount: channelCount, fade: fade)
  }

  /// Makes the folder, and starts a recorder. Throws an error if the first file could not be made, so that listening
  /// does not begin in vain.
  static func record(
    _ source: any PCMSource, canWait: Bool, _ saving: SegmentSaving, _ input: SegmentFiles.Input,
    _ queue: LiveSegmentQueue, onSaved: @escaping @Sendable (SpeechCut, FilePath) -> Void,
    onFailure: @escaping @Sendable (String) -> Void
  ) throws(RunError) -> (Recorder, RecordingTap) {
    let files = SegmentFiles(saving, input, goesOn: true) { path throws(OutputError) in
      try OutputFile(path: path, existing: .kept)
    }
    do throws(OutputError) {
      do { try input.folder.makeFolder() } catch { throw OutputError(folder: input.folder, error) }
      try files.checkFirst()
    } catch {
      if case .taken = error { throw RunError(error.reasonInLive) }
      throw RunError(error.reasonInLive, exitCode: error.exitCode)
    }
    let sink = LiveSegments(
      queue, files, channelCount: input.format.channelCount,
      fade: saving.fade.samples(rate: input.format.rate), onSaved)
    let words = Recorder.Words(
      subject: "the saving of segments to \(input.folder.nameAsInput)",
      remains: "the files that are complete are intact")
    do throws(Errno) {
      return try Recorder.record(
        source, canWait: canWait, to: sink, words, onFailure: onFailure)
    } catch {
      throw RunError(
        "cannot save segments: \(error.reasonForWriting)", exitCode: ExitStatus.inputOutput)
    }
  }

  func write(_ samples: Span<Float>) { writer.append(samples) }

  func writeSilence(_ count: UInt64) { writer.skip(count) }

  func save() throws(RecordingFailure) {
    // The snapshot comes first: one that is older than a segment taken counts fewer, and is not used.
    let snapshot = queue.snapshot
    waiting += try queue.take()
    while let cut = waiting.first, cut.end <= writer.end { try saveFirst(clippedTo: cut.end) }
    guard let snapshot, snapshot.segmentCount == savedCount else { return }
    try reporting { () throws(OutputError) in try writer.advance(snapshot.segmentBeginning) }
  }

  /// Saves what is here of the remaining segments.
  func finish() throws(RecordingFailure) {
    waiting += try queue.take()
    while !waiting.isEmpty { try saveFirst(clippedTo: writer.end) }
    queue.note(clipped: files.clippedCount)
  }

  private func saveFirst(clippedTo end: UInt64) throws(RecordingFailure) {
    var cut = waiting.removeFirst()
    savedCount += 1
    cut.end = min(cut.end, end)
    guard cut.start < cut.end else { return }
    try reporting { () throws(OutputError) in try writer.save(cut) }
    onSaved(cut, files.path)
  }

  private func reporting(_ body: () throws(OutputError) -> Void) throws(RecordingFailure) {
    do throws(OutputError) {
      try body()
    } catch {
      throw RecordingFailure(reason: error.reasonInLive)
    }
  }
}

/// The segments on their way from the main loop to the thread that saves them, and what comes back. Threads: any.
final class LiveSegmentQueue: Sendable {
  private struct State {
    var cuts: [SpeechCut] = []
    var hasLost = false
    var monitor: VoiceActivityMonitor?
    var clippedCount = 0
  }

  private let state = Guarded(State())

  /// Sets the monitor that reports the segments, and whose snapshot tells which sound is needed.
  func follow(_ monitor: VoiceActivityMonitor) { state.change { $0.monitor = monitor } }

  func put(_ cut: SpeechCut) { state.change { $0.cuts.append(cut) } }

  /// Notes that the monitor has dropped events, among which segments may have been.
  func lose() { state.change { $0.hasLost = true } }

  func take() throws(RecordingFailure) -> [SpeechCut] {
    let (cuts, hasLost) = state.change { state in
      defer { state.cuts = [] }
      return (state.cuts, state.hasLost)
    }
    if hasLost {
      throw RecordingFailure(reason: "this computer was too busy to report all segments")
    }
    return cuts
  }

  /// Notes how many samples are clipped in the files.
  func note(clipped count: Int) { state.change { $0.clippedCount = count } }

  /// The warning about clipped samples, once the last segment is saved; `nil` if there are none.
  var warning: String? { SegmentFiles.warning(clipped: state.change { $0.clippedCount }) }

  /// The monitor's snapshot; `nil` before there is a monitor.
  var snapshot: MonitorSnapshot? { state.change { $0.monitor }?.snapshot }
}

extension OutputError {
  /// The description. `vadmon live` has no `--force`.
  fileprivate var reasonInLive: String {
    guard case .taken(let name) = self else { return description }
    return "\(name) exists already: choose another folder, or a --segment-name with {index}"
  }
}
