/// An icon that the platform draws, named as in Apple's SF Symbols; on other platforms, map the name to an icon of your
/// own.
public struct Symbol: RawRepresentable, Hashable, Sendable {
  /// The name in SF Symbols.
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// The participant is pinned; for the information row.
  public static let pin = Symbol(rawValue: "pin.fill")
  /// The network does not carry the video; for the information row.
  public static let weakNetwork = Symbol(rawValue: "wifi.slash")
  /// The video is paused; for a tile without an information row.
  public static let pausedVideo = Symbol(rawValue: "video.slash.fill")
}

/// What the sound indicator shows.
public enum SoundState: Hashable, Sendable, CaseIterable {
  /// Microphone off, microphone on without speech, or speech.
  case muted, silent, speaking

  init(of participant: CallParticipant) {
    self = participant.hasAudio ? (participant.isSpeaking ? .speaking : .silent) : .muted
  }
}

/// The information row under a participant's picture: `[pin] name [paused] sound`.
public struct ParticipantInfo: Hashable, Sendable {
  /// One item of the row.
  public enum Item: Hashable, Sendable {
    /// An icon.
    case icon(Symbol)
    /// The participant's name.
    case name(String)
    /// The sound indicator.
    case sound(SoundState)
  }

  /// The items from left to right.
  public let items: [Item]
  /// The maximum height of an icon and of the sound indicator, in points.
  public let maxHeight: Double

  /// Creates the row for a participant's present state.
  public init(
    participant: CallParticipant, isPinned: Bool, maxHeight: Double = Metrics.iconMaxHeight
  ) {
    let pin = isPinned ? [Item.icon(.pin)] : []
    let paused = PausedVideoIndicator.isShown(for: participant) ? [Item.icon(.weakNetwork)] : []
    items =
      pin + [.name(participant.displayName)] + paused + [.sound(SoundState(of: participant))]
    self.maxHeight = maxHeight
  }

  /// The sizes of the row, in points.
  public enum Metrics {
    /// The maximum height of an icon and of the sound indicator.
    public static let iconMaxHeight = 14.0
    /// The height of the whole row.
    public static let rowHeight = 28.0
    /// The space between two items.
    public static let itemSpacing = 4.0
    /// The padding to the right of an icon, in addition to the spacing.
    public static let iconTrailingPadding = 4.0
    /// The padding around the row.
    public static let padding = 2.0
    /// The padding to the left and right, in addition to `padding`.
    public static let horizontalPadding = 4.0
    /// The radius of the top right corner; the other three corners are square.
    public static let topRightCornerRadius = 8.0
    /// The number of lines for the name; a longer name is shrunk, then truncated.
    public static let nameLineLimit = 1
    /// The smallest scale to which a long name shrinks before it is truncated.
    public static let nameMinimumScale = 0.7
  }

  /// The identifier by which interface tests find the name.
  public static let nameAccessibilityIdentifier = "participantName"
}
