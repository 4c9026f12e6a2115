import CVoiceActivity
import CVoiceActivityInternals
import Testing

/// A smoother that is fed with results made by hand.
final class SmootherStream {
  var config = va_config()
  /// What C made. It is valid as long as this object lives.
  let smoother: UnsafeMutablePointer<va_smoother>
  var result = StreamResult()
  private let hopCapacity: Int

  init(hopCapacity: Int = 64) throws {
    va_config_default(&config, SmootherTests.rate)
    var made: UnsafeMutablePointer<va_smoother>?
    try #require(va_smoother_create(&config, &made) == VA_OK)
    smoother = made!
    self.hopCapacity = hopCapacity
  }

  deinit { va_smoother_destroy(smoother) }

  /// Takes hops in portions of some lengths, each with the events that came with it, and the end.
  func run(
    _ hops: [va_hop], _ events: [Int: va_event] = [:], portion: () -> Int = { 200 }
  ) throws -> StreamResult {
    var rest = hops[...]
    while !rest.isEmpty {
      let some = rest.prefix(portion())
      rest = rest.dropFirst(some.count)
      try take(Array(some), some.indices.compactMap { events[$0] })
    }
    try process(nil)
    return result
  }

  func take(_ hops: [va_hop], _ events: [va_event]) throws {
    var (hops, events) = (hops, events)
    try hops.withUnsafeMutableBufferPointer { hops in
      try events.withUnsafeMutableBufferPointer { events in
        var results = va_output()
        (results.hops, results.hop_count) = (hops.baseAddress, hops.count)
        (results.events, results.event_count) = (events.baseAddress, events.count)
        try process(&results)
      }
    }
  }

  private func process(_ results: UnsafePointer<va_output>?) throws {
    var hopRoom = [va_hop](repeating: va_hop(), count: hopCapacity)
    var eventRoom = [va_event](repeating: va_event(), count: Int(VA_EVENTS_PER_HOP_MAX))
    try hopRoom.withUnsafeMutableBufferPointer { hopRoom in
      try eventRoom.withUnsafeMutableBufferPointer { eventRoom in
        var smoothed = va_output()
        (smoothed.hops, smoothed.hop_capacity) = (hopRoom.baseAddress, hopRoom.count)
        (smoothed.events, smoothed.event_capacity) = (eventRoom.baseAddress, eventRoom.count)
        repeat {
          try #require(va_smoother_process(smoother, results, &smoothed) == VA_OK)
          result.hops += hopRoom[..<smoothed.hop_count]
          result.events += eventRoom[..<smoothed.event_count]
        } while smoothed.more
      }
    }
  }
}
