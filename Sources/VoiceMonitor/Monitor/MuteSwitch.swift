internal import Synchronization

/// Whether the microphone is muted: one atomic, which the host sets through the ``Publisher``.
///
/// Two parts decide by a copy, because both also exist without a monitor:
///
/// - ``SpeakingWhileMutedGate`` is a value whose result depends on the order of its inputs. The publisher sets the gate
///   and the switch under one lock, so they never differ.
/// - The detector has a flag, which the analysis sets before each block (``mutesDetector``). The core samples the flag
///   once a hop, because muted speech begins and ends at positions, and the core's gate needs the hop of each change.
///
/// An unmute that is taken back within a block would never reach the detector, and speech from before it would continue
/// as muted speech. The switch therefore remembers that it was open until the detector has decided an unmuted hop.
///
/// Threads: any thread sets; one analyses. Relaxed order is enough, because both bits are in one atomic and no other
/// memory depends on them.
final class MuteSwitch: Sendable {
  private static let muted: UInt8 = 1
  /// The switch was open, and the detector has decided no unmuted hop since.
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

  /// Whether the detector is to be muted now.
  var mutesDetector: Bool { bits.load(ordering: .relaxed) == Self.muted }

  /// Notes that the detector has decided an unmuted hop.
  func noteUnmutedHop() {
    guard bits.load(ordering: .relaxed) & Self.wasOpened != 0 else { return }
    bits.bitwiseAnd(Self.muted, ordering: .relaxed)
  }
}
