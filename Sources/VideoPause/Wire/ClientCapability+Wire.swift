extension ClientCapability: RawRepresentable {
  /// The name in Swift.
  public var rawValue: String {
    switch self {
    case .subscriberVideoPause: "subscriberVideoPause"
    }
  }

  public init?(rawValue: String) {
    guard let known = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = known
  }
}

/// How clients and servers spell capabilities: as the values of an enum in Protocol Buffers, with or without the enum's
/// name in front.
extension ClientCapability {
  private static let prefix = "CLIENT_CAPABILITY_"

  /// The spelling in a join request, for instance `CLIENT_CAPABILITY_SUBSCRIBER_VIDEO_PAUSE`.
  public var wireValue: String {
    switch self {
    case .subscriberVideoPause: Self.prefix + "SUBSCRIBER_VIDEO_PAUSE"
    }
  }

  /// Returns the capability with this spelling: the wire value, the wire value without `CLIENT_CAPABILITY_`, or the
  /// name in Swift; nil for any other.
  public init?(wireValue: String) {
    let known = Self.allCases.first {
      [$0.wireValue, String($0.wireValue.dropFirst(Self.prefix.count)), $0.rawValue]
        .contains(wireValue)
    }
    guard let known else { return nil }
    self = known
  }

  /// Returns the capabilities among wire values, and ignores unknown ones that a newer client may send.
  public static func parse(_ wireValues: some Sequence<String>) -> Set<ClientCapability> {
    Set(wireValues.compactMap { ClientCapability(wireValue: $0) })
  }
}

/// A capability is encoded as its ``wireValue``. Use ``parse(_:)`` for a list that may have values of a newer version.
extension ClientCapability: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let known = ClientCapability(wireValue: text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(text)\" is not a capability that is known here")
    }
    self = known
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wireValue)
  }
}
