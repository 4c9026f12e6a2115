/// What a client says that it can handle; sent with every join and rejoin.
public enum ClientCapability: String, CaseIterable, Hashable, Sendable {
  /// Incoming video may be paused for want of bandwidth. Without it video is only ever downgraded.
  case subscriberVideoPause

  /// What a client has unless it opts out.
  public static let defaults: Set<ClientCapability> = [.subscriberVideoPause]

  /// The capabilities among wire values; those that a newer client may send and we do not know are left out.
  public static func parse(_ wireValues: some Sequence<String>) -> Set<ClientCapability> {
    Set(wireValues.compactMap(ClientCapability.init(rawValue:)))
  }
}
