internal import Atomics

extension SampleRing {
  /// The half of a ``SampleRing`` that puts samples in.
  ///
  /// Dropping it ends the stream: the reader gets what is stored and then ``Reader/Outcome/endOfStream``.
  ///
  /// Threads: one at a time, because a writer can be moved but not copied. It shares `RingMemory` with the reader by
  /// the protocol described there.
  public struct Writer: ~Copyable, Sendable {
    private let memory: RingMemory
    private let wakeReader: @Sendable () -> Void
    /// The ring index of the next sample to store: this half's own copy of `memory.written.index`.
    private var index: UInt64
    /// The slot of that sample, 0 ..< capacity.
    private var slot = 0
    /// The index that the reader last published, as far as this half has loaded it. It never exceeds the reader's, so
    /// room is never overestimated. It is loaded again only when it leaves too little room, which keeps the reader's
    /// line out of most writes.
    private var readIndex: UInt64
    private var markCount: UInt64 = 0
    /// The number of samples lost since the last stored one.
    private var openGap: UInt64 = 0
    /// Whether the open gap contains a block that found no room.
    private var isOverrun = false

    /// The number of samples lost so far: blocks that found no room, and samples reported by ``skip(_:)``.
    public private(set) var lostSamples: UInt64 = 0

    init(_ memory: RingMemory, startPosition: UInt64, wakeReader: @escaping @Sendable () -> Void) {
      self.memory = memory
      self.wakeReader = wakeReader
      index = startPosition
      readIndex = startPosition
    }

    deinit {
      memory.written.isGone.store(true, ordering: .sequentiallyConsistent)
      memory.read.wake(wakeReader)
    }

    /// Ends the stream. Dropping the writer does the same; this call makes it explicit.
    public consuming func close() {}
  }
}

extension SampleRing.Writer {
  /// The position of the next sample to write, lost samples included.
  public var position: UInt64 { index &+ lostSamples }

  /// The number of samples that fit in the ring.
  public var capacity: Int { memory.capacity }

  /// Whether the reader was dropped. Nobody will read what is written, so the producer can stop. Loaded with acquire
  /// order, so that the producer also sees what the reader's thread did before.
  public var isReaderGone: Bool { memory.read.isGone.load(ordering: .acquiring) }

  /// Writes a whole block, or loses all of it if there is no room.
  ///
  /// - Returns: Whether the block was stored. A lost block is already counted: do not write it again.
  @discardableResult
  public mutating func write(_ block: Span<Float>) -> Bool {
    guard makeRoom(for: block.count) else { return false }
    block.withUnsafeBufferPointer { block in
      let (first, second) = regions(block.count)
      _ = first.update(fromContentsOf: block[..<first.count])
      _ = second.update(fromContentsOf: block[first.count...])
    }
    commit(block.count)
    return true
  }

  /// Writes a block in place, without a copy, for a producer that converts while it writes.
  ///
  /// - Parameters:
  ///   - count: The number of samples in the block.
  ///   - fill: A closure that fills a region completely, given the offset of the region's first sample in the block. It
  ///     is called once, or twice where the block wraps round the end of the memory, and not at all if the block is
  ///     lost. The regions hold old samples.
  /// - Returns: Whether the block was stored, as in ``write(_:)``.
  @discardableResult
  public mutating func write(
    count: Int, _ fill: (_ region: inout MutableSpan<Float>, _ offset: Int) -> Void
  ) -> Bool {
    guard makeRoom(for: count) else { return false }
    let (first, second) = regions(count)
    var region = first.mutableSpan
    fill(&region, 0)
    if !second.isEmpty {
      region = second.mutableSpan
      fill(&region, first.count)
    }
    commit(count)
    return true
  }

  /// Reports samples that were lost before they reached the ring, for example in an overrun of the device.
  public mutating func skip(_ count: UInt64) {
    openGap &+= count
    lostSamples &+= count
    // Relaxed is enough: the reader needs the exact number only at the end, after it has acquired `isGone`.
    memory.written.lost.store(lostSamples, ordering: .relaxed)
  }
}

