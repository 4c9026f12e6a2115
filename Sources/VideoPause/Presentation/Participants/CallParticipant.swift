/// How good a participant's network is, as the media server tells.
public enum ConnectionQuality: String, CaseIterable, Hashable, Sendable {
  /// A step, the better the later; `unknown` until the server tells.
  case unknown, poor, good, excellent
}

/// What a user interface knows of somebody in the call.
public struct CallParticipant: Identifiable, Hashable, Sendable {
  public let id: ParticipantID
  /// May be empty; see ``displayName``.
  public var name: String
  /// Somebody wants to see them first.
  public var isPinned = false
  /// They moderate the meeting.
  public var isModerator = false
  /// Of their network, as the server tells.
  public var connectionQuality = ConnectionQuality.unknown
  /// What the participant sends, paused or not.
  public var publishedTracks: Set<TrackType> = []
  /// What the server holds back from this subscriber for want of bandwidth. A track that is merely not visible is
  /// not among them.
  public var pausedTracks: Set<TrackType> = []
  /// The camera's track, once the client has one.
  public var track: StreamID?
  /// Whether the application wants the track drawn; it does not while the view is off screen.
  public var showsTrack = true
  /// The local participant's; `nil` if it is not known.
  public var camera: CameraPosition?
  /// They are heard at present.
  public var isSpeaking = false
  /// When they came.
  public var joinedAt = Timestamp.zero
  /// How long the participant was the dominant speaker, in all.
  public var dominantSpeakerTime = Duration.zero

  /// Somebody without tracks.
  public init(id: ParticipantID, name: String = "") {
    self.id = id
    self.name = name
  }

  /// They send a camera's picture, paused or not.
  public var hasVideo: Bool { publishedTracks.contains(.video) }
  /// They send sound.
  public var hasAudio: Bool { publishedTracks.contains(.audio) }
  /// They share a screen.
  public var isScreenSharing: Bool { publishedTracks.contains(.screenShare) }

  /// What is written under the picture: the name, or the id if there is none.
  public var displayName: String { name.isEmpty ? id.rawValue : name }

  /// Whether the camera's picture is drawn. If not, a placeholder stands there: never a frozen last frame.
  public var shouldDisplayTrack: Bool {
    hasVideo && showsTrack && track != nil && !PausedVideoIndicator.isShown(for: self)
  }
}

/// Tells that a participant's camera is paused for want of bandwidth, as opposed to turned off.
public enum PausedVideoIndicator {
  /// Alone on a tile, where there is no row of information.
  public static let symbol = Symbol.pausedVideo

  /// Whether the server holds the camera back.
  public static func isShown(for participant: CallParticipant) -> Bool {
    participant.pausedTracks.contains(.video)
  }
}
