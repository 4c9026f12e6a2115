/// The texts that mark a span in the formats that have no word for it. Readers recognise what writers write.
enum SpanLabels {
  /// Speech, in labels, subtitles and RTTM.
  static let speech = "speech"
  /// Muted speech, in labels and subtitles.
  static let speakingWhileMuted = "speaking while muted"
  /// Muted speech, as the name of a speaker, a type or a member.
  static let mutedSpeech = "muted_speech"
  /// The other types of a ``SegmentTable``'s lines.
  static let (segment, gap) = ("segment", "gap")

  /// Returns a label with the words for its channels, if there are any.
  static func named(_ label: String, _ channels: String?) -> String {
    label + (channels.map { " (\($0))" } ?? "")
  }
}
