// The library names participants by numbers, so that a host needs no text. This file takes the place of
// Sources/VideoPause/Types/Identifiers.swift; the rest of the module is the same.

/// A participant of the call, numbered by the host: 0 … 2⁶³ − 1.
public struct ParticipantID: Hashable, Comparable, Sendable {
  public let number: UInt64

  public static func < (a: Self, b: Self) -> Bool { a.number < b.number }
}

extension ParticipantID {
  /// nil for a number that does not fit into the 63 bits that `VP_STREAM` has for it.
  init?(given number: UInt64) {
    guard number <= UInt64(Int64.max) else { return nil }
    self.init(number: number)
  }

  /// nil for a null pointer, a negative count, or a number out of range.
  static func list(_ numbers: UnsafePointer<UInt64>?, _ count: Int) -> [Self]? {
    guard count >= 0, numbers != nil || count == 0 else { return nil }
    var list: [Self] = []
    for number in UnsafeBufferPointer(start: numbers, count: count) {
      guard let participant = Self(given: number) else { return nil }
      list.append(participant)
    }
    return list
  }
}

/// What a track carries. The numbers have the order of the names, so that both modules order streams alike.
public enum TrackType: UInt64, Hashable, Sendable {
  case screenShare, video

  public var isVideo: Bool { true }
}

/// One incoming stream, as a single number: twice the participant's, plus that of the track's type.
public struct StreamID: Hashable, Comparable, Sendable {
  public let number: UInt64

  public init(number: UInt64) { self.number = number }

  public init(participant: ParticipantID, trackType: TrackType = .video) {
    number = participant.number << 1 | trackType.rawValue
  }

  public var participant: ParticipantID { ParticipantID(number: number >> 1) }
  public var trackType: TrackType { number & 1 == 0 ? .screenShare : .video }

  public static func < (a: Self, b: Self) -> Bool { a.number < b.number }
}
