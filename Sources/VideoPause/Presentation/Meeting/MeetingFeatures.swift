/// What a meeting supports, by the names under which its server tells it.
public struct MeetingFeatures: Hashable, Sendable {
  /// Custom layouts: the application configures the streams and attaches each to a view of its own.
  public static let customLayout = "iOS_client_layout_ordering"

  private let names: Set<String>

  /// Capitals do not matter: the vendor writes one and the same name in two ways.
  public init(_ names: some Sequence<String>) {
    self.names = Set(names.map { $0.lowercased() })
  }

  /// For the coordinator's `setCustomLayoutAvailable`. If not, an application that wants a custom layout must fall back to
  /// another or tell the user.
  public var supportsCustomLayout: Bool { names.contains(Self.customLayout.lowercased()) }

  /// Sharing or uploading a video file is not possible beside a custom layout: a known limitation.
  public static func allowsVideoShareAndUpload(inCustomLayout isCustom: Bool) -> Bool { !isCustom }
}
