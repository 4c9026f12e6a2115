import CVoiceActivity
import CVoiceActivityInternals
import TestSupport
import Testing

@Suite struct SaveTests {
  /// Plays onsets, hangovers, a gap, levels and muted speech within 2.6 s, and calls `between` after each step.
  static func play(_ stream: Stream, rate: Int, between: (Stream) -> Void = { _ in })
    -> StreamResult
  {
    let speech = synthesizedSpeech(seconds: 2, rate: Double(rate), phrases: [0.2...0.9, 1.2...1.9])
    func hear(_ range: Range<Int>) {
      for at in stride(from: range.lowerBound, to: range.upperBound, by: rate / 30) {
        stream.process(Array(speech[at..<min(at + rate / 30, range.upperBound)]))
        between(stream)
      }
    }
    hear(0..<rate / 2 + 7)
    stream.pushGap(UInt64(rate / 3))
    between(stream)
    stream.pushLevel(UInt64(rate / 50 + 1), 30, voice: true)
    between(stream)
    va_detector_set_muted(stream.detector, true)
    hear(rate / 2 + 7..<rate * 2)
    stream.pushGap(UInt64(rate / 4))
    between(stream)
    return stream.finish()
  }

  /// Makes a stream with low thresholds, so that every state occurs.
  static func makeStream(rate: Int, hopRoom: Int = 64) -> Stream {
    Stream(rate: rate, eventRoom: hopRoom == 1 ? 4 : 16, hopRoom: hopRoom) {
      ($0.onset_threshold, $0.offset_threshold) = (0.2, 0.1)
      ($0.mute_grace_ms, $0.hangover_ms, $0.onset_debounce_ms) = (50, 60, 20)
      ($0.muted_speech_hold_ms, $0.muted_speech_release_ms) = (900, 10)
    }
  }

  @Test(arguments: StreamingTests.rates)
  func aMovedStreamContinuesBitForBit(rate: Int) {
    let stayed = Self.play(Self.makeStream(rate: rate), rate: rate)
    let moved = Self.play(Self.makeStream(rate: rate), rate: rate) { $0.move() }
    #expect(moved == stayed)
    #expect(stayed.count(VA_EVENT_ONSET) > 0 && stayed.count(VA_EVENT_DISCONTINUITY) == 2)
    #expect(stayed.count(VA_EVENT_MUTED_SPEECH_BEGIN) > 0)
  }

  /// Speech, a silence in which the network's memory fades, and speech again.
  @Test func aFadingMemoryIsSaved() {
    func run(moving: Bool) -> StreamResult {
      let stream = Stream()
      let speech = synthesizedSpeech(seconds: 1, rate: 16_000, phrases: [0.2...0.9])
      let sound = speech + [Float](repeating: 0, count: 24_000) + speech
      for at in stride(from: 0, to: sound.count, by: 700) {
        stream.process(Array(sound[at..<min(at + 700, sound.count)]))
        if moving { stream.move() }
      }
      return stream.finish()
    }
    let stayed = run(moving: false)
    #expect(run(moving: true) == stayed)
    #expect(stayed.hops[110..<240].allSatisfy { $0.posterior == 0 }, "long enough to fade")
  }

