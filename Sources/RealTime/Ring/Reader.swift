internal import Atomics

extension SampleRing {
  /// The half of a ``SampleRing`` that takes samples out.
  ///
  /// Dropping it lets the writer know that it can stop (``Writer/isReaderGone``).
  ///
  /// Threads: one at a time, because a reader can be moved but not copied. It shares `RingMemory` with the writer by
  /// the protocol described there.
  public struct Reader: ~Copyable, Sendable {
    private let memory: RingMemory
    private let wakeWriter: @Sendable () -> Void
    /// The ring index of the next sample to read: this half's own copy of `memory.read.index`.
    private var index: UInt64
    /// The slot of that sample, 0 ..< capacity.
    private var slot = 0
    /// The index that the writer last published, as far as this half has loaded it. It never exceeds the writer's, so
    /// nothing is read too early. It is loaded again only when a read wants more.
    private var writtenIndex: UInt64
    private var markCount: UInt64 = 0
    /// The number of marks that the writer has published. It is loaded after `writtenIndex`, so it includes every gap
    /// in front of a sample below `writtenIndex`.
    private var publishedMarkCount: UInt64 = 0

    /// The number of missing samples met so far.
    public private(set) var missingSamples: UInt64 = 0

    init(_ memory: RingMemory, startPosition: UInt64, wakeWriter: @escaping @Sendable () -> Void) {
      self.memory = memory
      self.wakeWriter = wakeWriter
      index = startPosition
      writtenIndex = startPosition
    }

    deinit {
      memory.read.isGone.store(true, ordering: .sequentiallyConsistent)
      memory.written.wake(wakeWriter)
    }
  }
}

extension SampleRing.Reader {
  /// What the stream holds at ``position``.
  public enum Outcome: Sendable, Hashable {
    /// Samples, which were passed on; the position has moved by `count`.
    case samples(count: Int)
    /// A gap; the position has moved across it.
    case gap(missing: UInt64)
    /// Nothing yet.
    case empty
    /// The end: the writer is gone and everything was read.
    case endOfStream
  }

  /// The position of the next sample or gap.
  public var position: UInt64 { index &+ missingSamples }

  /// How often the ring was full, including overruns not yet met here. Successive lost blocks count once, and
  /// ``SampleRing/Writer/skip(_:)`` does not count.
  public var overruns: UInt64 { losses.overruns }

  /// Returns what the writer has lost after its last stored sample, for a stream that ends while its writer still
  /// exists. Call it when there is nothing else to read, and do not read afterwards.
  ///
  /// - Parameter lost: The number of samples that the writer had lost when the stream ended (``Losses``). What it
  ///   loses later is not part of the stream.
  package mutating func takeLastGap(upTo lost: UInt64) -> UInt64 {
    let missing = Int64(bitPattern: lost &- missingSamples)
    guard missing > 0 else { return 0 }
    missingSamples = lost
    return UInt64(missing)
  }

  /// The writer's losses, for threads other than the reader's.
  package var losses: SampleRing.Losses { SampleRing.Losses(memory: memory) }

  /// Returns how many samples can be read now, gaps apart. It loads what the writer has published.
  package mutating func waiting() -> Int {
    _ = lookAgain()
    return Int(truncatingIfNeeded: writtenIndex &- index)
  }

  /// Takes samples up to the next gap, or a gap, or reports that there is neither.
  ///
  /// - Parameters:
  ///   - limit: The most samples to take, at least 1.
  ///   - body: A closure that receives the samples in place. It is called once, or twice where they wrap round the end
  ///     of the memory. Their slots are free again once it has returned.
  public mutating func read(
    upTo limit: Int = .max, _ body: (_ region: Span<Float>) -> Void
  ) -> Outcome {
    let outcome = next(limit)
    if case .samples(let count) = outcome {
      let (first, second) = regions(count)
      body(first.span)
      if !second.isEmpty { body(second.span) }
      commit(count)
    }
    return outcome
  }

  /// Takes the next thing as ``read(upTo:_:)`` does, but copies samples to the front of `block`, which must not be
  /// empty.
  public mutating func read(into block: inout MutableSpan<Float>) -> Outcome {
    let outcome = next(block.count)
    if case .samples(let count) = outcome {
      let (first, second) = regions(count)
      block.withUnsafeMutableBufferPointer { block in
        _ = block.update(fromContentsOf: first)
        _ = block[first.count...].update(fromContentsOf: second)
      }
      commit(count)
    }
    return outcome
  }

