import CVoiceActivity
import CVoiceActivityInternals

/// The results of a stream: every hop and every event, in order.
struct StreamResult: Equatable {
  var hops: [va_hop] = []
  var events: [va_event] = []

  var segments: [Range<UInt64>] {
    let onsets = events.filter { $0.type == VA_EVENT_ONSET.rawValue }.map(\.position)
    let offsets = events.filter { $0.type == VA_EVENT_OFFSET.rawValue }.map(\.position)
    return zip(onsets, offsets).map { $0..<$1 }
  }

  func count(_ type: va_event_type) -> Int { events.filter { $0.type == type.rawValue }.count }

  static func == (a: Self, b: Self) -> Bool {
    a.hops.map(\.bits) == b.hops.map(\.bits) && a.events.map(\.bits) == b.events.map(\.bits)
  }
}

extension va_hop {
  var bits: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }
}

extension va_event {
  var bits: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }
}

/// A detector driven through the C interface, with as little room for results as the test asks for.
///
/// The memory, and the detector in it, are valid as long as this object lives.
final class Stream {
  private(set) var memory: UnsafeMutableRawPointer
  private(set) var detector: UnsafeMutablePointer<va_detector>
  /// The loudspeaker beside it, if there is one.
  var echo: UnsafeMutablePointer<va_echo>?
  let eventRoom: Int
  let hopRoom: Int
  var result = StreamResult()

  init(
    rate: Int = 16_000, eventRoom: Int = 16, hopRoom: Int = 64,
    configure: (inout va_config) -> Void = { _ in }
  ) {
    var config = va_config()
    va_config_default(&config, UInt32(rate))
    configure(&config)
    let size = va_detector_size_for(UInt32(rate))  // not a byte more, so that a sanitizer sees it
    memory = .allocate(byteCount: size, alignment: Int(VA_DETECTOR_ALIGNMENT))
    var made: UnsafeMutablePointer<va_detector>?
    precondition(va_detector_init(memory, size, &config, &made) == VA_OK)
    detector = made!
    self.eventRoom = eventRoom
    self.hopRoom = hopRoom
  }

  deinit { memory.deallocate() }

  /// Makes one call with fresh room and keeps its results. Returns whether more wait.
  @discardableResult
  func call(_ body: (UnsafeMutablePointer<va_output>) -> va_status_code) -> Bool {
    var events = [va_event](repeating: va_event(), count: eventRoom)
    var hops = [va_hop](repeating: va_hop(), count: hopRoom)
    var output = va_output()
    events.withUnsafeMutableBufferPointer { events in
      hops.withUnsafeMutableBufferPointer { hops in
        output.events = events.baseAddress
        output.event_capacity = events.count
        output.hops = hopRoom > 0 ? hops.baseAddress : nil
        output.hop_capacity = hops.count
        precondition(body(&output) == VA_OK)
      }
    }
    result.hops += hops.prefix(output.hop_count)
    result.events += events.prefix(output.event_count)
    return output.more
  }

  /// Keeps the results of a call that the test made itself.
  func take(_ output: va_output) {
    result.hops += UnsafeBufferPointer(start: output.hops, count: output.hop_count)
    result.events += UnsafeBufferPointer(start: output.events, count: output.event_count)
  }

  func process(_ samples: [Float], chunk: Int = .max) {
    feed(samples, chunk: chunk) { va_detector_process(self.detector, self.echo, $0, $1, &$2, $3) }
  }

  func process(_ samples: [Int16], chunk: Int = .max) {
    feed(samples, chunk: chunk) {
      va_detector_process_s16(self.detector, self.echo, $0, $1, &$2, $3)
    }
  }

  private func feed<Sample>(
    _ samples: [Sample], chunk: Int,
    _ process: (UnsafePointer<Sample>, Int, inout Int, UnsafeMutablePointer<va_output>) ->
      va_status_code
  ) {
    samples.withUnsafeBufferPointer { all in
      var done = 0
      while done < all.count {
        var consumed = 0
        let count = min(chunk, all.count - done)
        call { process(all.baseAddress! + done, count, &consumed, $0) }
        done += consumed
      }
    }
  }

  func pushGap(_ count: UInt64) {
    callUntilAll { va_detector_push_gap(self.detector, self.echo, count, $0) }
  }

  func pushLevel(_ count: UInt64, _ level: UInt8, voice: Bool) {
    callUntilAll { va_detector_push_level(self.detector, count, level, voice, $0) }
  }

  private func callUntilAll(_ first: (UnsafeMutablePointer<va_output>) -> va_status_code) {
    var more = call(first)
    while more {
      var consumed = 0
      more = call { va_detector_process(self.detector, self.echo, nil, 0, &consumed, $0) }
    }
  }

  /// Returns what `va_detector_save` writes.
  func saved() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: va_detector_saved_size())
    var size = 0
    precondition(va_detector_save(detector, &bytes, bytes.count, &size) == VA_OK)
    return Array(bytes.prefix(size))
  }

  /// Continues in other memory with what was saved and nothing else.
  func move() {
    let bytes = saved()
    let size = va_detector_size_for(detector.pointee.config.sample_rate_hz)
    memory.deallocate()
    memory = .allocate(byteCount: size, alignment: Int(VA_DETECTOR_ALIGNMENT))
    memory.initializeMemory(as: UInt8.self, repeating: 0xEE, count: size)
    var restored: UnsafeMutablePointer<va_detector>?
    precondition(va_detector_restore(memory, size, bytes, bytes.count, &restored) == VA_OK)
    detector = restored!
  }

  @discardableResult
  func finish() -> StreamResult {
    while call({ va_detector_flush(self.detector, self.echo, $0) }) {}
    return result
  }

  var status: va_status {
    var status = va_status()
    status.struct_size = UInt32(MemoryLayout<va_status>.size)
    precondition(va_detector_status(detector, &status) == VA_OK)
    return status
  }
}

func analyze(
  _ samples: [Float], rate: Int = 16_000, chunk: Int = .max,
  configure: (inout va_config) -> Void = { _ in }
) -> StreamResult {
  let stream = Stream(rate: rate, configure: configure)
  stream.process(samples, chunk: chunk)
  return stream.finish()
}

/// Makes one call with room for 16 events and `hops` records, and returns its status code.
func withOutput(
  hops: UnsafeMutableBufferPointer<va_hop> = .init(start: nil, count: 0),
  _ body: (UnsafeMutablePointer<va_output>) -> va_status_code
) -> va_status_code {
  var events = [va_event](repeating: va_event(), count: 16)
  return events.withUnsafeMutableBufferPointer { events in
    var output = va_output()
    (output.events, output.event_capacity) = (events.baseAddress, events.count)
    (output.hops, output.hop_capacity) = (hops.baseAddress, hops.count)
    return body(&output)
  }
}

/// Returns the hops of one call, at most 64.
func withHops(_ body: (UnsafeMutablePointer<va_output>) -> va_status_code) -> [va_hop] {
  var hops = [va_hop](repeating: va_hop(), count: 64)
  var count = 0
  _ = hops.withUnsafeMutableBufferPointer { hops in
    withOutput(hops: hops) { output in
      let code = body(output)
      count = code == VA_OK ? output.pointee.hop_count : 0
      return code
    }
  }
  return Array(hops.prefix(count))
}
