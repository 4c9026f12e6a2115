internal import CVoiceActivity
internal import RealTime

/// A set of streams on one thread whose newest samples are analysed in one call.
///
/// ```swift
/// var batch = VoiceActivityBatch()
/// let alice = batch.add(detector)
/// // Each tick: append what arrived for each stream, then analyse all of it.
/// batch.append(packet.span, to: alice)
/// batch.process { stream, event in … }
/// ```
/// A stream beside a loudspeaker has a reference, which hears what plays before the batch is processed:
///
/// ```swift
/// let bob = try batch.add(detector, beside: EchoReference(sampleRate: 48_000))
/// try batch.withReference(of: bob) { try $0.push(played.span) }
/// batch.append(heard.span, to: bob)
/// ```
/// The results equal those of separate detectors bit for bit; a batch spends less time waiting for memory. Rates,
/// formats and lengths may differ from stream to stream. Samples are copied when they are appended, so the caller may
/// reuse its packets at once. Once the batch has grown to the size of a tick, only ``add(_:)`` and ``remove(_:)``
/// allocate.
///
/// Threads: like a ``VoiceActivityDetector``, a batch belongs to one task or thread at a time. A server with several
/// threads has a batch for each. `@unchecked Sendable` is safe because a batch cannot be copied and owns its detectors
/// and buffers, so that they move to another thread together.
public struct VoiceActivityBatch: ~Copyable, @unchecked Sendable {
  /// An identifier of a stream in a batch.
  public struct Stream: Sendable, Hashable, BitwiseCopyable {
    fileprivate let place: Int
    /// Distinguishes the streams that have used the same place.
    fileprivate let number: Int
  }

  private struct Place {
    var core: DetectorCore?
    var echo: EchoCore?
    var number = 0
    /// The last run that holds samples of this stream.
    var run = 0
  }

  /// What one call appended.
  struct Part: BitwiseCopyable {
    var stream: Stream
    var missing: UInt64
    var isInteger: Bool
    var start: Int
    var count: Int
    /// The parts of one run belong to different streams, so that one call into C can take them and each stream keeps
    /// its order.
    var run: Int
  }

  /// Room for the results of two hops a stream; longer packets take further calls into C.
  private static var hopCapacity: Int { 2 }
  private static var eventCapacity: Int { 2 * Int(VA_EVENTS_PER_HOP_MAX) }

  private var places: [Place] = []
  private var free: [Int] = []
  private var run = 1
  /// Whether any detector that was added is timed.
  private var isTimed = false
  private var timedCalls = TimedCalls()
  private var floats = GrowingBuffer<Float>()
  private var integers = GrowingBuffer<Int16>()
  private var parts = GrowingBuffer<Part>()
  private var items = GrowingBuffer<va_batch_item>()
  private var outputs = GrowingBuffer<va_output>()
  private var events = GrowingBuffer<va_event>()
  private var hops = GrowingBuffer<va_hop>()

  /// Creates a batch without streams.
  public init() {}

  /// The number of streams.
  public var count: Int { places.count - free.count }

  /// Adds a detector, which belongs to the batch until it is removed. It must not be smoothed.
  public mutating func add(_ detector: consuming VoiceActivityDetector) -> Stream {
    precondition(!detector.isSmoothed, "a batch takes live detectors")
    let place = free.popLast() ?? places.count
    if place == places.count { places.append(Place()) }
    places[place].core = detector.core
    isTimed = isTimed || detector.core.stopwatch != nil
    places[place].number += 1
    return Stream(place: place, number: places[place].number)
  }

  /// Adds a detector, which hears what the reference knows to play beside it. Both belong to the batch until they are
  /// taken back.
  public mutating func add(
    _ detector: consuming VoiceActivityDetector, beside reference: consuming EchoReference
  ) -> Stream {
    let stream = add(detector)
    places[stream.place].echo = reference.core
    return stream
  }

  /// Calls `body` with the reference of a stream, to pass on what plays and to read its status.
  ///
  /// As without a batch, what plays comes before the microphone's samples of the same time, here before they are
  /// processed, and at most 100 ms before. A longer gap or packet is appended and processed in pieces.
  ///
  /// - Precondition: The batch holds the stream, and it has a reference.
  public mutating func withReference<Result, Failure: Error>(
    of stream: Stream, _ body: (inout EchoReference) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var reference = reference(of: stream)
    defer { places[stream.place].echo = reference.core }
    return try body(&reference)
  }

  /// Takes the reference of a stream back, for example to flush the detector beside it. Remove the detector next.
  ///
  /// - Precondition: As for ``withReference(of:_:)``.
  public mutating func removeReference(of stream: Stream) -> EchoReference {
    defer { places[stream.place].echo = nil }
    return reference(of: stream)
  }

  private func reference(of stream: Stream) -> EchoReference {
    _ = core(of: stream)
    guard let echo = places[stream.place].echo else {
      preconditionFailure("the stream has no reference")
    }
    return EchoReference(echo)
  }

  /// Removes a detector and returns it, for example to flush it. Samples that were appended but not processed are
  /// dropped, and so is its reference.
  ///
  /// - Precondition: The batch holds the stream.
  public mutating func remove(_ stream: Stream) -> VoiceActivityDetector {
    let core = core(of: stream)
    places[stream.place].core = nil
    places[stream.place].echo = nil
    free.append(stream.place)
    return VoiceActivityDetector(core)
  }

  /// Appends float samples (mono, full scale ±1) to a stream.
  ///
  /// - Parameters:
  ///   - samples: The samples, which are copied. Any number of them.
  ///   - missing: How many samples are missing before them.
  ///   - stream: A stream of this batch.
  public mutating func append(_ samples: Span<Float>, missing: UInt64 = 0, to stream: Stream) {
    note(stream, missing, isInteger: false, start: floats.count, count: samples.count)
    samples.withUnsafeBufferPointer { floats.append($0) }
  }

