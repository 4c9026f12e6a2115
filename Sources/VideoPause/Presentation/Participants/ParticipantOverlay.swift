/// What may be added to a participant's tile.
public enum VideoCallParticipantDecoration: CaseIterable, Hashable, Sendable {
  /// The menu of what can be done with a participant.
  case options
  /// A frame round whoever speaks.
  case speaking
}

/// What lies over a participant's picture, and the frame in which both are cut.
public struct ParticipantOverlay: Hashable, Sendable {
  /// Round the tile, in points.
  public static let cornerRadius = 16.0

  /// In the bottom left corner.
  public let info: ParticipantInfo
  /// In the bottom right corner; `nil`: no indicator.
  public let connectionQuality: ConnectionQuality?
  /// What else is drawn.
  public let decorations: Set<VideoCallParticipantDecoration>
  /// In the call; 0 without one.
  public let participantCount: Int
  /// What the picture fills, and is clipped to: the width that is available, and the height that goes with it.
  public let size: ViewSize
  private let isSpeaking: Bool

  /// - Parameters:
  ///   - call: `nil` if there is none, as in a preview.
  ///   - ratio: width ÷ height of the tile. One that is not positive and finite leaves the available height.
  ///   - showAllInfo: adds the connection quality.
  public init(
    participant: CallParticipant, call: CallState?, availableFrame: Rectangle, ratio: Double,
    showAllInfo: Bool,
    decorations: [VideoCallParticipantDecoration] = VideoCallParticipantDecoration.allCases
  ) {
    info = ParticipantInfo(participant: participant, isPinned: participant.isPinned)
    connectionQuality = showAllInfo ? participant.connectionQuality : nil
    self.decorations = Set(decorations)
    participantCount = call?.participants.participants.count ?? 0
    let isRatio = ratio > 0 && ratio.isFinite
    size = ViewSize(
      width: availableFrame.width,
      height: isRatio ? availableFrame.width / ratio : availableFrame.height)
    isSpeaking = participant.isSpeaking
  }

  /// Whether the button with the participant's options is drawn.
  public var showsOptions: Bool { decorations.contains(.options) }

  /// Whether the frame of the speaker is drawn. Alone in a call, nobody needs to be told who speaks.
  public var showsSpeaking: Bool {
    decorations.contains(.speaking) && isSpeaking && participantCount > 1
  }
}
