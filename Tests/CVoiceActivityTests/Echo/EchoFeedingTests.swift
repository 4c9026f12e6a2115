import CVoiceActivity
import CVoiceActivityInternals
import RealModule
import TestSupport
import Testing

/// How samples come to an echo must not matter, unless they come too late.
@Suite struct EchoFeedingTests {
  static let far = farEnd(seconds: 4, rate: 48_000)
  static let microphone = sum(
    echo(of: farEnd(seconds: 4), after: 130, gain: -8),
    user(seconds: 4, at: [2.3]))

  static func run(
    ahead: Int = 0, referenceChunks: [Int] = [480], microphoneChunks: [Int] = [160],
    moving: Bool = false
  ) -> (StreamResult, va_echo_status) {
    let beside = EchoStream(referenceRate: 48_000)
    var pushed = 0
    var processed = 0
    var turn = 0
    while processed < microphone.count {
      let next = min(processed + microphoneChunks[turn % microphoneChunks.count], microphone.count)
      let due = min(next * 3 + ahead, far.count)
      while pushed < due {
        let chunk = Array(
          far[pushed..<min(pushed + referenceChunks[turn % referenceChunks.count], due)])
        precondition(beside.push(chunk) == VA_OK)
        pushed += chunk.count
        turn += 1
      }
      beside.process(microphone[processed..<next])
      processed = next
      turn += 1
      if moving, turn % 7 == 0 { beside.move() }
    }
    return (beside.finish(), beside.status)
  }

  @Test func anyChunksGiveTheSame() {
    let (found, status) = Self.run()
    for (ahead, reference, microphone) in [
      (0, [1, 7, 333], [160]), (4_800, [480], [160]), (2_000, [97], [1, 31, 500]),
      (0, [2_000], [1_600]), (3_700, [4_799, 1], [333]),
    ] {
      let (other, same) = Self.run(
        ahead: ahead, referenceChunks: reference, microphoneChunks: microphone)
      #expect(other == found && same.late_samples == 0 && same.fit == status.fit)
    }
    #expect(found.segments.count >= 1)
  }

  @Test func aMovedEchoContinuesBitForBit() {
    #expect(Self.run(moving: true).0 == Self.run().0)
  }

  @Test func sixteenBitsAreTheSameSound() {
    let far = farEnd(seconds: 3).map { ($0 * 32768).rounded() / 32768 }
    let microphone = echo(of: far, after: 60, gain: -6)
    func run(_ push: (EchoStream, ArraySlice<Float>) -> va_status_code) -> StreamResult {
      let beside = EchoStream()
      for at in stride(from: 0, to: microphone.count, by: 160) {
        precondition(push(beside, far[at..<at + 160]) == VA_OK)
        beside.process(microphone[at..<at + 160])
      }
      return beside.finish()
    }
    let floats = run { $0.push($1) }
    let integers = run { va_echo_push_s16($0.echo, $1.map { Int16($0 * 32768) }, $1.count) }
    #expect(floats == integers)
  }

