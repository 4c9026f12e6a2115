/// What a client declares that it can handle, sent with every join and rejoin.
public enum ClientCapability: CaseIterable, Hashable, Sendable {
  /// Incoming video may be paused when bandwidth is short. Without it, video is only ever downgraded.
  case subscriberVideoPause

  /// The capabilities of a client that does not opt out.
  public static let defaults: Set<ClientCapability> = [.subscriberVideoPause]
}
