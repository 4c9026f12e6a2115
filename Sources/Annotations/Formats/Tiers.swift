/// One recording for a program that shows annotations in tiers, one below the other.
///
/// There is a tier for each analysed channel, also without speech, and below them one for each channel on which the
/// user speaks while muted.
struct TieredRecording {
  /// A row of spans of one kind, in order.
  struct Tier {
    /// What each span is: speech, silence, or speech while muted.
    var label: String
    /// The channel, from 1; `nil` if all channels were mixed or analysed together.
    var channel: Int?
    /// The spans, which do not overlap.
    var spans: [SpanRecord]

    /// The text with the channel, different for each tier.
    var name: String { SpanLabels.named(label, channel.map { "channel \($0)" }) }

    /// The text of a span. Channels that were analysed together share a tier, and are named here.
    func text(_ span: SpanRecord) -> String {
      SpanLabels.named(label, span.channels == nil ? nil : span.channelText)
    }
  }

  /// The name of the input; "-" is standard input.
  var file: String
  /// The end of what was analysed.
  var end: MediaTime
  /// The tiers, from the top.
  var tiers: [Tier]
}

/// A recording's speech in tiers. They are written when the recording has ended, because the formats begin with its
/// length.
struct TierFormat: RecordFormat {
  private let document: (TieredRecording) -> String
  private var run: RunConfiguration?
  private var segments: [SpanRecord] = []
  private var mutedSpeech: [SpanRecord] = []

  /// Creates a format from the text of a file.
  init(document: @escaping (TieredRecording) -> String) { self.document = document }

  mutating func begin(_ run: RunConfiguration, into text: inout String) { self.run = run }

  /// Keeps a span for the end, and appends the text once the recording has ended.
  mutating func write(_ record: Record, into text: inout String) {
    switch record {
    case .segment(let span): segments.append(span)
    case .mutedSpeech(let span): mutedSpeech.append(span)
    case .input, .gap, .error: break
    case .file(let file):
      let tiers =
        Self.tiers(segments, run?.segmentLabel ?? SpanLabels.speech, analysedChannels(file))
        + Self.tiers(mutedSpeech, SpanLabels.speakingWhileMuted, [])
      let end = (run?.start ?? .zero) + file.duration
      text += document(TieredRecording(file: file.file, end: end, tiers: tiers))
      (segments, mutedSpeech) = ([], [])
    }
  }

  /// Returns the analysed channels. `nil` stands for all of them.
  private func analysedChannels(_ file: FileRecord) -> [Int?] {
    let setting = run?.settings.first { $0.name == "channel" }?.json
    guard case .string(let selection)? = setting, !["mix", "any"].contains(selection) else {
      return [nil]
    }
    return Int(selection).map { [$0] } ?? (0..<file.analysedChannels).map { $0 + 1 }
  }

  /// Returns a tier for each of `channels`, and for each other channel that has spans.
  private static func tiers(
    _ spans: [SpanRecord], _ label: String, _ channels: [Int?]
  ) -> [TieredRecording.Tier] {
    let spans = Dictionary(grouping: spans, by: \.channel)
    return Set(channels).union(spans.keys).sorted { $0 ?? 0 < $1 ?? 0 }.map { channel in
      let ordered = (spans[channel] ?? []).sorted { $0.start < $1.start }
      return TieredRecording.Tier(label: label, channel: channel, spans: ordered)
    }
  }
}
