internal import Atomics

extension SampleRing {
  /// The half of a ``SampleRing`` that puts samples in. One thread at a time; movable, not copyable.
  ///
  /// Dropping it ends the stream: the reader gets what is stored and then ``Reader/Outcome/endOfStream``.
  public struct Writer: ~Copyable, @unchecked Sendable {
    private let memory: RingMemory
    private let wakeReader: @Sendable () -> Void
    /// Ring index of the next stored sample: this half's own copy of `memory.written.index`.
    private var index: UInt64
    /// Where that sample goes, 0 ..< capacity.
    private var slot = 0
    /// What the reader last said; never ahead of it, so room is never overestimated. Looked up again only
    /// when it is too little, which keeps the reader's line out of most writes.
    private var readIndex: UInt64
    private var markCount: UInt64 = 0
    /// Samples lost since the last stored one.
    private var openGap: UInt64 = 0
    /// The open gap has a block that found no room.
    private var isOverrun = false

    /// Samples lost so far: blocks that found no room and samples reported by ``skip(_:)``.
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

    /// Ends the stream, like dropping the writer, but says so.
    public consuming func close() {}
  }
}

extension SampleRing.Writer {
  /// Position of the next sample to be written, lost ones counted.
  public var position: UInt64 { index &+ lostSamples }

  /// Samples that fit in the ring.
  public var capacity: Int { memory.capacity }

  /// The reader was dropped: nobody will read what is written, and the producer can stop.
  public var isReaderGone: Bool { memory.read.isGone.load(ordering: .acquiring) }

  /// Writes a block whole, or loses it whole if there is no room.
  ///
  /// - Returns: Whether it was stored. A lost block is already accounted for: do not offer it again.
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

  /// Writes a block in place, without a copy: the way for a producer that converts while it writes.
  ///
  /// - Parameters:
  ///   - count: Samples in the block.
  ///   - fill: Called once or, where the block wraps round the end of the memory, twice, with a region to
  ///     fill completely and the offset of its first sample in the block. The regions hold old samples. Not
  ///     called if the block is lost.
  /// - Returns: Whether it was stored, as in ``write(_:)``.
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

  /// Reports samples that were lost before they came here, for example by an overrun of the device.
  public mutating func skip(_ count: UInt64) {
    openGap &+= count
    lostSamples &+= count
    // Relaxed: whoever needs the exact number (the reader, at the end) has acquired `isGone` first.
    memory.written.lost.store(lostSamples, ordering: .relaxed)
  }
}

// MARK: - Waiting for room

extension SampleRing.Writer {
  /// Samples that a write can store now. For producers that can wait, such as a pipe; a device cannot.
  public mutating func room() -> Int {
    readIndex = memory.read.index.load(ordering: .sequentiallyConsistent)
    return canCloseGap ? freeSlots : 0
  }

  /// Declares this thread asleep, unless `count` samples fit already.
  ///
  /// - Parameter count: 1 … ``capacity``.
  /// - Returns: `true`: wait for `wakeWriter`'s signal, then call this again, for signals may come early.
  ///   `false`: there is room, or the reader is gone; do not wait.
  public mutating func prepareToSleep(untilRoomFor count: Int) -> Bool {
    precondition(count <= capacity, "waiting for more room than the ring has")
    memory.written.isAsleep.store(true, ordering: .sequentiallyConsistent)
    let isGone = memory.read.isGone.load(ordering: .sequentiallyConsistent)
    if room() < count && !isGone { return true }
    memory.written.isAsleep.store(false, ordering: .relaxed)
    return false
  }
}

// MARK: - The protocol

extension SampleRing.Writer {
  private var freeSlots: Int { memory.capacity - Int(truncatingIfNeeded: index &- readIndex) }

  /// An open gap needs a mark in front of the next stored sample.
  private var canCloseGap: Bool {
    guard openGap > 0 else { return true }
    let taken = memory.read.markCount.load(ordering: .sequentiallyConsistent)
    return markCount &- taken < UInt64(RingMemory.markCapacity)
  }

  /// Makes sure that `count` samples fit and that the gap in front of them, if any, is marked. Otherwise the
  /// block joins the gap: with no free mark the gap grows until there is one, so no loss goes uncounted.
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

  /// Publishes the gap. Before the samples behind it: a reader that sees them must see the mark.
  private mutating func closeGap() {
    guard openGap > 0 else { return }
    memory.mark(markCount).pointee = GapMark(index: index, missing: openGap)
    openGap = 0
    isOverrun = false
    markCount &+= 1
    memory.written.markCount.store(markCount, ordering: .releasing)
  }

  /// The next `count` free slots, in order.
  private func regions(
    _ count: Int
  ) -> (UnsafeMutableBufferPointer<Float>, UnsafeMutableBufferPointer<Float>) {
    let first = min(count, memory.capacity - slot)
    return (
      UnsafeMutableBufferPointer(start: memory.samples + slot, count: first),
      UnsafeMutableBufferPointer(start: memory.samples, count: count - first)
    )
  }

  /// Hands `count` samples to the reader. Sequentially consistent rather than release for `wake`'s sake.
  private mutating func commit(_ count: Int) {
    index &+= UInt64(count)
    slot += count
    if slot >= memory.capacity { slot -= memory.capacity }
    memory.written.index.store(index, ordering: .sequentiallyConsistent)
    memory.read.wake(wakeReader)
  }
}
