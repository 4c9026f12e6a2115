internal import Atomics

/// Samples that are missing in front of a stored one.
struct GapMark {
  /// The ring index of the sample behind the gap.
  var index: UInt64
  /// How many samples are missing, at least 1.
  var missing: UInt64
}

/// What the two halves share: a line of atomics from each to the other, the samples and the gap marks.
///
/// A class for one reason: reference counting frees the memory when the second half is gone. The halves
/// touch no reference count while they work.
///
/// A *ring index* counts stored samples only, from the start position; an index plus the samples lost so
/// far is a *position*. A *slot* is a place in `samples`.
final class RingMemory: @unchecked Sendable {
  /// Gaps that can wait in the ring. When all marks are in use the open gap grows instead, so this decides
  /// how finely a long series of overruns is told apart, not whether it is counted.
  static let markCapacity = 16

  let capacity: Int
  let samples: UnsafeMutablePointer<Float>
  let marks: UnsafeMutablePointer<GapMark>
  /// Told by the writer.
  let written: RingLine
  /// Told by the reader.
  let read: RingLine

  private let lines: UnsafeMutableRawPointer

  init(capacity: Int, startPosition: UInt64) {
    precondition(capacity >= 1, "a SampleRing needs room for at least one sample")
    self.capacity = capacity
    samples = .allocate(capacity: capacity)
    samples.initialize(repeating: 0, count: capacity)
    marks = .allocate(capacity: Self.markCapacity)
    marks.initialize(repeating: GapMark(index: 0, missing: 0), count: Self.markCapacity)
    lines = .allocate(byteCount: 2 * RingLine.byteCount, alignment: RingLine.byteCount)
    written = RingLine(at: lines, startIndex: startPosition)
    read = RingLine(at: lines + RingLine.byteCount, startIndex: startPosition)
  }

  deinit {
    // Atomic integers and flags are trivial: there is nothing to dispose of but their memory.
    lines.deallocate()
    marks.deallocate()
    samples.deallocate()
  }

  /// The mark at a running mark number.
  func mark(_ number: UInt64) -> UnsafeMutablePointer<GapMark> {
    marks + Int(truncatingIfNeeded: number % UInt64(Self.markCapacity))
  }
}

/// What one half tells the other, alone on its cache lines: if both halves wrote to one line, that line
/// would travel between the cores for every block although neither wants the other's data.
///
/// Memory ordering. `index` is stored with release after the slots were written (or read) and loaded with
/// acquire before the other side reads (or overwrites) them: that pair alone makes the slots safe. Marks
/// work the same way with `markCount`. The stores of `index`, `markCount` and `isGone` and the loads behind
/// them are stronger, sequentially consistent, for one reason, which ``wake(_:)`` explains.
struct RingLine {
  /// Two 64-byte lines: x86 fetches lines in adjacent pairs (Intel 64 and IA-32 Architectures Optimization
  /// Reference Manual, "Spatial Prefetcher"), and some ARM cores have lines of 128 bytes.
  static let byteCount = 128

  /// Ring index up to which this half is done. Only this half stores it.
  let index: UnsafeAtomic<UInt64>
  /// Gap marks that this half has published or taken. Only this half stores it.
  let markCount: UnsafeAtomic<UInt64>
  /// Samples lost since the start. The writer's line only.
  let lost: UnsafeAtomic<UInt64>
  /// Times that blocks in a row found no room. The writer's line only.
  let overruns: UnsafeAtomic<UInt64>
  /// This half was dropped; nothing above will change any more.
  let isGone: UnsafeAtomic<Bool>
  /// This half sleeps, or is about to, and wants to be woken. Set by this half, cleared by whoever is first.
  let isAsleep: UnsafeAtomic<Bool>

  init(at line: UnsafeMutableRawPointer, startIndex: UInt64) {
    index = Self.place(startIndex, at: line)
    markCount = Self.place(0, at: line + 8)
    lost = Self.place(0, at: line + 16)
    overruns = Self.place(0, at: line + 24)
    isGone = Self.place(false, at: line + 32)
    isAsleep = Self.place(false, at: line + 33)
  }

  private static func place<Value: AtomicValue>(
    _ value: Value, at address: UnsafeMutableRawPointer
  ) -> UnsafeAtomic<Value> where Value.AtomicRepresentation.Value == Value {
    let storage = address.bindMemory(to: UnsafeAtomic<Value>.Storage.self, capacity: 1)
    storage.initialize(to: UnsafeAtomic<Value>.Storage(value))
    return UnsafeAtomic(at: storage)
  }

  /// Calls `signal` if this half has declared itself asleep. The other half does so after every publication.
  ///
  /// The half that goes to sleep stores its flag and then looks at the indices; the other stores its index
  /// and then looks at the flag. Release and acquire would let both look before the other's store arrives
  /// (a store may wait in the store buffer while a later load is served), and the wake-up would be lost.
  /// All four accesses are therefore sequentially consistent: they have one order that everybody sees, and
  /// in any order at least one of the two looks comes after the other's store. That costs one `xchg` per
  /// publication on x86 and no fence.
  ///
  /// The exchange lets one publication, not each, pay for the signal. If the half has meanwhile woken by
  /// itself, the signal is superfluous; that is allowed.
  func wake(_ signal: () -> Void) {
    guard isAsleep.load(ordering: .sequentiallyConsistent) else { return }
    if isAsleep.exchange(false, ordering: .acquiringAndReleasing) { signal() }
  }
}