  /// Declares this thread asleep, unless there is something to read.
  ///
  /// - Parameter count: How many samples to wait for, 1 … the ring's capacity. The writer wakes the thread at once when
  ///   it ends, or calls ``SampleRing/Writer/wake()``.
  /// - Returns: `true` if the thread may wait for `wakeReader`'s signal and then read; signals may come early, so there
  ///   may be nothing. `false` if it must not wait.
  public mutating func prepareToSleep(for count: Int = 1) -> Bool {
    precondition(1...memory.capacity ~= count, "waiting for more samples than fit")
    // Relaxed is enough: the store of the flag publishes it.
    memory.read.wanted.store(index &+ UInt64(count), ordering: .relaxed)
    memory.read.isAsleep.store(true, ordering: .sequentiallyConsistent)
    let isGone = lookAgain()
    let isEnough = Int(truncatingIfNeeded: writtenIndex &- index) >= count
    if !isEnough && gapIndex == nil && !isGone { return true }
    // Relaxed is enough: a writer that still sees the flag set sends a superfluous signal, which is allowed.
    memory.read.isAsleep.store(false, ordering: .relaxed)
    return false
  }
}

extension SampleRing {
  /// What a ring's writer has lost until now. Both counts are relaxed, because each stands for itself. Threads: any.
  package struct Losses: Sendable {
    fileprivate let memory: RingMemory

    /// The number of samples lost.
    package var samples: UInt64 { memory.written.lost.load(ordering: .relaxed) }
    /// How often the ring was full.
    package var overruns: UInt64 { memory.written.overruns.load(ordering: .relaxed) }
  }
}

// MARK: - The protocol

extension SampleRing.Reader {
  /// Decides what comes next, and steps over gaps.
  private mutating func next(_ limit: Int) -> Outcome {
    precondition(limit >= 1, "reading needs room for at least one sample")
    let isGone = samplesBeforeGap < limit && lookAgain()
    let count = min(limit, samplesBeforeGap)
    if count > 0 { return .samples(count: count) }
    if isAtGap { return .gap(missing: takeMark()) }
    if isGone { return endOfStream() }
    return .empty
  }

  /// Loads what the writer has published. Returns whether the writer is gone.
  ///
  /// The order matters. The flag comes first, so that everything else is final if it is set, and the marks come after
  /// the index (see `publishedMarkCount`). The acquiring load makes the marks visible that are counted.
  private mutating func lookAgain() -> Bool {
    let isGone = memory.written.isGone.load(ordering: .sequentiallyConsistent)
    writtenIndex = memory.written.index.load(ordering: .sequentiallyConsistent)
    publishedMarkCount = memory.written.markCount.load(ordering: .acquiring)
    return isGone
  }

  /// The index of the next known gap. It may exceed `writtenIndex`, which was loaded earlier.
  private var gapIndex: UInt64? {
    markCount == publishedMarkCount ? nil : memory.mark(markCount).pointee.index
  }

  private var isAtGap: Bool { gapIndex == index }

  private var samplesBeforeGap: Int {
    let written = Int(truncatingIfNeeded: writtenIndex &- index)
    guard let gapIndex else { return written }
    return min(written, Int(truncatingIfNeeded: gapIndex &- index))
  }

  private mutating func takeMark() -> UInt64 {
    let missing = memory.mark(markCount).pointee.missing
    missingSamples &+= missing
    markCount &+= 1
    memory.read.markCount.store(markCount, ordering: .sequentiallyConsistent)
    memory.written.wake(wakeWriter)
    return missing
  }

  /// Returns the end, or the samples that the writer lost after its last stored one. Those have no mark: they are the
  /// difference of the totals. Relaxed is enough, because the load of `isGone` comes first.
  private mutating func endOfStream() -> Outcome {
    let lost = memory.written.lost.load(ordering: .relaxed)
    guard lost != missingSamples else { return .endOfStream }
    defer { missingSamples = lost }
    return .gap(missing: lost &- missingSamples)
  }

  /// The next `count` filled slots, in order. The pointers are valid until ``commit(_:)`` frees the slots.
  private func regions(_ count: Int) -> (UnsafeBufferPointer<Float>, UnsafeBufferPointer<Float>) {
    let first = min(count, memory.capacity - slot)
    return (
      UnsafeBufferPointer(start: memory.samples + slot, count: first),
      UnsafeBufferPointer(start: memory.samples, count: count - first)
    )
  }

  /// Frees `count` slots. The store is sequentially consistent rather than release because ``RingLine/wake(_:)`` needs
  /// it.
  private mutating func commit(_ count: Int) {
    index &+= UInt64(count)
    slot += count
    if slot >= memory.capacity { slot -= memory.capacity }
    memory.read.index.store(index, ordering: .sequentiallyConsistent)
    memory.written.wake(wakeWriter)
  }
}
