/// The settings that determine how soon the dominant speaker changes. docs/dominant-speaker.md shows the effect of
/// each.
///
/// Values outside their range are limited to it.
public struct DominantSpeakerConfiguration: Sendable, Hashable {
  /// How much undisputed speech makes a participant dominant: 20 … 10 000 ms.
  ///
  /// A shorter time switches sooner, and more often because of a cough or a "yes".
  public var switchMilliseconds = 300 {
    didSet { switchMilliseconds = min(max(switchMilliseconds, 20), 10_000) }
  }

  /// How long the dominant speaker's hold on the floor takes to fade after speech: 20 … 10 000 ms.
  ///
  /// It bridges the pauses inside a turn.
  public var releaseMilliseconds = 800 {
    didSet { releaseMilliseconds = min(max(releaseMilliseconds, 20), 10_000) }
  }

  /// How long the last packet stands in for missing ones: 20 … 10 000 ms.
  ///
  /// It must be at least the duration of a packet and of the longest loss to bridge. After it, the absence of packets
  /// counts as silence (DTX, mute).
  public var packetTimeoutMilliseconds = 100 {
    didSet { packetTimeoutMilliseconds = min(max(packetTimeoutMilliseconds, 20), 10_000) }
  }

  /// Creates the default settings.
  public init() {}
}
