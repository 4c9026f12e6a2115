internal import CVoiceActivity

/// Many streams of one thread, whose newest samples are analysed in one call.
///
/// ```swift
/// var batch = VoiceActivityBatch()
/// let alice = batch.add(detector)
/// // each tick: what came for each stream, then all of it
/// batch.append(packet.span, to: alice)
/// batch.process { stream, event in … }
/// ```
/// The results are those of the detectors one by one, bit for bit; less time is spent on waiting for memory. Rates,
/// formats and lengths may differ from stream to stream. Samples are copied when they are appended, so that packets may
/// come and go. Once it has grown to a tick's size, nothing allocates but ``add(_:)`` and ``remove(_:)``.
///
/// Threads: like a ``VoiceActivityDetector``, one task or thread at a time has a batch. A server with several threads
/// has a batch for each.
public struct VoiceActivityBatch: ~Copyable, @unchecked Sendable {
  /// A stream of a batch.
  public struct Stream: Sendable, Hashable, BitwiseCopyable {
    fileprivate let place: Int
    /// Tells the streams apart that have had the place.
    fileprivate let number: Int
  }

  private struct Place {
    var core: DetectorCore?
    var number = 0
    /// The last run that has samples of it.
    var run = 0
  }

  /// What was appended in one call.
  struct Part: BitwiseCopyable {
    var stream: Stream
    var missing: UInt64
    var isInteger: Bool
    var start: Int
    var count: Int
    /// Parts of one run are of different streams, so that C takes them in one call and none overtakes another.
    var run: Int
  }

  /// Room for the results of two hops; those of longer packets take further calls.
  private static var hopCapacity: Int { 2 }
  private static var eventCapacity: Int { 2 * Int(VA_EVENTS_PER_HOP_MAX) }

  private var places: [Place] = []
  private var free: [Int] = []
  private var run = 1
  /// A detector was added that is timed.
  private var isTimed = false
  private var timedCalls = TimedCalls()
  private var floats = GrowingBuffer<Float>()
  private var integers = GrowingBuffer<Int16>()
  private var parts = GrowingBuffer<Part>()
  private var items = GrowingBuffer<va_batch_item>()
  private var outputs = GrowingBuffer<va_output>()
  private var events = GrowingBuffer<va_event>()
  private var hops = GrowingBuffer<va_hop>()

  /// Without streams.
  public init() {}

  /// How many streams there are.
  public var count: Int { places.count - free.count }

  /// Takes a detector in, for good or until it is removed.
  public mutating func add(_ detector: consuming VoiceActivityDetector) -> Stream {
    let place = free.popLast() ?? places.count
    if place == places.count { places.append(Place()) }
    places[place].core = detector.core
    isTimed = isTimed || detector.core.stopwatch != nil
    places[place].number += 1
    return Stream(place: place, number: places[place].number)
  }

  /// Gives a detector back, to be flushed for instance. What was appended and not processed is forgotten.
  public mutating func remove(_ stream: Stream) -> VoiceActivityDetector {
    let core = core(of: stream)
    places[stream.place].core = nil
    free.append(stream.place)
    return VoiceActivityDetector(core)
  }

  /// Notes samples of a stream, with how many are missing before them.
  public mutating func append(_ samples: Span<Float>, missing: UInt64 = 0, to stream: Stream) {
    note(stream, missing, isInteger: false, start: floats.count, count: samples.count)
    samples.withUnsafeBufferPointer { floats.append($0) }
  }

  /// Notes 16-bit samples of a stream, with how many are missing before them.
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

  /// `nil` for a stream that was removed, though another may have its place now.
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
  /// Analyses all that was appended, and tells what happened, stream by stream.
  public mutating func process(onEvent: (Stream, VoiceActivityEvent) -> Void) {
    process(wantsHops: false, { _, _ in }, onEvent)
  }

  /// The same, and tells of each 10 ms hop.
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

  /// One run.
  private mutating func process(
    _ range: Range<Int>, wantsHops: Bool, _ onHop: (Stream, VoiceActivityHop) -> Void,
    _ onEvent: (Stream, VoiceActivityEvent) -> Void
  ) {
    let start = isTimed ? timedCalls.start() : nil
    lay(range, wantsHops: wantsHops)
    va_process_batch(items.start, items.count)
    for index in 0..<items.count {
      let stream = parts.start[range.lowerBound + index].stream
      if let core = living(stream) { tell(items.start + index, stream, core, onHop, onEvent) }
    }
    if let start { share(monotonicTime() - start, among: range) }
  }

  /// Counts what the run took for each of its streams.
  private func share(_ nanoseconds: Int64, among range: Range<Int>) {
    for index in range {
      living(parts.start[index].stream)?.stopwatch?.count(nanoseconds / Int64(range.count))
    }
  }

  /// What one item has brought, to its end.
  private func tell(
    _ item: UnsafeMutablePointer<va_batch_item>, _ stream: Stream, _ core: DetectorCore,
    _ onHop: (Stream, VoiceActivityHop) -> Void, _ onEvent: (Stream, VoiceActivityEvent) -> Void
  ) {
    while true {
      precondition(item.pointee.status == VA_OK, "a stream of the batch was flushed")
      item.pointee.output.pointee.tell(core, { onHop(stream, $0) }, { onEvent(stream, $0) })
      guard item.pointee.output.pointee.more else { return }
      let consumed = item.pointee.consumed
      item.pointee.samples = item.pointee.samples.map { $0 + consumed }
      item.pointee.samples_s16 = item.pointee.samples_s16.map { $0 + consumed }
      item.pointee.count -= consumed
      va_process_batch(item, 1)
    }
  }

  /// Writes the run as C wants it. C passes over items without a detector: streams that were removed meanwhile.
  private mutating func lay(_ range: Range<Int>, wantsHops: Bool) {
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
          detector: living(part.stream)?.detector,
          samples: part.isInteger ? nil : UnsafePointer(floats.start + part.start),
          samples_s16: part.isInteger ? UnsafePointer(integers.start + part.start) : nil,
          count: part.count, missing: part.missing, output: outputs.start + index, consumed: 0,
          status: VA_OK, reserved: 0))
    }
  }
}
