/// One showing of "You are muted. Unmute to speak."
public struct MutedNotice: Sendable, Hashable, Identifiable {
  /// No two showings by one presenter have the same.
  public struct ID: Sendable, Hashable {
    let number: UInt64
  }

  public let id: ID
  /// What to show, in the configured words.
  public let text: String

  /// How the notice looks and how often it comes.
  public struct Configuration: Sendable, Hashable {
    /// How often it may come.
    public enum Limit: Sendable, Hashable {
      /// Each time the user begins to speak while muted.
      case none
      /// Once, until the microphone was unmuted.
      case oncePerMute
      /// At most once in this time, counted from showing to showing.
      case every(Duration)
    }

    /// Replace it with localised text.
    public var text = "You are muted. Unmute to speak."
    /// How long it stays. Zero, or less: it is dismissed as soon as it is shown.
    public var duration: Duration = .seconds(2)
    /// Whether it is shown at all.
    public var isEnabled = true
    /// How often the notice may come.
    public var limit: Limit = .none

    /// The defaults.
    public init() {}
  }
}
