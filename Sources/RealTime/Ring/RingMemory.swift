internal import Atomics

/// A gap in front of a stored sample.
struct GapMark {
  /// The ring index of the sample after the gap.
  var index: UInt64
  /// The number of missing samples, at least 1.
  var missing: UInt64
}

/// The memory that the two halves share: one line of atomics in each direction, the samples and the gap marks.
///
/// It is a class so that reference counting frees the memory when the second half is gone. The halves touch no
/// reference count while they work.
///
/// A *ring index* counts stored samples only, from the start position. An index plus the number of samples lost so far
/// is a *position*. A *slot* is a place in `samples`.
///
/// `@unchecked Sendable` is safe because each slot and each mark belongs to one half at a time; the indices in
/// ``RingLine`` pass it to the other. The pointers are valid as long as a half holds this object.
final class RingMemory: @unchecked Sendable {
  /// The number of gaps that can wait in the ring. When all marks are in use, the open gap grows instead. The number
  /// thus limits how finely a long series of overruns is resolved, but every lost sample counts.
  static let markCapacity = 16

  let capacity: Int
  let samples: UnsafeMutablePointer<Float>
  let marks: UnsafeMutablePointer<GapMark>
  /// The line that the writer publishes.
  let written: RingLine
  /// The line that the reader publishes.
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
    // Atomic integers and flags are trivial: only their memory has to be freed.
    lines.deallocate()
    marks.deallocate()
    samples.deallocate()
  }

  /// Returns the place of the mark with a running number.
  func mark(_ number: UInt64) -> UnsafeMutablePointer<GapMark> {
    marks + Int(truncatingIfNeeded: number % UInt64(Self.markCapacity))
  }
}

/// What one half publishes to the other, alone on its cache lines. If both halves wrote to one line, that line
/// would travel between the cores for every block although neither half needs the other's data.
///
/// Memory ordering: a half stores `index` with release after it has written (or read) the slots, and the other half
/// loads it with acquire before it reads (or overwrites) them. This pair alone makes the slots safe. Marks
/// work the same way with `markCount`. The stores of `index`, of `isGone` and of the reader's `markCount`, and the
/// loads before a half goes to sleep, are sequentially consistent, hence stronger, for the reason given at
/// ``wake(_:)``. The writer's `markCount` needs no more than release and acquire, because the store of its `index`
/// always follows. `lost` and `overruns` are relaxed counts; only the end of the stream needs the exact `lost`, and
/// there the load of `isGone` comes first.
///
/// The atomics are pointers into the line. They are valid as long as the ``RingMemory`` that owns it.
struct RingLine {
  /// Two 64-byte lines: x86 fetches lines in adjacent pairs (Intel 64 and IA-32 Architectures Optimization
  /// Reference Manual, "Spatial Prefetcher"), and some ARM cores have lines of 128 bytes.
  static let byteCount = 128

  /// The ring index that this half has reached. Only this half stores it.
  let index: UnsafeAtomic<UInt64>
  /// The number of gap marks that this half has published or taken. Only this half stores it.
  let markCount: UnsafeAtomic<UInt64>
  /// The number of samples lost since the start. Only in the writer's line.
  let lost: UnsafeAtomic<UInt64>
  /// How often the ring was full; successive blocks without room count once. Only in the writer's line.
  let overruns: UnsafeAtomic<UInt64>
  /// The ring index from which on this half wants to be woken. Only in the reader's line.
  let wanted: UnsafeAtomic<UInt64>
  /// Whether this half was dropped. Nothing above changes after that.
  let isGone: UnsafeAtomic<Bool>
  /// Whether this half sleeps, or is about to, and must be woken. This half sets it; the first to act clears it.
  let isAsleep: UnsafeAtomic<Bool>

  init(at line: UnsafeMutableRawPointer, startIndex: UInt64) {
    index = Self.place(startIndex, at: line)
    markCount = Self.place(0, at: line + 8)
    lost = Self.place(0, at: line + 16)
    overruns = Self.place(0, at: line + 24)
    wanted = Self.place(startIndex, at: line + 32)
    isGone = Self.place(false, at: line + 40)
    isAsleep = Self.place(false, at: line + 41)
  }

  /// Initialises an atomic at an address within the line. It is valid as long as ``RingMemory`` holds the line.
  private static func place<Value: AtomicValue>(
    _ value: Value, at address: UnsafeMutableRawPointer
  ) -> UnsafeAtomic<Value> where Value.AtomicRepresentation.Value == Value {
    let storage = address.bindMemory(to: UnsafeAtomic<Value>.Storage.self, capacity: 1)
    storage.initialize(to: UnsafeAtomic<Value>.Storage(value))
    return UnsafeAtomic(at: storage)
  }

  /// Calls `signal` if this half has declared itself asleep. The other half calls this after every publication.
  ///
  /// The half that goes to sleep stores its flag and then loads the indices; the other half stores its index
  /// and then loads the flag. With release and acquire, both loads could come before the other half's store arrives
  /// (a store may wait in the store buffer while a later load is served), and the wake-up would be lost.
  /// All four accesses are therefore sequentially consistent. They have one order that both halves see, and
  /// in any such order at least one of the two loads comes after the other half's store. This costs one `xchg` per
  /// publication on x86 and no fence.
  ///
  /// The exchange lets only one publication pay for the signal. If the half has woken by itself in the meantime, the
  /// signal is superfluous, which is allowed.
  func wake(_ signal: () -> Void) {
    guard isAsleep.load(ordering: .sequentiallyConsistent) else { return }
    if isAsleep.exchange(false, ordering: .acquiringAndReleasing) { signal() }
  }

  /// The same, once the other half has reached the index that this one waits for.
  ///
  /// A half stores `wanted` before its flag, and it is loaded behind the flag: whoever must see the flag sees the
  /// index.
  func wake(at reached: UInt64, _ signal: () -> Void) {
    guard isAsleep.load(ordering: .sequentiallyConsistent),
      Int64(bitPattern: reached &- wanted.load(ordering: .relaxed)) >= 0
    else { return }
    if isAsleep.exchange(false, ordering: .acquiringAndReleasing) { signal() }
  }
}
