/// A participant of the call, as the application names it. Ordered by the name, so that every order that the
/// coordinator makes is total and the same on each run.
public struct ParticipantID: RawRepresentable, Hashable, Comparable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
  /// The participant of this name.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension ParticipantID: ExpressibleByStringLiteral, CustomStringConvertible {
  public init(stringLiteral value: String) { rawValue = value }
  public var description: String { rawValue }
}

/// What a track carries. Open: a value that a newer peer sends is kept as it came and matches none of ours.
public struct TrackType: RawRepresentable, Hashable, Comparable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// A microphone.
  public static let audio = TrackType(rawValue: "audio")
  /// A camera.
  public static let video = TrackType(rawValue: "video")
  /// A shared screen's picture.
  public static let screenShare = TrackType(rawValue: "screenShare")
  /// A shared screen's sound.
  public static let screenShareAudio = TrackType(rawValue: "screenShareAudio")
  /// None of the others.
  public static let unknown = TrackType(rawValue: "unknown")

  /// Whether the coordinator decides about tracks of this type. Audio is never paused, and what is unknown
  /// is left alone.
  public var isVideo: Bool { self == .video || self == .screenShare }

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension TrackType: CustomStringConvertible {
  public var description: String { rawValue }
}

/// One incoming stream: a participant's camera and screen share are two. A participant has at most one track
/// of each type.
public struct StreamID: Hashable, Comparable, Sendable {
  /// Who sends it.
  public let participant: ParticipantID
  /// What it carries.
  public let trackType: TrackType

  /// A participant's stream.
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
