internal import CVoiceActivity

/// One showing of the notice "You are muted. Unmute to speak."
public struct MutedNotice: Sendable, Hashable, Identifiable {
  /// An identifier that is unique among the notices of one presenter.
  public struct ID: Sendable, Hashable {
    let number: UInt64
  }

  public let id: ID
  /// The text to show, as configured.
  public let text: String

  /// The settings of a notice: its text, how long it stays and how often it appears.
  public struct Configuration: Sendable, Hashable {
    /// How often the notice may appear.
    public enum Limit: Sendable, Hashable {
      /// Each time the user begins to speak while muted.
      case none
      /// Once, until the microphone is unmuted.
      case oncePerMute
      /// At most once in this time, measured from showing to showing.
      case every(Duration)
    }

    /// The text of the notice, "You are muted. Unmute to speak." Replace it with localised text.
    public var text = VA_NOTICE_TEXT
    /// How long the notice stays: 2 s. With zero or less it is dismissed as soon as it is shown.
    public var duration: Duration = .milliseconds(VA_NOTICE_MS)
    /// Whether the notice is shown at all.
    public var isEnabled = true
    /// How often the notice may appear.
    public var limit: Limit = .none

    /// Creates the default settings.
    public init() {}
  }
}
