/// A wait-free queue of samples between one writing and one reading thread.
///
/// A ring is made whole and then taken apart: each half moves to its thread, and because a half can be
/// neither copied nor shared, a second writer or reader is a compile error.
///
///     let ring = SampleRing(capacity: 16_000)
///     let (capture, analysis) = (Capture(ring.writer), Analysis(ring.reader))
///
/// **Real time.** Writing and reading finish in a bounded number of steps whatever the other thread does.
/// They do not allocate, lock or enter the kernel; an injected wake-up may, and is called only for a peer
/// that has declared itself asleep (``Reader/prepareToSleep()``).
///
/// **Time.** The only clock is the position: the absolute index of a sample since the stream began, 64 bits,
/// counting samples that were lost as well. It wraps without harm.
///
/// **Overrun.** A block that does not fit is dropped as a whole and becomes part of a gap. The reader meets
/// the gap at its exact place, so that samples read + samples missing = samples produced, always.
///
/// The protocol is checked by `Models/ring.pml` and `Models/wake.pml`. Its shape follows Lamport, "Specifying
/// concurrent program modules" (1983); the cached copy of the other side's index is from Lee, Bu and
/// Chandranmenon, "A lock-free, cache-efficient shared ring buffer" (ANCS 2009).
@frozen
public struct SampleRing: ~Copyable, Sendable {
  /// The half that belongs to the thread that produces samples.
  public let writer: Writer
  /// The half that belongs to the thread that consumes them.
  public let reader: Reader

  /// Makes an empty ring. This is the only place that allocates.
  ///
  /// - Parameters:
  ///   - capacity: How many samples fit, at least 1. Any number will do: slots are counted beside the
  ///     positions and never derived from them, so that a host can ask for exactly its latency budget.
  ///   - startPosition: The position of the first sample.
  ///   - wakeReader: Called by the writer when a reader that declared itself asleep has something to do.
  ///     Must be sticky: a signal sent just before the reader waits has to end that wait (an eventfd or a
  ///     semaphore does). May come without need.
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