  /// Appends 16-bit samples to a stream, as the overload for floats does.
  public mutating func append(_ samples: Span<Int16>, missing: UInt64 = 0, to stream: Stream) {
    note(stream, missing, isInteger: true, start: integers.count, count: samples.count)
    samples.withUnsafeBufferPointer { integers.append($0) }
  }

  private mutating func note(
    _ stream: Stream, _ missing: UInt64, isInteger: Bool, start: Int, count: Int
  ) {
    _ = core(of: stream)
    if places[stream.place].run == run { run += 1 }
    places[stream.place].run = run
    parts.append(
      Part(
        stream: stream, missing: missing, isInteger: isInteger, start: start, count: count, run: run
      ))
  }

  /// Returns the stream's detector, or `nil` if the stream was removed, even where another one uses its place now.
  private func living(_ stream: Stream) -> DetectorCore? {
    places[stream.place].number == stream.number ? places[stream.place].core : nil
  }

  private func core(of stream: Stream) -> DetectorCore {
    guard let core = living(stream) else {
      preconditionFailure("the stream was removed from the batch")
    }
    return core
  }
}

// MARK: - Analysis

extension VoiceActivityBatch {
  /// Analyses everything that was appended, and reports the events stream by stream on the calling thread.
  public mutating func process(onEvent: (Stream, VoiceActivityEvent) -> Void) {
    process(wantsHops: false, { _, _ in }, onEvent)
  }

  /// Analyses everything that was appended, and reports each 10 ms hop and the events stream by stream.
  public mutating func process(
    onHop: (Stream, VoiceActivityHop) -> Void, onEvent: (Stream, VoiceActivityEvent) -> Void
  ) {
    process(wantsHops: true, onHop, onEvent)
  }

  private mutating func process(
    wantsHops: Bool, _ onHop: (Stream, VoiceActivityHop) -> Void,
    _ onEvent: (Stream, VoiceActivityEvent) -> Void
  ) {
    var first = 0
    while first < parts.count {
      var end = first + 1
      while end < parts.count, parts.start[end].run == parts.start[first].run { end += 1 }
      process(first..<end, wantsHops: wantsHops, onHop, onEvent)
      first = end
    }
    parts.removeAll()
    floats.removeAll()
    integers.removeAll()
    run += 1
  }

  /// Analyses one run.
  private mutating func process(
    _ range: Range<Int>, wantsHops: Bool, _ onHop: (Stream, VoiceActivityHop) -> Void,
    _ onEvent: (Stream, VoiceActivityEvent) -> Void
  ) {
    let start = isTimed ? timedCalls.start() : nil
    fillItems(of: range, wantsHops: wantsHops)
    va_process_batch(items.start, items.count)
    for index in 0..<items.count {
      let stream = parts.start[range.lowerBound + index].stream
      guard let core = living(stream) else { continue }
      report(items.start + index, stream, core, onHop, onEvent)
    }
    if let start { share(monotonicTime() - start, among: range) }
  }

  /// Counts an equal share of the run's time for each of its streams.
  private func share(_ nanoseconds: Int64, among range: Range<Int>) {
    for index in range {
      living(parts.start[index].stream)?.stopwatch?.count(nanoseconds / Int64(range.count))
    }
  }

  /// Reports what one item produced, and repeats the call into C until all of its samples are analysed.
  private func report(
    _ item: UnsafeMutablePointer<va_batch_item>, _ stream: Stream, _ core: DetectorCore,
    _ onHop: (Stream, VoiceActivityHop) -> Void, _ onEvent: (Stream, VoiceActivityEvent) -> Void
  ) {
    while true {
      precondition(item.pointee.status == VA_OK, "a stream of the batch was flushed")
      item.pointee.output.pointee.report(core, { onHop(stream, $0) }, { onEvent(stream, $0) })
      guard item.pointee.output.pointee.more else { return }
      let consumed = item.pointee.consumed
      item.pointee.samples = item.pointee.samples.map { $0 + consumed }
      item.pointee.samples_s16 = item.pointee.samples_s16.map { $0 + consumed }
      item.pointee.count -= consumed
      va_process_batch(item, 1)
    }
  }

  /// Fills `items` and `outputs` for one run.
  ///
  /// Everything is reserved first, so that the pointers between the buffers stay valid until the run is done. C skips
  /// items without a detector, which belong to streams that were removed in the meantime.
  private mutating func fillItems(of range: Range<Int>, wantsHops: Bool) {
    items.removeAll()
    outputs.removeAll()
    items.reserve(range.count)
    outputs.reserve(range.count)
    events.reserve(range.count * Self.eventCapacity)
    hops.reserve(range.count * Self.hopCapacity)
    for index in 0..<range.count {
      outputs.append(
        va_output(
          events: events.start + index * Self.eventCapacity, event_capacity: Self.eventCapacity,
          event_count: 0, hops: wantsHops ? hops.start + index * Self.hopCapacity : nil,
          hop_capacity: wantsHops ? Self.hopCapacity : 0, hop_count: 0, more: false))
      let part = parts.start[range.lowerBound + index]
      items.append(
        va_batch_item(
          detector: living(part.stream)?.detector, echo: places[part.stream.place].echo?.echo,
          samples: part.isInteger ? nil : UnsafePointer(floats.start + part.start),
          samples_s16: part.isInteger ? UnsafePointer(integers.start + part.start) : nil,
          count: part.count, missing: part.missing, output: outputs.start + index, consumed: 0,
          status: VA_OK, reserved: 0))
    }
  }
}
