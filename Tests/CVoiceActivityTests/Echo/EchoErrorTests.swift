import CVoiceActivity
import CVoiceActivityInternals
import TestSupport
import Testing

@Suite struct EchoErrorTests {
  @Test func anEchoIsSmall() {
    #expect(va_echo_size() <= Int(VA_ECHO_SIZE_MAX))
    #expect(va_echo_size() == MemoryLayout<va_echo>.size)
  }

  @Test func badArgumentsAreRefused() {
    let size = va_echo_size()
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size + 64, alignment: 64)
    defer { memory.deallocate() }
    var echo: UnsafeMutablePointer<va_echo>?
    #expect(va_echo_init(nil, size, 16_000, &echo) == VA_ERROR_ARGUMENT)
    #expect(va_echo_init(memory, size, 16_000, nil) == VA_ERROR_ARGUMENT)
    #expect(va_echo_init(memory + 8, size, 16_000, &echo) == VA_ERROR_ARGUMENT)
    #expect(va_echo_init(memory, size - 1, 16_000, &echo) == VA_ERROR_ARGUMENT)
    #expect(va_echo_init(memory, size, 7_999, &echo) == VA_ERROR_SAMPLE_RATE)
    #expect(va_echo_init(memory, size, 192_001, &echo) == VA_ERROR_SAMPLE_RATE)
    #expect(
      echo == nil && va_echo_create(0, &echo) == VA_ERROR_SAMPLE_RATE
        && va_echo_create(16_000, nil) == VA_ERROR_ARGUMENT)
    #expect(
      va_echo_push(nil, [0], 1) == VA_ERROR_ARGUMENT
        && va_echo_push_silence(nil, 1) == VA_ERROR_ARGUMENT)
    #expect(va_echo_create(48_000, &echo) == VA_OK)
    #expect(
      va_echo_push(echo, nil, 1) == VA_ERROR_ARGUMENT
        && va_echo_push_s16(echo, nil, 1) == VA_ERROR_ARGUMENT)
    #expect(va_echo_push(echo, nil, 0) == VA_OK)
    var status = va_echo_status()
    #expect(
      va_echo_state(echo, &status) == VA_ERROR_STRUCT_SIZE
        && va_echo_state(nil, &status) == VA_ERROR_ARGUMENT)
    va_echo_destroy(echo)
    va_echo_destroy(nil)
  }

  @Test func aResetEchoIsANewOne() {
    let far = farEnd(seconds: 3)
    let microphone = echo(of: far, after: 80, gain: -10)
    let used = EchoStream(referenceRate: 16_000)
    let new = EchoStream(referenceRate: 16_000)
    used.hear(microphone, beside: far)
    va_echo_reset(used.echo)
    va_detector_reset(used.stream.detector)
    used.stream.result = StreamResult()
    used.hear(microphone, beside: far)
    new.hear(microphone, beside: far)
    #expect(used.finish() == new.finish())
  }

  /// Bytes that no echo wrote are refused, whichever byte of them is changed; with a corrected checksum they are
  /// refused, or restored to an echo that works.
  @Test func changedBytesAreRefused() {
    let beside = EchoStream(referenceRate: 44_100)
    beside.hear(
      echo(of: farEnd(seconds: 1), after: 30, gain: -5), beside: farEnd(seconds: 1, rate: 44_100))
    var bytes = [UInt8](repeating: 0, count: va_echo_saved_size())
    var size = 0
    #expect(va_echo_save(beside.echo, &bytes, bytes.count - 1, &size) == VA_ERROR_ARGUMENT)
    #expect(va_echo_save(beside.echo, &bytes, bytes.count, &size) == VA_OK)
    #expect(size < va_echo_saved_size() && bytes[0..<4].elementsEqual("VAec".utf8))
    let memory = UnsafeMutableRawPointer.allocate(byteCount: va_echo_size(), alignment: 64)
    defer { memory.deallocate() }
    var restored: UnsafeMutablePointer<va_echo>?
    var survivors = 0
    for at in stride(from: 0, to: size, by: 1) {
      var changed = bytes
      changed[at] ^= 0x55
      #expect(va_echo_restore(memory, va_echo_size(), changed, size, &restored) != VA_OK)
      let sum = crc32(changed[..<(size - 4)])
      for i in 0..<4 { changed[size - 4 + i] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(i))) }
      guard va_echo_restore(memory, va_echo_size(), changed, size, &restored) == VA_OK else {
        continue
      }
      survivors += 1
      let stream = Stream()
      _ = va_echo_push_silence(restored, 441)
      let sound = whiteNoise(count: 3_200, rms: 0.1, seed: UInt64(at))
      var consumed = 0
      stream.call {
        va_detector_process(stream.detector, restored, sound, 3_200, &consumed, $0)
      }
      #expect(stream.result.hops.allSatisfy { (0...1).contains($0.posterior) })
    }
    #expect(survivors > 100)
    #expect(
      va_echo_restore(memory, va_echo_size(), bytes, size - 1, &restored) == VA_ERROR_SAVED_DATA)
    #expect(va_echo_restore(memory, va_echo_size(), bytes, size, &restored) == VA_OK)
  }
  /// A step in progress that is longer than a step has room in the bytes, and the position does not tell.
  @Test(arguments: [8_000, 16_000, 44_100])
  func aStepThatIsTooLongIsRefused(rate: Int) {
    let beside = EchoStream(referenceRate: rate)
    #expect(beside.push([Float](repeating: 0.1, count: rate / 50 * 2 + rate / 100)) == VA_OK)
    beside.echo.pointee.reference.steps -= 1
    beside.echo.pointee.reference.fill += UInt16(rate == 8_000 ? 160 : 320)
    var bytes = [UInt8](repeating: 0, count: va_echo_saved_size())
    var size = 0
    #expect(va_echo_save(beside.echo, &bytes, bytes.count, &size) == VA_ERROR_SAVED_DATA)
  }
}
