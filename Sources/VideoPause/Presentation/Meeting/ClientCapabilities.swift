/// What a client says that it can handle, for one call.
///
/// Nothing but a set; turning on what is on, or off what is off, changes nothing. A client sends
/// ``wireValues`` with every join and rejoin, so that a server which missed a change knows it then at the latest.
public struct ClientCapabilities: Hashable, Sendable {
  /// What the client has told the server that it can.
  public private(set) var enabled: Set<ClientCapability>

  /// A client that can this.
  public init(_ enabled: Set<ClientCapability> = ClientCapability.defaults) {
    self.enabled = enabled
  }

  /// From a join request. What a newer client may send and we do not know is ignored.
  public init(wireValues: some Sequence<String>) { enabled = ClientCapability.parse(wireValues) }

  /// For a join request, in a fixed order.
  public var wireValues: [String] { enabled.map(\.rawValue).sorted() }

  /// Whether the client can it.
  public func contains(_ capability: ClientCapability) -> Bool { enabled.contains(capability) }

  /// Adds to what the client can.
  public mutating func enable(_ capabilities: some Sequence<ClientCapability>) {
    enabled.formUnion(capabilities)
  }

  /// Opts out.
  public mutating func disable(_ capabilities: some Sequence<ClientCapability>) {
    enabled.subtract(capabilities)
  }
}
