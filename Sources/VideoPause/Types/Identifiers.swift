/// A participant of the call, named by the application.
///
/// Participants are ordered by name, so that every order that the coordinator makes is total and reproducible.
public struct ParticipantID: RawRepresentable, Hashable, Comparable, Sendable {
  /// The name.
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
  /// Creates the identifier of this name.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension ParticipantID: ExpressibleByStringLiteral, CustomStringConvertible {
  public init(stringLiteral value: String) { rawValue = value }
  public var description: String { rawValue }
}

/// What a track carries.
///
/// The type is open: a value that a newer peer sends is kept as it came and matches none of the constants.
public struct TrackType: RawRepresentable, Hashable, Comparable, Sendable {
  /// The value as peers send it.
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// A microphone.
  public static let audio = TrackType(rawValue: "audio")
  /// A camera.
  public static let video = TrackType(rawValue: "video")
  /// The picture of a shared screen.
  public static let screenShare = TrackType(rawValue: "screenShare")
  /// The sound of a shared screen.
  public static let screenShareAudio = TrackType(rawValue: "screenShareAudio")
  /// A type that matches none of the others.
  public static let unknown = TrackType(rawValue: "unknown")

  /// Whether the coordinator decides about tracks of this type. Audio is never paused, and unknown types are left
  /// alone.
  public var isVideo: Bool { self == .video || self == .screenShare }

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension TrackType: CustomStringConvertible {
  public var description: String { rawValue }
}

/// One incoming stream; a participant's camera and screen share are two streams.
///
/// A participant has at most one track of each type.
public struct StreamID: Hashable, Comparable, Sendable {
  /// The participant that sends it.
  public let participant: ParticipantID
  /// The type of the track.
  public let trackType: TrackType

  /// Creates the identifier of a participant's stream.
  public init(participant: ParticipantID, trackType: TrackType = .video) {
    self.participant = participant
    self.trackType = trackType
  }

  public static func < (a: Self, b: Self) -> Bool {
    a.participant == b.participant ? a.trackType < b.trackType : a.participant < b.participant
  }
}

extension StreamID: CustomStringConvertible {
  public var description: String { "\(participant)/\(trackType)" }
}
