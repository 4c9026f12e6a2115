/// The texts that mark a span in the formats that have no word for it. Readers recognise what writers write.
enum SpanLabels {
  /// Speech, in labels, subtitles and RTTM.
  static let speech = "speech"
  /// The silence between speech, if that was asked for: a label, a speaker in RTTM and a type.
  static let silence = "silence"
  /// Muted speech, in labels and subtitles.
  static let speakingWhileMuted = "speaking while muted"
  /// Muted speech, as the name of a speaker, a type or a member.
  static let mutedSpeech = "muted_speech"
  /// The other types of a ``SegmentTable``'s lines.
  static let (segment, gap) = ("segment", "gap")

  /// Returns whether a name or type is vadmon's own for something other than speech.
  static func isOther(_ name: String) -> Bool { [silence, mutedSpeech].contains(name) }

  /// Returns a label with the words for its channels, if there are any.
  static func named(_ label: String, _ channels: String?) -> String {
    label + (channels.map { " (\($0))" } ?? "")
  }

  /// Returns whether a text is a label of silence that vadmon has written.
  static func isSilence(_ text: String) -> Bool {
    text == silence || text.hasPrefix("\(silence) (channel")
  }
}

extension RunConfiguration {
  /// What labels, subtitles and RTTM call a segment.
  var segmentLabel: String { isInverted ? SpanLabels.silence : SpanLabels.speech }
  /// The type of a segment's line in a table.
  public var segmentType: String { isInverted ? SpanLabels.silence : SpanLabels.segment }
}
