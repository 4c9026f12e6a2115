/// A wait-free queue of samples between one writing and one reading thread.
///
/// The caller makes a ring and then takes it apart: each half moves to its thread. Because a half can be
/// neither copied nor shared, a second writer or reader is a compile error.
///
///     let ring = SampleRing(capacity: 16_000)
///     let (capture, analysis) = (Capture(ring.writer), Analysis(ring.reader))
///
/// **Real time.** Writing and reading finish in a bounded number of steps whatever the other thread does.
/// They do not allocate, lock or enter the kernel. The wake-up that the caller supplies may do so; it is called only
/// for a peer that has declared itself asleep (``Reader/prepareToSleep(for:)``).
///
/// **Time.** The position is the only clock: the absolute 64-bit index of a sample since the stream began,
/// lost samples included. It wraps without harm.
///
/// **Overrun.** A block that does not fit is dropped as a whole and becomes part of a gap. The reader meets
/// the gap at its exact place, so that samples read + samples missing = samples produced, always.
///
/// The protocol is checked by `Models/ring.pml` and `Models/wake.pml`. Its shape follows Lamport, "Specifying
/// concurrent program modules" (1983); the cached copy of the other side's index is from Lee, Bu and
/// Chandranmenon, "A lock-free, cache-efficient shared ring buffer" (ANCS 2009).
@frozen
public struct SampleRing: ~Copyable, Sendable {
  /// The half for the thread that produces samples.
  public let writer: Writer
  /// The half for the thread that consumes samples.
  public let reader: Reader

  /// Creates an empty ring. This is the only call that allocates.
  ///
  /// - Parameters:
  ///   - capacity: How many samples fit, at least 1. It need not be a power of two: slots are counted separately and
  ///     never derived from positions, so a host can ask for exactly its latency budget.
  ///   - startPosition: The position of the first sample.
  ///   - wakeReader: A closure that the writer calls when a reader that declared itself asleep has something to do.
  ///     The signal must be sticky: one sent just before the reader waits must end that wait, as with an eventfd or a
  ///     semaphore. Superfluous calls may occur.
  ///   - wakeWriter: The same in the other direction, for a writer that waits for room.
  public init(
    capacity: Int,
    startPosition: UInt64 = 0,
    wakeReader: @escaping @Sendable () -> Void = {},
    wakeWriter: @escaping @Sendable () -> Void = {}
  ) {
    let memory = RingMemory(capacity: capacity, startPosition: startPosition)
    writer = Writer(memory, startPosition: startPosition, wakeReader: wakeReader)
    reader = Reader(memory, startPosition: startPosition, wakeWriter: wakeWriter)
  }
}
