/// A participant is encoded as its name; as a key too.
extension ParticipantID: Codable, CodingKeyRepresentable {}

/// A type is encoded as its raw value, and unknown ones are kept.
extension TrackType: Codable {}

/// A change as a server sends it to its clients: `{"paused":{"ann":["video"]},"resumed":{"bob":["screenShare"]}}`.
///
/// Types are in order. Either member may be missing when it is decoded.
extension PausedTracksChange: Codable {
  private enum CodingKeys: String, CodingKey { case paused, resumed }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    func tracks(_ key: CodingKeys) throws -> [ParticipantID: Set<TrackType>] {
      try members.decodeIfPresent([ParticipantID: Set<TrackType>].self, forKey: key) ?? [:]
    }
    self.init(paused: try tracks(.paused), resumed: try tracks(.resumed))
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(paused.mapValues { $0.sorted() }, forKey: .paused)
    try members.encode(resumed.mapValues { $0.sorted() }, forKey: .resumed)
  }
}
