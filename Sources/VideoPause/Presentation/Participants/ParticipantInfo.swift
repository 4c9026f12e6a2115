/// A picture that the platform draws, by its name in Apple's SF Symbols; elsewhere map the name to one of your own.
public struct Symbol: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// In the row of information: the participant is pinned.
  public static let pin = Symbol(rawValue: "pin.fill")
  /// In the row of information: the network is to blame.
  public static let weakNetwork = Symbol(rawValue: "wifi.slash")
  /// Alone on a tile.
  public static let pausedVideo = Symbol(rawValue: "video.slash.fill")
}

/// What the sound indicator shows.
public enum SoundState: Hashable, Sendable, CaseIterable {
  /// Turned off, on without speech, or speech.
  case muted, silent, speaking

  init(of participant: CallParticipant) {
    self = participant.hasAudio ? (participant.isSpeaking ? .speaking : .silent) : .muted
  }
}

/// The row under a participant's picture: `[pin] name [paused] sound`.
public struct ParticipantInfo: Hashable, Sendable {
  /// One thing in the row.
  public enum Item: Hashable, Sendable {
    /// A picture.
    case icon(Symbol)
    /// The participant's name.
    case name(String)
    /// The sound indicator.
    case sound(SoundState)
  }

  /// From left to right.
  public let items: [Item]
  /// Greatest height of an icon and of the sound indicator, in points.
  public let maxHeight: Double

  /// The row for a participant as they are now.
  public init(
    participant: CallParticipant, isPinned: Bool, maxHeight: Double = Metrics.iconMaxHeight
  ) {
    let pin = isPinned ? [Item.icon(.pin)] : []
    let paused = PausedVideoIndicator.isShown(for: participant) ? [Item.icon(.weakNetwork)] : []
    items =
      pin + [.name(participant.displayName)] + paused + [.sound(SoundState(of: participant))]
    self.maxHeight = maxHeight
  }

  /// Sizes in points.
  public enum Metrics {
    /// Of an icon and of the sound indicator.
    public static let iconMaxHeight = 14.0
    /// Of the whole row.
    public static let rowHeight = 28.0
    /// Between two things in the row.
    public static let itemSpacing = 4.0
    /// To the right of an icon, besides the spacing.
    public static let iconTrailingPadding = 4.0
    /// Around the row.
    public static let padding = 2.0
    /// To the left and right, besides the padding.
    public static let horizontalPadding = 4.0
    /// Of the top right corner; the other three are square.
    public static let topRightCornerRadius = 8.0
    /// A longer name is shrunk, then cut.
    public static let nameLineLimit = 1
    /// How far a long name may shrink before it is cut.
    public static let nameMinimumScale = 0.7
  }

  /// By which interface tests find the name.
  public static let nameAccessibilityIdentifier = "participantName"
}
