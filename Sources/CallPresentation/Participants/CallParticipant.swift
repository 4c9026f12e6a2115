public import VideoPause

/// The quality of a participant's network, as the media server reports it.
public enum ConnectionQuality: String, CaseIterable, Hashable, Sendable {
  /// A level, from poor to excellent; `unknown` until the server reports one.
  case unknown, poor, good, excellent
}

/// What a user interface knows about a participant of the call.
public struct CallParticipant: Identifiable, Hashable, Sendable {
  /// The participant's identifier.
  public let id: ParticipantID
  /// The participant's name, which may be empty; see ``displayName``.
  public var name: String
  /// Whether the participant is pinned, to be shown first.
  public var isPinned = false
  /// Whether the participant moderates the meeting.
  public var isModerator = false
  /// The quality of the participant's network, as the server reports it.
  public var connectionQuality = ConnectionQuality.unknown
  /// The types of the tracks that the participant sends, paused or not.
  public var publishedTracks: Set<TrackType> = []
  /// The types of the tracks that the server withholds from this subscriber because bandwidth is short.
  ///
  /// A track that is merely not visible is not among them.
  public var pausedTracks: Set<TrackType> = []
  /// The camera's track, once the client has one.
  public var track: StreamID?
  /// Whether the application wants the track drawn; it does not while the view is off screen.
  public var showsTrack = true
  /// The local participant's camera position; nil if it is not known.
  public var camera: CameraPosition?
  /// Whether the participant is speaking at present.
  public var isSpeaking = false
  /// When the participant joined.
  public var joinedAt = Timestamp.zero
  /// How long the participant has been the dominant speaker in total.
  public var dominantSpeakerTime = Duration.zero

  /// Creates a participant without tracks.
  public init(id: ParticipantID, name: String = "") {
    self.id = id
    self.name = name
  }

  /// Whether the participant sends camera video, paused or not.
  public var hasVideo: Bool { publishedTracks.contains(.video) }
  /// Whether the participant sends audio.
  public var hasAudio: Bool { publishedTracks.contains(.audio) }
  /// Whether the participant shares a screen.
  public var isScreenSharing: Bool { publishedTracks.contains(.screenShare) }

  /// The name shown under the picture: the name, or the id if the name is empty.
  public var displayName: String { name.isEmpty ? id.rawValue : name }

  /// Whether to draw the camera's picture. Otherwise the view shows a placeholder, never a frozen last frame.
  public var shouldDisplayTrack: Bool {
    hasVideo && showsTrack && track != nil && !PausedVideoIndicator.isShown(for: self)
  }
}

/// Indicates that a participant's camera is paused because bandwidth is short, as opposed to turned off.
public enum PausedVideoIndicator {
  /// The symbol for a tile without an information row.
  public static let symbol = Symbol.pausedVideo

  /// Returns whether the server withholds the camera's video.
  public static func isShown(for participant: CallParticipant) -> Bool {
    participant.pausedTracks.contains(.video)
  }
}