// MARK: - Waking a patient reader

extension SampleRing.Writer {
  /// Wakes a reader that sleeps, even if it waits for more samples than there are (``Reader/prepareToSleep(for:)``).
  public func wake() { memory.read.wake(wakeReader) }
}

// MARK: - Waiting for room

extension SampleRing.Writer {
  /// Returns how many samples a write can store now. For producers that can wait, such as a pipe; a device cannot.
  public mutating func room() -> Int {
    readIndex = memory.read.index.load(ordering: .sequentiallyConsistent)
    return canCloseGap ? freeSlots : 0
  }

  /// Declares this thread asleep, unless `count` samples fit already.
  ///
  /// - Parameter count: 1 … ``capacity``.
  /// - Returns: `true` if the thread may wait for `wakeWriter`'s signal and then call this again, because signals may
  ///   come early. `false` if there is room or the reader is gone.
  public mutating func prepareToSleep(untilRoomFor count: Int) -> Bool {
    precondition(count <= capacity, "waiting for more room than the ring has")
    memory.written.isAsleep.store(true, ordering: .sequentiallyConsistent)
    let isGone = memory.read.isGone.load(ordering: .sequentiallyConsistent)
    if room() < count && !isGone { return true }
    // Relaxed is enough: a reader that still sees the flag set sends a superfluous signal, which is allowed.
    memory.written.isAsleep.store(false, ordering: .relaxed)
    return false
  }
}

// MARK: - The protocol

extension SampleRing.Writer {
  private var freeSlots: Int { memory.capacity - Int(truncatingIfNeeded: index &- readIndex) }

  /// Whether there is no open gap, or a free mark for it in front of the next stored sample.
  private var canCloseGap: Bool {
    guard openGap > 0 else { return true }
    let taken = memory.read.markCount.load(ordering: .sequentiallyConsistent)
    return markCount &- taken < UInt64(RingMemory.markCapacity)
  }

  /// Makes sure that `count` samples fit and that the gap in front of them, if any, is marked. Otherwise the
  /// block joins the gap. Without a free mark the gap grows until there is one, so every loss counts.
  private mutating func makeRoom(for count: Int) -> Bool {
    // An empty block always fits, but must not close a gap for which there is no mark.
    guard count > 0 else { return true }
    if freeSlots < count || openGap > 0 {
      guard room() >= count else {
        overrun(by: count)
        return false
      }
      closeGap()
    }
    return true
  }

  private mutating func overrun(by count: Int) {
    if !isOverrun {
      memory.written.overruns.wrappingIncrement(ordering: .relaxed)
      isOverrun = true
    }
    skip(UInt64(count))
  }

  /// Publishes the gap. This must come before the samples after it: a reader that sees them must see the mark.
  private mutating func closeGap() {
    guard openGap > 0 else { return }
    memory.mark(markCount).pointee = GapMark(index: index, missing: openGap)
    openGap = 0
    isOverrun = false
    markCount &+= 1
    memory.written.markCount.store(markCount, ordering: .releasing)
  }

  /// The next `count` free slots, in order. They belong to this half until ``commit(_:)`` publishes them.
  private func regions(
    _ count: Int
  ) -> (UnsafeMutableBufferPointer<Float>, UnsafeMutableBufferPointer<Float>) {
    let first = min(count, memory.capacity - slot)
    return (
      UnsafeMutableBufferPointer(start: memory.samples + slot, count: first),
      UnsafeMutableBufferPointer(start: memory.samples, count: count - first)
    )
  }

  /// Passes `count` samples to the reader. The store is sequentially consistent rather than release because
  /// ``RingLine/wake(_:)`` needs it.
  private mutating func commit(_ count: Int) {
    index &+= UInt64(count)
    slot += count
    if slot >= memory.capacity { slot -= memory.capacity }
    memory.written.index.store(index, ordering: .sequentiallyConsistent)
    memory.read.wake(at: index, wakeReader)
  }
}
