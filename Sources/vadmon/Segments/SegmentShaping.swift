import Annotations
import VoiceActivity

/// The checked options that shape segments.
struct SegmentShaping: Sendable, Hashable {
  var pad = MediaTime.zero
  var minSpeech = MediaTime.zero
  var minSilence = MediaTime.zero
  /// The longest segment; `nil` if segments may have any length.
  var split: MediaTime?

  /// What `analyze` does without options.
  static let standard = SegmentShaping(minSilence: MediaTime(milliseconds: 200))

  /// The shortest that `split` may be beside the padding.
  var shortestSplit: MediaTime { MediaTime(rules.shortestMaxLength) }

  var rules: SpeechCutter.Rules {
    SpeechCutter.Rules(
      minSilence: minSilence.duration, minSpeech: minSpeech.duration,
      maxLength: split?.duration, padBefore: pad.duration, padAfter: pad.duration)
  }
}