  /// 150 ms late: silence takes their place, they are counted, and nothing of them is used.
  @Test func aLateReferenceIsLeftOut() {
    let far = farEnd(seconds: 4)
    let late = 2_400
    let microphone = echo(of: far, after: 100, gain: -10)
    let beside = EchoStream()
    let silent = EchoStream()
    for at in stride(from: 0, to: microphone.count, by: 160) {
      if at >= late { #expect(beside.push(far[at - late..<at - late + 160]) == VA_OK) }
      beside.process(microphone[at..<at + 160])
      silent.process(microphone[at..<at + 160])
    }
    #expect(beside.finish() == silent.finish())
    #expect(beside.status.late_samples == UInt64(microphone.count - late))
    #expect(silent.status.late_samples == 0)
  }

  @Test func aReferenceMayBe100MillisecondsEarlyAndNoMore() {
    let beside = EchoStream()
    #expect(beside.push([Float](repeating: 0.1, count: 1_600)) == VA_OK)
    #expect(beside.push([Float](repeating: 0.1, count: 321)) == VA_ERROR_REFERENCE_EARLY)
    #expect(beside.push([Float](repeating: 0.1, count: 320)) == VA_OK)
    #expect(va_echo_push_silence(beside.echo, 1) == VA_ERROR_REFERENCE_EARLY)
    beside.process([Float](repeating: 0, count: 320))
    #expect(va_echo_push_silence(beside.echo, 320) == VA_OK)
  }

  /// With resampling, a step of the microphone may be complete some samples before its end.
  @Test(arguments: [11_025, 32_000, 48_000, 75_600, 96_000, 96_001, 144_000, 192_000])
  func whatComesSampleBySampleIsNotLate(rate: Int) {
    for referenceRate in [16_000, 32_000, 48_000, 96_000, 192_000] {
      let beside = EchoStream(rate: rate, referenceRate: referenceRate)
      var pushed = 0
      for n in 1...rate / 20 {
        let due = (n * referenceRate + rate - 1) / rate
        #expect(beside.push([Float](repeating: 0.1, count: due - pushed)) == VA_OK)
        pushed = due
        beside.process([0.1])
      }
      #expect(beside.status.late_samples == 0, "beside \(referenceRate) Hz")
    }
  }

  // MARK: saving

  /// Nothing is saved of how samples came, nor of samples that nothing needs any more; and what is not finite has the
  /// same effect behind a move.
  @Test(arguments: [8_000, 16_000, 44_100, 48_000, 192_000])
  func equalEchoesAreSavedAlike(rate: Int) {
    var sound = whiteNoise(count: rate / 20, rms: 0.1, seed: 5)
    for n in stride(from: 3, to: sound.count, by: 50) { sound[n] = .nan }
    func saved(_ chunk: Int, moving: Bool) -> [UInt8] {
      let beside = EchoStream(referenceRate: rate)
      for at in stride(from: 0, to: sound.count, by: chunk) {
        precondition(beside.push(sound[at..<min(at + chunk, sound.count)]) == VA_OK)
        if moving { beside.move() }
      }
      return beside.saved
    }
    let whole = saved(sound.count, moving: false)
    for chunk in [5, 97] {
      #expect(saved(chunk, moving: false) == whole && saved(chunk, moving: true) == whole)
    }
  }

  /// Bursts in tenths change the scale of the reference, but no lag fits better than the same sound would.
  @Test func aReferenceOfManyScalesFitsAndIsSaved() {
    let gains: [Float] = [0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1]
    let bursts = [
      3, 2, 3, 2, 3, 5, 1, 3, 3, 3, 0, 5, 0, 2, 1, 0, 1, 3, 6, 2, 2, 3, 1, 4, 0, 0, 6, 1,
    ]
    let beside = EchoStream()
    let noise = Self.noise(steps: bursts.count)
    for (burst, step) in zip(bursts, noise) {
      #expect(beside.push(step.map { gains[burst] * $0 }) == VA_OK)
      beside.process(step.map { burst > 2 ? 0.01 * $0 : 0 })
      #expect((-1...1).contains(beside.status.fit))
      #expect(beside.saved.count > 0)
    }
  }

  /// A faint reference becomes one of other units while the microphone is silent.
  @Test func aReferenceOfOtherUnitsIsSaved() {
    let beside = EchoStream()
    for (n, step) in Self.noise(steps: 9).enumerated() {
      #expect(beside.push(step.map { (n < 6 ? 1e-4 : 1e30) * $0 }) == VA_OK)
      beside.process(step.map { n < 4 ? 0.01 * $0 : 0 })
      #expect(beside.saved.count > 0)
    }
  }

  private static func noise(steps: Int) -> [[Float]] {
    var random: UInt32 = 1
    return (0..<steps).map { _ in
      (0..<320).map { _ in
        random = random &* 1_664_525 &+ 1_013_904_223
        return Float(Int32(bitPattern: random)) / 0x1p31
      }
    }
  }

  // MARK: gaps

  /// In a gap of the microphone time goes on; the delay is the same behind it.
  @Test(arguments: [333, 1_600, 32_000])
  func aGapInTheMicrophone(length: Int) {
    let far = farEnd(seconds: 10)
    let microphone = echo(of: far, after: 160, gain: -10)
    let beside = EchoStream()
    let gap = 48_007..<48_007 + length
    for at in stride(from: 0, to: microphone.count, by: 160) {
      precondition(beside.push(far[at..<at + 160]) == VA_OK)
      let missing = (at..<at + 160).clamped(to: gap)
      beside.process(microphone[at..<(missing.isEmpty ? at + 160 : missing.lowerBound)])
      if !missing.isEmpty {
        beside.pushGap(missing.count)
        beside.process(microphone[missing.upperBound..<at + 160])
      }
    }
    let found = beside.finish()
    #expect(found.hops.count == 1_000)
    #expect(found.loudHops(from: 1.7) == 0)
    #expect(abs(Int(beside.status.delay_ms) - 160) <= 20)
  }

  /// A second of the reference is not known: the far end is heard then, and not before or after.
  @Test func aGapInTheReference() {
    let far = farEnd(seconds: 10)
    let microphone = echo(of: far, after: 40, gain: -6)
    let beside = EchoStream()
    for at in stride(from: 0, to: microphone.count, by: 160) {
      if (112_000..<128_000).contains(at) {
        precondition(va_echo_push_silence(beside.echo, 160) == VA_OK)
      } else {
        precondition(beside.push(far[at..<at + 160]) == VA_OK)
      }
      beside.process(microphone[at..<at + 160])
    }
    let found = beside.finish()
    #expect(found.loudHops(from: 1.7, to: 6.7) == 0 && found.loudHops(from: 8.5) == 0)
    #expect(found.loudHops(from: 7, to: 8) > 20)
  }

  // MARK: odd samples

  @Test(arguments: [16_000, 48_000, 44_100, 8_000, 192_000])
  func oddReferencesAreTaken(rate: Int) {
    let speech = user(seconds: 3, at: [1.2])
    let odd: [Float] = [
      .nan, .infinity, -.infinity, Float.leastNonzeroMagnitude, -1e-31, 3e38, -3e38, 0, 1, -1,
    ]
    for sound in [
      { (n: Int) in odd[n % odd.count] }, { _ in .nan }, { (n: Int) in n / 80 % 2 == 0 ? 1 : -1 },
    ] as [(Int) -> Float] {
      let beside = EchoStream(referenceRate: rate)
      beside.hear(speech, beside: (0..<3 * rate).map(sound), step: 0.02)
      beside.move()
      let found = beside.finish()
      #expect(found.hops.allSatisfy { (0...1).contains($0.posterior) })
      #expect(beside.status.fit.isFinite && beside.status.coupling_db.isFinite)
      #expect(found.hops.count == 300)
    }
  }

  // MARK: batch

  @Test func aBatchGivesTheSameAsCallsDo() {
    let far = farEnd(seconds: 3)
    let scenes = (0..<11).map { n in
      sum(
        echo(of: far, after: Double(20 * n), gain: -8),
        user(seconds: 3, at: [1.5], gain: Double(n) - 5))
    }
    let alone = scenes.enumerated().map { n, scene in
      if n % 3 == 2 { return analyze(Array(scene)) }
      let beside = EchoStream()
      beside.hear(scene, beside: far)
      return beside.finish()
    }
    let together = scenes.map { _ in EchoStream() }
    for at in stride(from: 0, to: far.count, by: 160) {
      var items: [va_batch_item] = []
      var outputs = [va_output](repeating: va_output(), count: scenes.count)
      let events = UnsafeMutablePointer<va_event>.allocate(capacity: 16 * scenes.count)
      let hops = UnsafeMutablePointer<va_hop>.allocate(capacity: 8 * scenes.count)
      let sound = UnsafeMutablePointer<Float>.allocate(capacity: 160 * scenes.count)
      defer {
        events.deallocate()
        hops.deallocate()
        sound.deallocate()
      }
      outputs.withUnsafeMutableBufferPointer { outputs in
        for n in scenes.indices {
          outputs[n].events = events + 16 * n
          outputs[n].event_capacity = 16
          outputs[n].hops = hops + 8 * n
          outputs[n].hop_capacity = 8
          for i in 0..<160 { sound[160 * n + i] = scenes[n][at + i] }
          var item = va_batch_item()
          (item.detector, item.samples, item.count) = (
            together[n].stream.detector, UnsafePointer(sound + 160 * n), 160
          )
          item.output = outputs.baseAddress! + n
          precondition(n % 3 == 2 || together[n].push(far[at..<at + 160]) == VA_OK)
          item.echo = n % 3 == 2 ? nil : together[n].echo
          items.append(item)
        }
        #expect(va_process_batch(&items, items.count) == VA_OK)
        for n in scenes.indices { together[n].stream.take(outputs[n]) }
      }
    }
    for n in scenes.indices {
      if n % 3 == 2 { together[n].stream.echo = nil }
      #expect(together[n].finish() == alone[n])
    }
  }
}
