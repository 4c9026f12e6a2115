/// What decides how soon the dominant speaker changes. docs/dominant-speaker.md shows what each value does.
///
/// Values outside their range are moved into it.
public struct DominantSpeakerConfiguration: Sendable, Hashable {
  /// How much speech, with nobody against it, makes somebody dominant: 20 … 10 000 ms.
  ///
  /// Shorter switches sooner, and more often to a cough or a "yes".
  public var switchMilliseconds = 300 {
    didSet { switchMilliseconds = min(max(switchMilliseconds, 20), 10_000) }
  }

  /// How long the dominant speaker's hold on the floor takes to fade after speech: 20 … 10 000 ms.
  ///
  /// It covers the pauses inside a turn.
  public var releaseMilliseconds = 800 {
    didSet { releaseMilliseconds = min(max(releaseMilliseconds, 20), 10_000) }
  }

  /// How long the last packet stands for those that do not come: 20 … 10 000 ms.
  ///
  /// At least a packet's duration and the longest loss to bridge; after it, no packets are silence (DTX, mute).
  public var packetTimeoutMilliseconds = 100 {
    didSet { packetTimeoutMilliseconds = min(max(packetTimeoutMilliseconds, 20), 10_000) }
  }

  /// The defaults.
  public init() {}
}
