internal import Synchronization

/// Whether the microphone is muted: one atomic, which the host sets and everybody else reads.
///
/// A detector reads its mute flag once a hop, and a monitor sets that flag once a block. An unmute that is taken back
/// within a block would go unseen, and speech from before it would continue as muted speech. The switch therefore
/// remembers that it was open until the analysis has seen it.
///
/// Threads: any thread sets; one looks. Relaxed order is enough, because both bits are in one atomic and no other
/// memory depends on them.
final class MuteSwitch: Sendable {
  private static let muted: UInt8 = 1
  private static let wasOpened: UInt8 = 2

  private let bits: Atomic<UInt8>

  init(isMuted: Bool) { bits = Atomic(isMuted ? Self.muted : 0) }

  var isMuted: Bool { bits.load(ordering: .relaxed) & Self.muted != 0 }

  func set(_ isMuted: Bool) {
    if isMuted {
      bits.bitwiseOr(Self.muted, ordering: .relaxed)
    } else {
      bits.store(Self.wasOpened, ordering: .relaxed)
    }
  }

  /// Returns the present state, and whether the switch was open at any time since the last look.
  func look() -> (isMuted: Bool, wasOpened: Bool) {
    let bits = bits.bitwiseAnd(Self.muted, ordering: .relaxed).oldValue
    return (bits & Self.muted != 0, bits & Self.wasOpened != 0)
  }
}
