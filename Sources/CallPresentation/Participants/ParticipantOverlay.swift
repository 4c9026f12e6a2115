/// An optional addition to a participant's tile.
public enum VideoCallParticipantDecoration: CaseIterable, Hashable, Sendable {
  /// The menu of actions on a participant.
  case options
  /// A frame around the tile of a participant who is speaking.
  case speaking
}

/// What lies over a participant's picture, and the frame to which both are clipped.
public struct ParticipantOverlay: Hashable, Sendable {
  /// The corner radius of the tile, in points.
  public static let cornerRadius = 16.0

  /// The information row, in the bottom left corner.
  public let info: ParticipantInfo
  /// The connection indicator in the bottom right corner; nil for none.
  public let connectionQuality: ConnectionQuality?
  /// The decorations to draw.
  public let decorations: Set<VideoCallParticipantDecoration>
  /// The number of participants in the call; 0 without a call.
  public let participantCount: Int
  /// The size that the picture fills and is clipped to: the available width, and the height that the ratio gives.
  public let size: ViewSize
  private let isSpeaking: Bool

  /// Creates the overlay of a participant's present state.
  ///
  /// - Parameters:
  ///   - call: the call, or nil if there is none, as in a preview.
  ///   - ratio: width ÷ height of the tile. If it is not positive and finite, the available height is used.
  ///   - showAllInfo: whether to add the connection quality.
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

  /// Whether to draw the button with the participant's options.
  public var showsOptions: Bool { decorations.contains(.options) }

  /// Whether to draw the speaker's frame. It is not drawn for a participant who is alone in the call.
  public var showsSpeaking: Bool {
    decorations.contains(.speaking) && isSpeaking && participantCount > 1
  }
}
