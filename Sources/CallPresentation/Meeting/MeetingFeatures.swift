/// The features that a meeting supports, under the names that its server uses.
public struct MeetingFeatures: Hashable, Sendable {
  /// Custom layouts: the application configures the streams and attaches each to one of its own views.
  public static let customLayout = "iOS_client_layout_ordering"

  private let names: Set<String>

  /// Creates a set of features. Case is ignored, since the vendor spells the same name in two ways.
  public init(_ names: some Sequence<String>) {
    self.names = Set(names.map { $0.lowercased() })
  }

  /// Whether the meeting supports custom layouts, for the coordinator's `setCustomLayoutAvailable`.
  ///
  /// If it does not, an application that wants a custom layout must fall back to another one or inform the user.
  public var supportsCustomLayout: Bool { names.contains(Self.customLayout.lowercased()) }

  /// Returns whether sharing or uploading a video file is possible. Beside a custom layout it is not, a known
  /// limitation.
  public static func allowsVideoShareAndUpload(inCustomLayout isCustom: Bool) -> Bool { !isCustom }
}
