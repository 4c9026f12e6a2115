import Annotations

/// The totals of a run over several inputs.
struct RunTotal {
  private var recordings = 0
  private var failures = 0
  private var silentVideos = 0
  private var segmentCount = 0
  private var speech = MediaTime.zero
  private var whole = MediaTime.zero
  /// Whether channels of a recording count each.
  private var hasChannels = false
  private let isInverted: Bool

  init(isInverted: Bool = false) { self.isInverted = isInverted }

  mutating func add(_ record: Record) {
    switch record {
    case .error(let error) where !error.isInterruption: failures += 1
    case .file(let file):
      recordings += 1
      segmentCount += file.segmentCount
      speech += file.speech
      whole += file.analysedLength
      hasChannels = hasChannels || file.analysedChannels > 1
    default: break
    }
  }

  /// Counts a video in a folder that has no sound and was passed over.
  mutating func addSilentVideo() { silentVideos += 1 }

  /// A sentence such as `speech 1:02.345 of 10:02.000 (10.4 %) in 35 segments of 4 recordings, 1 error, 1 video without
  /// sound`; `nil` if it would repeat the summary of a single input.
  var sentence: String? {
    guard recordings > 1 || recordings + failures > 1 || silentVideos > 0 else { return nil }
    let length = whole.clock + (hasChannels ? " in all channels" : "")
    let found = speechText(
      speech, of: whole, as: length, beside: segmentCount, isInverted: isInverted)
    let parts = [
      recordings == 0
        ? "no recordings" : "\(found) of \(counted(recordings, "recording"))",
      failures == 0 ? nil : counted(failures, "error"),
      silentVideos == 0
        ? nil : counted(silentVideos, "video without sound", "videos without sound"),
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}

extension FileRecord {
  /// The length of all channels that were analysed by themselves.
  var analysedLength: MediaTime {
    MediaTime(milliseconds: duration.milliseconds * UInt64(analysedChannels))
  }
}

/// Returns text such as `speech 0:03.970 of 0:10.000 (39.7 %) in 3 segments`, or `…, 4 silences`, in which `length` is
/// how the whole is written.
func speechText(
  _ speech: MediaTime, of whole: MediaTime, as length: String, beside segmentCount: Int,
  isInverted: Bool
) -> String {
  var text = "speech \(speech.clock) of \(length)"
  if whole > .zero {
    let permille = (speech.milliseconds * 1000 + whole.milliseconds / 2) / whole.milliseconds
    text += " (\(permille / 10).\(permille % 10) %)"
  }
  let (lead, noun) = isInverted ? (", ", "silence") : (" in ", "segment")
  return text + lead + counted(segmentCount, noun)
}
