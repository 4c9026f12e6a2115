import CVoiceActivity
import CVoiceActivityInternals
import TestSupport
import Testing

/// Bytes that `va_detector_save` did not write, or that were forged.
@Suite struct RestoreTests {
  /// A stream saved during speech, with a gap that waits for its event and a resampler of two stages.
  static let bytes: [UInt8] = {
    let stream = SaveTests.makeStream(rate: 96_000)
    stream.process(synthesizedSpeech(seconds: 0.5, rate: 96_000, phrases: [0.1...0.5]))
    stream.pushGap(777)
    return stream.saved()
  }()

  /// Restores into separate memory, and then calls `body` with the stream.
  static func restore(
    _ bytes: [UInt8], then body: (UnsafeMutablePointer<va_detector>) -> Void = { _ in }
  ) -> va_status_code {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: va_detector_size(), alignment: Int(VA_DETECTOR_ALIGNMENT))
    defer { memory.deallocate() }
    var detector: UnsafeMutablePointer<va_detector>?
    // Copy to memory of exactly that size, so that a read beyond it is caught.
    let exact = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
    defer { exact.deallocate() }
    exact.initialize(from: bytes, count: bytes.count)
    let code = va_detector_restore(memory, va_detector_size(), exact, bytes.count, &detector)
    #expect((detector == nil) == (code != VA_OK))
    if let detector { body(detector) }
    return code
  }

  /// Returns the bytes with a matching checksum.
  static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    let body = bytes.dropLast(4)
    return body + littleEndianBytes(crc32(body))
  }

  static func littleEndianBytes(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  @Test func everyChangedByteIsNoticed() {
    #expect(Self.restore(Self.bytes) == VA_OK)
    var generator = SeededGenerator(seed: 70)
    for index in Self.bytes.indices {
      var changed = Self.bytes
      changed[index] ^= UInt8.random(in: 1...255, using: &generator)
      let code = Self.restore(changed)
      // Format and model are checked first: where they differ, the place of the checksum is unknown.
      #expect(
        code == ((4..<12).contains(index) ? VA_ERROR_SAVED_VERSION : VA_ERROR_SAVED_DATA),
        "\(index)")
    }
  }

  @Test func everyOtherLengthIsRefused() {
    for count in Self.bytes.indices {
      #expect(Self.restore(Array(Self.bytes.prefix(count))) == VA_ERROR_SAVED_DATA, "\(count)")
      let cut = Self.bytes.prefix(count)
      guard count >= 20 else { continue }
      let whole = Array(cut[..<12]) + Self.littleEndianBytes(UInt32(count)) + Array(cut[16...])
      #expect(Self.restore(Self.sealed(whole)) == VA_ERROR_SAVED_DATA, "sealed at \(count)")
    }
    #expect(Self.restore(Self.bytes + [0]) == VA_ERROR_SAVED_DATA)
    let longer = Self.bytes[..<12] + Self.littleEndianBytes(UInt32(Self.bytes.count + 1))
    #expect(Self.restore(Self.sealed(longer + Self.bytes[16...] + [0])) == VA_ERROR_SAVED_DATA)
  }

  /// Whatever the fields hold under a matching checksum, the bytes are rejected or give a stream that keeps the
  /// promises about its results. The sanitizers watch (make asan).
  @Test(arguments: [UInt32(0x7FC0_0000), 0x7F80_0000, 0xFFFF_FFFF, 0x7149_F2CA, 0])
  func noFieldIsTrusted(value: UInt32) {
    var (restored, refused) = (0, 0)
    for index in 16..<Self.bytes.count - 8 {
      var changed = Self.bytes
      changed.replaceSubrange(index..<index + 4, with: Self.littleEndianBytes(value))
      let sealed = Self.sealed(changed)
      let code = Self.restore(sealed) { detector in
        restored += 1
        #expect(save(detector) == sealed, "\(index)")
        use(detector, at: index)
      }
      #expect(code == VA_OK || code == VA_ERROR_SAVED_DATA)
      if code != VA_OK { refused += 1 }
    }
    #expect(restored > 0 && refused > 0)
  }

  /// Saves a detector, unless the values are out of bounds or NaN, which saving rejects as restoring does.
  private func save(_ detector: UnsafeMutablePointer<va_detector>) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: va_detector_saved_size())
    var size = 0
    let code = va_detector_save(detector, &bytes, bytes.count, &size)
    return code == VA_OK ? Array(bytes.prefix(size)) : nil
  }

  private func use(_ detector: UnsafeMutablePointer<va_detector>, at index: Int) {
    let sound = [Float](repeating: 0.25, count: 2000)
    var consumed = 0
    var result = withHops { va_detector_process(detector, nil, sound, sound.count, &consumed, $0) }
    result += withHops { va_detector_push_gap(detector, nil, 500, $0) }
    result += withHops { va_detector_flush(detector, nil, $0) }
    for hop in result {
      #expect((0...1).contains(hop.posterior) && (-127...12).contains(hop.level_dbfs), "\(index)")
      #expect((-127...12).contains(hop.noise_floor_dbfs) && hop.state <= 3, "\(index)")
    }
  }

  @Test func otherFormatsAndNetworksAreReported() {
    for index in [4, 8] {
      var changed = Self.bytes
      changed[index] &+= 1
      #expect(Self.restore(Self.sealed(changed)) == VA_ERROR_SAVED_VERSION)
    }
  }

  @Test(arguments: [
    (0, 7999), (0, 192_001), (1, 0x3F80_0000), (2, 0x3F40_0000), (3, 3_600_001), (8, 3_600_001),
  ])
  func anImpossibleConfigurationIsRefused(field: Int, value: Int) {
    var changed = Self.bytes
    let at = 16 + 4 * field
    changed.replaceSubrange(at..<at + 4, with: Self.littleEndianBytes(UInt32(value)))
    #expect(Self.restore(Self.sealed(changed)) == VA_ERROR_SAVED_DATA)
  }

  @Test func argumentsAreChecked() {
    let stream = SaveTests.makeStream(rate: 16_000)
    var bytes = [UInt8](repeating: 0, count: va_detector_saved_size())
    let room = bytes.count
    var size = 0
    var detector: UnsafeMutablePointer<va_detector>?
    #expect(va_detector_save(nil, &bytes, room, &size) == VA_ERROR_ARGUMENT)
    #expect(va_detector_save(stream.detector, nil, room, &size) == VA_ERROR_ARGUMENT)
    #expect(va_detector_save(stream.detector, &bytes, room, nil) == VA_ERROR_ARGUMENT)
    #expect(va_detector_save(stream.detector, &bytes, room - 1, &size) == VA_ERROR_ARGUMENT)
    #expect(va_detector_save(stream.detector, &bytes, room, &size) == VA_OK)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 8256, alignment: 64)
    defer { memory.deallocate() }
    #expect(va_detector_restore(nil, 8192, bytes, size, &detector) == VA_ERROR_ARGUMENT)
    #expect(va_detector_restore(memory, 8192, nil, size, &detector) == VA_ERROR_ARGUMENT)
    #expect(va_detector_restore(memory, 8192, bytes, size, nil) == VA_ERROR_ARGUMENT)
    #expect(va_detector_restore(memory + 8, 8192, bytes, size, &detector) == VA_ERROR_ARGUMENT)
    let small = va_detector_size_for(16_000) - 1
    #expect(va_detector_restore(memory, small, bytes, size, &detector) == VA_ERROR_ARGUMENT)
    #expect(va_detector_restore(memory, 8192, bytes, 0, &detector) == VA_ERROR_SAVED_DATA)
    #expect(detector == nil)
    #expect(va_detector_restore(memory, small + 1, bytes, size, &detector) == VA_OK)
  }
}
