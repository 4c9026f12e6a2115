import Annotations
import AudioInput
import RealTime
import SystemPackage

/// The reading of all recordings, several at a time.
struct PosteriorReading {
  let channel: ChannelSelection
  let view: PosteriorTrack.View
  let jobs: Int
  let messages: Messages
  let progress: ProgressBar?

  /// Returns the tracks of the recordings, in their order. A recording that cannot be read to its end is an error,
  /// because what is missing would count as silence.
  func tracks(_ items: [LabelledRecordings.Item]) throws(RunError) -> [PosteriorTrack] {
    let results = Parallel.map(items.count, jobs: jobs) { index in
      defer { progress?.finish(input: index) }
      return Result { try track(items[index], index) }
    }
    var tracks: [PosteriorTrack] = []
    try RunError.collect(Array(zip(items, results))) { (item, result) throws(RunError) in
      do {
        tracks.append(try result.get())
      } catch {
        throw RunError(ErrorRecord(file: printable(item.file), error))
      }
    }
    return tracks
  }

  private func track(_ item: LabelledRecordings.Item, _ index: Int) throws -> PosteriorTrack {
    let source = try AudioFileSource(path: item.file, channels: channel, logger: nil)
    var frames: UInt64 = 0
    let track = try PosteriorTrack.read(source, for: view, labels: item.labels) { count in
      frames += UInt64(count)
      progress?.advance(input: index, source, by: count, to: frames)
    }
    for warning in source.warnings { messages.warning("\(printable(item.file)): \(warning)") }
    if let last = item.labels.map(\.end).max(), last - track.duration > 0.5 {
      messages.warning(
        "\(printable(item.file)): the labels reach \(fixed(last - track.duration, places: 2)) s past its end and are cut off there"
      )
    }
    return track
  }
}
