import CVoiceActivity
import CVoiceActivityInternals
import Testing

/// What a call that returns an error leaves behind: nothing that a loop over results could take for new results.
@Suite struct ErrorTests {
  /// Expects that an output that still holds the results of the previous call, as in a caller's loop, becomes empty.
  private func expectEmpty(
    capacity: Int = 16, hops: Bool = false, after expected: va_status_code,
    _ call: (UnsafeMutablePointer<va_output>, inout Int) -> va_status_code
  ) {
    var events = [va_event](repeating: va_event(), count: 16)
    var hop = va_hop()
    var consumed = 99
    events.withUnsafeMutableBufferPointer { events in
      withUnsafeMutablePointer(to: &hop) { hop in
        var output = va_output()
        (output.events, output.event_capacity) = (events.baseAddress, capacity)
        if hops { output.hops = hop }
        (output.event_count, output.hop_count, output.more) = (7, 7, true)
        #expect(call(&output, &consumed) == expected)
        #expect(output.event_count == 0 && output.hop_count == 0 && !output.more)
      }
    }
    #expect(consumed == 0)
  }

  @Test func aFlushedStreamAnswersNothing() {
    let stream = Stream()
    stream.finish()
    let d = stream.detector
    expectEmpty(after: VA_ERROR_ARGUMENT) { va_detector_process(d, nil, [0, 0], 2, &$1, $0) }
    expectEmpty(after: VA_ERROR_ARGUMENT) { va_detector_process_s16(d, nil, [0, 0], 2, &$1, $0) }
    expectEmpty(after: VA_ERROR_ARGUMENT) {
      $1 = 0
      return va_detector_push_gap(d, nil, 1, $0)
    }
    expectEmpty(after: VA_ERROR_ARGUMENT) {
      $1 = 0
      return va_detector_push_level(d, 1, 30, true, $0)
    }
    expectEmpty(after: VA_ERROR_ARGUMENT) { output, consumed in
      [Float](repeating: 0, count: 2).withUnsafeBufferPointer { samples in
        var item = va_batch_item()
        (item.detector, item.output, item.consumed) = (d, output, 99)
        (item.samples, item.count) = (samples.baseAddress, 2)
        let code = va_process_batch(&item, 1)
        consumed = item.consumed
        #expect(item.status == code)
        return code
      }
    }
  }

  @Test func anOutputThatIsTooSmallIsEmptied() {
    let stream = Stream()
    let small = Int(VA_EVENTS_PER_HOP_MAX) - 1
    let d = stream.detector
    expectEmpty(capacity: small, after: VA_ERROR_EVENT_CAPACITY) {
      va_detector_process(d, nil, [0, 0], 2, &$1, $0)
    }
    expectEmpty(hops: true, after: VA_ERROR_EVENT_CAPACITY) {
      va_detector_process(d, nil, [0, 0], 2, &$1, $0)
    }
    expectEmpty(capacity: small, after: VA_ERROR_EVENT_CAPACITY) {
      $1 = 0
      return va_detector_flush(d, nil, $0)
    }
    expectEmpty(after: VA_ERROR_ARGUMENT) { va_detector_process(d, nil, nil, 2, &$1, $0) }
    expectEmpty(after: VA_ERROR_ARGUMENT) { va_detector_process(nil, nil, [0], 1, &$1, $0) }
    #expect(stream.status.hops == 0 && stream.finish().hops.isEmpty, "nothing was taken")
  }
}