  @Test func everyStateIsSaved() {
    var seen: Set<UInt32> = []
    var mutedSpeech = false
    _ = Self.play(Self.makeStream(rate: 48_000), rate: 48_000) { stream in
      var before = stream.status
      stream.move()
      var after = stream.status
      #expect(
        withUnsafeBytes(of: &before) { Array($0) } == withUnsafeBytes(of: &after) { Array($0) })
      seen.insert(after.state)
      mutedSpeech = mutedSpeech || after.is_muted_speech
    }
    #expect(seen == [0, 1, 2, 3] && mutedSpeech)
  }

  /// A gap of 0.7 s, after which the network starts from nothing, reported hop by hop by an output with room for one.
  @Test func pendingResultsAreSaved() {
    func run(moving: Bool) -> StreamResult {
      let stream = Self.makeStream(rate: 44_100, hopRoom: 1)
      stream.process(synthesizedSpeech(seconds: 0.5, rate: 44_100, phrases: [0.1...0.5]))
      var more = stream.call { va_detector_push_gap(stream.detector, nil, 30_000, $0) }
      var calls = 0
      while more {
        if moving { stream.move() }
        calls += 1
        var consumed = 0
        more = stream.call { va_detector_process(stream.detector, nil, nil, 0, &consumed, $0) }
      }
      #expect(calls > 60)
      stream.process(synthesizedSpeech(seconds: 0.5, rate: 44_100, phrases: [0...0.4]))
      more = true
      while more {
        more = stream.call { va_detector_flush(stream.detector, nil, $0) }
        if moving { stream.move() }
      }
      return stream.result
    }
    let stayed = run(moving: false)
    #expect(run(moving: true) == stayed)
    #expect(stayed.count(VA_EVENT_OFFSET) == 2 && stayed.count(VA_EVENT_DISCONTINUITY) == 1)
  }

  @Test func anEndedStreamStaysEnded() {
    let stream = Self.makeStream(rate: 16_000)
    stream.process(whiteNoise(count: 4000, rms: 0.1, seed: 1))
    stream.finish()
    stream.move()
    var consumed = 0
    let code = withOutput { va_detector_process(stream.detector, nil, nil, 0, &consumed, $0) }
    #expect(code == VA_ERROR_ARGUMENT)
    va_detector_reset(stream.detector)
    #expect(
      withOutput { va_detector_process(stream.detector, nil, nil, 0, &consumed, $0) } == VA_OK)
  }

  /// The bodies agree to within 5e-3 here, and so does a stream that changes from one to the other.
  @Test func aStreamContinuesInTheOtherBody() {
    let speech = synthesizedSpeech(seconds: 4, rate: 48_000, phrases: [0.5...1.5, 2...3.5])
    let stayed = analyze(speech, rate: 48_000)
    let stream = Stream(rate: 48_000)
    stream.process(Array(speech.prefix(70_001)))
    stream.move()
    stream.detector.pointee.simd = UInt8(VA_SIMD_PORTABLE.rawValue)
    stream.process(Array(speech.dropFirst(70_001)))
    let moved = stream.finish()
    let furthest = zip(moved.hops, stayed.hops).map { abs($0.posterior - $1.posterior) }.max()!
    #expect(furthest < 5e-3)
    #expect(moved.segments == stayed.segments && moved.segments.count == 2)
  }

  // MARK: the bytes

  @Test func theBytesAreTheSameOnEveryMachine() {
    let bytes = Self.makeStream(rate: 44_100).saved()
    #expect(bytes[0..<4].elementsEqual("VAst".utf8))
    #expect(littleEndian(bytes, at: 12) == UInt32(bytes.count))
    #expect(littleEndian(bytes, at: 16) == 44_100)
    #expect(littleEndian(bytes, at: bytes.count - 4) == crc32(bytes.dropLast(4)))
  }

  /// One network's memory means nothing to another: after a new training, VA_SAVED_MODEL in save.c must change.
  @Test func theModelIsThatOfTheWeights() {
    let weights = [va_network_weights, va_network_weights_beside_echo].flatMap {
      withUnsafeBytes(of: $0) { Array($0) }
    }
    #expect(littleEndian(Self.makeStream(rate: 16_000).saved(), at: 8) == crc32(weights))
  }
}

/// CRC-32: the effect of each byte, computed bit by bit from the definition.
private let crcOfByte: [UInt32] = (0..<256).map { byte in
  (0..<8).reduce(UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
}

func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
  crcOfByte.withUnsafeBufferPointer { table in
    ~bytes.reduce(~UInt32(0)) { crc, byte in
      table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ crc >> 8
    }
  }
}

func littleEndian(_ bytes: [UInt8], at index: Int) -> UInt32 {
  (0..<4).reduce(0) { $0 | UInt32(bytes[index + $1]) << (8 * $1) }
}
