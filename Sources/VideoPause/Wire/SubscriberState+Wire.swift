/// A state as a server sends it to a client that joins again:
/// `{"clientCapabilities":["CLIENT_CAPABILITY_SUBSCRIBER_VIDEO_PAUSE"],"participants":[{"id":"ann","pausedTracks":["video"]}]}`.
///
/// Lists are in order. Capabilities of a newer peer are ignored.
extension SubscriberState: Codable {
  private enum CodingKeys: String, CodingKey { case participants, clientCapabilities }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      participants: try members.decode([Participant].self, forKey: .participants),
      clientCapabilities: ClientCapability.parse(
        try members.decode([String].self, forKey: .clientCapabilities)))
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(participants, forKey: .participants)
    try members.encode(clientCapabilities.map(\.wireValue).sorted(), forKey: .clientCapabilities)
  }
}

/// Types are in order, and unknown ones are kept.
extension SubscriberState.Participant: Codable {
  private enum CodingKeys: String, CodingKey { case id, pausedTracks }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try members.decode(ParticipantID.self, forKey: .id),
      pausedTracks: try members.decode(Set<TrackType>.self, forKey: .pausedTracks))
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(id, forKey: .id)
    try members.encode(pausedTracks.sorted(), forKey: .pausedTracks)
  }
}
