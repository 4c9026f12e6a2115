internal import Synchronization

/// The way back: how a host's mute reaches the analysis thread. One atomic store.
///
/// A detector looks at its mute flag once a hop, and a monitor sets it once a block: an unmute that is
/// taken back at once would go unseen, and the speech from before it would go on as muted speech. So the
/// switch remembers that it was open until somebody has seen that.
///
/// Threads: any sets, one looks.
final class MuteSwitch: Sendable {
  private static let muted: UInt8 = 1
  private static let wasOpened: UInt8 = 2

  private let bits: Atomic<UInt8>

  init(isMuted: Bool) { bits = Atomic(isMuted ? Self.muted : 0) }

  func set(_ isMuted: Bool) {
    if isMuted {
      bits.bitwiseOr(Self.muted, ordering: .relaxed)
    } else {
      bits.store(Self.wasOpened, ordering: .relaxed)
    }
  }

  /// Where it stands, and whether it was open since it was last looked at.
  func look() -> (isMuted: Bool, wasOpened: Bool) {
    let bits = bits.bitwiseAnd(Self.muted, ordering: .relaxed).oldValue
    return (bits & Self.muted != 0, bits & Self.wasOpened != 0)
  }
}
