public import VideoPause

/// The capabilities that a client declares for one call.
///
/// Enabling what is enabled, or disabling what is disabled, changes nothing. A client sends ``wireValues`` with every
/// join and rejoin, so that a server that missed a change learns of it then at the latest.
public struct ClientCapabilities: Hashable, Sendable {
  /// The capabilities that the client declares.
  public private(set) var enabled: Set<ClientCapability>

  /// Creates a set of capabilities; by default, those of a client that does not opt out.
  public init(_ enabled: Set<ClientCapability> = ClientCapability.defaults) {
    self.enabled = enabled
  }

  /// Creates a set from a join request, and ignores unknown values that a newer client may send.
  public init(wireValues: some Sequence<String>) { enabled = ClientCapability.parse(wireValues) }

  /// The values for a join request, in a fixed order.
  public var wireValues: [String] { enabled.map(\.wireValue).sorted() }

  /// Returns whether the client has a capability.
  public func contains(_ capability: ClientCapability) -> Bool { enabled.contains(capability) }

  /// Adds capabilities.
  public mutating func enable(_ capabilities: some Sequence<ClientCapability>) {
    enabled.formUnion(capabilities)
  }

  /// Removes capabilities.
  public mutating func disable(_ capabilities: some Sequence<ClientCapability>) {
    enabled.subtract(capabilities)
  }
}
