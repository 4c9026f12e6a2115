internal import Atomics

extension SampleRing {
  /// The half of a ``SampleRing`` that takes samples out. One thread at a time; movable, not copyable.
  ///
  /// Dropping it tells the writer that it can stop (``Writer/isReaderGone``).
  public struct Reader: ~Copyable, @unchecked Sendable {
    private let memory: RingMemory
    private let wakeWriter: @Sendable () -> Void
    /// Ring index of the next sample to read: this half's own copy of `memory.read.index`.
    private var index: UInt64
    /// Where that sample is, 0 ..< capacity.
    private var slot = 0
    /// What the writer last said; never ahead of it, so nothing is read too early. Looked up again only when
    /// it is less than a read asks for.
    private var writtenIndex: UInt64
    private var markCount: UInt64 = 0
    /// Marks published by the writer. Looked up after `writtenIndex`, so every gap in front of a sample below
    /// `writtenIndex` is among them.
    private var publishedMarkCount: UInt64 = 0

    private var takenOverruns: UInt64 = 0

    /// Samples that were missing so far.
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
    /// Samples, which were handed over; the position has moved by `count`.
    case samples(count: Int)
    /// A gap; the position has moved over it.
    case gap(missing: UInt64)
    /// Nothing yet.
    case empty
    /// Nothing any more: the writer is gone and all was read.
    case endOfStream
  }

  /// Position of the next sample or gap.
  public var position: UInt64 { index &+ missingSamples }

  /// Samples lost by the writer so far, those in front of us included: for a meter of the ring's health.
  public var samplesLostByWriter: UInt64 { memory.written.lost.load(ordering: .relaxed) }

  /// Times that the ring was full so far, those in front of us included: blocks lost in a row are one. What
  /// ``SampleRing/Writer/skip(_:)`` reports is none.
  public var overruns: UInt64 { memory.written.overruns.load(ordering: .relaxed) }

  /// Those since it was last asked.
  package mutating func takeOverruns() -> UInt64 {
    let now = overruns
    defer { takenOverruns = now }
    return now - takenOverruns
  }

  /// What the writer has lost behind its last stored sample, for a stream that ends although its writer is still there.
  /// Call it when there is nothing else to read, and read no more.
  package mutating func takeLastGap() -> UInt64 {
    guard case .gap(let missing) = endOfStream() else { return 0 }
    return missing
  }

  /// Takes the next thing out of the ring: samples up to the next gap, or a gap, or the news that there is
  /// neither.
  ///
  /// - Parameters:
  ///   - limit: Samples to take at most, at least 1.
  ///   - body: Called with the samples in place, once or, where they wrap round the end of the memory,
  ///     twice. Their slots are given back when it has returned.
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

  /// The same with a copy into the front of `block`, which must not be empty.
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
  /// - Returns: `true`: wait for `wakeReader`'s signal, then read; there may be nothing, for signals may come
  ///   early. `false`: do not wait.
  public mutating func prepareToSleep() -> Bool {
    memory.read.isAsleep.store(true, ordering: .sequentiallyConsistent)
    let isGone = lookAgain()
    if index == writtenIndex && gapIndex == nil && !isGone { return true }
    memory.read.isAsleep.store(false, ordering: .relaxed)
    return false
  }
}

// MARK: - The protocol

extension SampleRing.Reader {
  /// Decides what comes next and steps over gaps.
  private mutating func next(_ limit: Int) -> Outcome {
    precondition(limit >= 1, "reading needs room for at least one sample")
    let isGone = samplesBeforeGap < limit && lookAgain()
    let count = min(limit, samplesBeforeGap)
    if count > 0 { return .samples(count: count) }
    if isAtGap { return .gap(missing: takeMark()) }
    if isGone { return endOfStream() }
    return .empty
  }

  /// Fetches what the writer has published; tells whether that was its last word. The order matters: the
  /// flag first, so that the rest is final if it is up, and the marks after the index (see
  /// `publishedMarkCount`).
  private mutating func lookAgain() -> Bool {
    let isGone = memory.written.isGone.load(ordering: .sequentiallyConsistent)
    writtenIndex = memory.written.index.load(ordering: .sequentiallyConsistent)
    publishedMarkCount = memory.written.markCount.load(ordering: .acquiring)
    return isGone
  }

  /// Where the next known gap is. It may lie behind `writtenIndex`, for that was looked up earlier.
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

  /// What the writer lost after its last stored sample has no mark: it is the difference of the totals.
  private mutating func endOfStream() -> Outcome {
    let lost = memory.written.lost.load(ordering: .relaxed)
    guard lost != missingSamples else { return .endOfStream }
    defer { missingSamples = lost }
    return .gap(missing: lost &- missingSamples)
  }

  /// The next `count` filled slots, in order.
  private func regions(_ count: Int) -> (UnsafeBufferPointer<Float>, UnsafeBufferPointer<Float>) {
    let first = min(count, memory.capacity - slot)
    return (
      UnsafeBufferPointer(start: memory.samples + slot, count: first),
      UnsafeBufferPointer(start: memory.samples, count: count - first)
    )
  }

  /// Gives `count` slots back. Sequentially consistent rather than release for `wake`'s sake.
  private mutating func commit(_ count: Int) {
    index &+= UInt64(count)
    slot += count
    if slot >= memory.capacity { slot -= memory.capacity }
    memory.read.index.store(index, ordering: .sequentiallyConsistent)
    memory.written.wake(wakeWriter)
  }
}
