import CVoiceActivity
import CVoiceActivityInternals
import RealModule
import TestSupport
import Testing

/// A reference of several channels.
@Suite struct EchoChannelsTests {
  // MARK: the mix

  /// What plays in a stretch of time: as many channels as the call has, one channel alone, or nothing.
  enum Call: CaseIterable { case channels, mono, silence }

  /// Noise of several channels, in which the odd-numbered ones become the opposite of the others, and agree again.
  struct Scene {
    let rate: Int
    let channels: [[Float]]
    /// A call for each second.
    static let calls: [Call] = [.channels, .channels, .channels, .mono, .silence, .channels]
    static let opposition: [Float] = [0.3, -0.9, -1, 1, 1, 1]
    var count: Int { channels[0].count }

    init(channelCount: Int, rate: Int) {
      self.rate = rate
      let both = whiteNoise(count: Self.calls.count * rate, rms: 0.1, seed: 1)
      channels = (0..<channelCount).map { channel in
        let own = whiteNoise(count: both.count, rms: 0.02, seed: UInt64(2 + channel))
        return both.indices.map { n in
          (channel % 2 == 0 ? 1 : Self.opposition[n / rate]) * both[n] + own[n]
        }
      }
    }

    func call(at n: Int) -> Call { Self.calls[n / rate] }

    func frames(_ range: Range<Int>) -> [Float] { range.flatMap { n in channels.map { $0[n] } } }

    /// The mix by the formula, from sums over the whole past. For mono calls the first channel, for silence zeros,
    /// which leave the means and the sign as they are. One frame of 8 is counted.
    func mix() -> [Float] {
      let stretch = rate / 100
      var powers: [(product: Double, even: Double, odd: Double)] = []
      var isInverted = false
      var power = (product: 0.0, even: 0.0, odd: 0.0)
      var filled = 0
      func endStretch() {
        powers.append(power)
        power = (0, 0, 0)
        filled = 0
        func mean(_ part: KeyPath<(product: Double, even: Double, odd: Double), Double>) -> Double {
          powers.reduce(0) { 0.99 * $0 + 0.01 * $1[keyPath: part] }
        }
        let correlation =
          mean(\.product) / max((mean(\.even) * mean(\.odd)).squareRoot(), .leastNormalMagnitude)
        if correlation < -0.5 { isInverted = true } else if correlation > 0 { isInverted = false }
      }
      return (0..<count).map { n in
        switch call(at: n) {
        case .mono: return channels[0][n]
        case .silence: return 0
        case .channels: break
        }
        var (even, odd): (Float, Float) = (0, 0)
        for (index, channel) in channels.enumerated() {
          if index % 2 == 0 { even += channel[n] } else { odd += channel[n] }
        }
        let mixed = (even + (isInverted ? -odd : odd)) / Float(channels.count)
        if filled % 8 == 0 {
          power.product += Double(even * odd)
          power.even += Double(even * even)
          power.odd += Double(odd * odd)
        }
        filled += 1
        if filled == stretch { endStretch() }
        return mixed
      }
    }
  }

  /// What an echo has after a scene.
  struct Heard: Equatable {
    /// The levels of the bands, a row for each step.
    var rows: [[UInt8]] = []
    /// The means and the sign of the mix.
    var mix: [Float] = []
    var saved: [UInt8] = []
  }

  /// Plays a scene in chunks of any length, as far as a call goes, with silence at the microphone.
  private func play(_ scene: Scene, chunks: [Int], moving: Bool = false) -> Heard {
    run(scene, chunks: chunks, moving: moving) { echo, range in
      let frames = scene.frames(range)
      switch scene.call(at: range.lowerBound) {
      case .channels:
        return va_echo_push_interleaved(echo, frames, range.count, UInt32(scene.channels.count))
      case .mono: return va_echo_push(echo, Array(scene.channels[0][range]), range.count)
      case .silence: return va_echo_push_silence(echo, UInt64(range.count))
      }
    }
  }

  private func run(
    _ scene: Scene, chunks: [Int], moving: Bool = false,
    _ push: (UnsafeMutablePointer<va_echo>, Range<Int>) -> va_status_code
  ) -> Heard {
    let beside = EchoStream(referenceRate: scene.rate)
    var heard = Heard()
    var (pushed, processed, turn, step) = (0, 0, 0, 0)
    while pushed < scene.count {
      let second = (pushed / scene.rate + 1) * scene.rate
      let end = min(pushed + chunks[turn % chunks.count], second)
      precondition(push(beside.echo, pushed..<end) == VA_OK)
      pushed = end
      while step < beside.echo.pointee.reference.steps {
        heard.rows.append(row(beside.echo, step))
        step += 1
      }
      let due = pushed * 16_000 / scene.rate
      beside.process(repeatElement(0, count: due - processed))
      processed = due
      turn += 1
      if moving, turn % 7 == 0 { beside.move() }
    }
    let mix = beside.echo.pointee.reference.mix
    heard.mix = [mix.mean.product, mix.mean.even, mix.mean.odd, mix.is_inverted ? -1 : 1]
    heard.saved = saved(beside.echo)
    return heard
  }

  private func row(_ echo: UnsafeMutablePointer<va_echo>, _ step: Int) -> [UInt8] {
    let bands = Int(VA_BANDS)
    let steps = MemoryLayout.size(ofValue: echo.pointee.reference.totals)
    let at = bands * (step % steps)
    return withUnsafeBytes(of: &echo.pointee.reference.levels) { Array($0[at..<at + bands]) }
  }

  private func saved(_ echo: UnsafeMutablePointer<va_echo>) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: va_echo_saved_size())
    var size = 0
    precondition(va_echo_save(echo, &bytes, bytes.count, &size) == VA_OK)
    return Array(bytes.prefix(size))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var channels: Int
    var rate: Int
    var testDescription: String { "\(channels) channels at \(rate) Hz" }
  }
  static let cases = [
    Case(channels: 2, rate: 16_000), Case(channels: 2, rate: 48_000),
    Case(channels: 3, rate: 8_000), Case(channels: 5, rate: 11_025),
    Case(channels: 8, rate: 44_100),
  ]

  @Test(arguments: cases)
  func theMixIsThatOfTheFormula(_ example: Case) {
    let scene = Scene(channelCount: example.channels, rate: example.rate)
    let chunk = example.rate / 50
    let found = play(scene, chunks: [chunk])
    let mix = scene.mix()
    let expected = run(scene, chunks: [chunk]) { va_echo_push($0, Array(mix[$1]), $1.count) }
    // Silence that is known has no levels, zeros have the lowest.
    let sound = (0..<300).filter { $0 / 50 != 4 }
    let isSame = sound.allSatisfy { found.rows[$0] == expected.rows[$0] }
    #expect(isSame && found.rows.count == 300)
  }

  @Test(arguments: cases)
  func chunksAndMovesDoNotMatter(_ example: Case) {
    let scene = Scene(channelCount: example.channels, rate: example.rate)
    let found = play(scene, chunks: [example.rate / 50])
    let other = play(scene, chunks: [1, 7, 333, 97], moving: true)
    let isSame = found.rows == other.rows
    #expect(isSame && found.mix == other.mix)
  }

  @Test(arguments: [8_000, 16_000, 48_000])
  func oneChannelIsTheMonoCall(rate: Int) {
    let scene = Scene(channelCount: 1, rate: rate)
    let sound = scene.channels[0]
    let mono = run(scene, chunks: [77]) { va_echo_push($0, Array(sound[$1]), $1.count) }
    let found = run(scene, chunks: [77]) {
      va_echo_push_interleaved($0, Array(sound[$1]), $1.count, 1)
    }
    #expect(found == mono)
    let integers = sound.map { Int16($0 * 16_384) }
    let mono16 = run(scene, chunks: [77]) { va_echo_push_s16($0, Array(integers[$1]), $1.count) }
    let found16 = run(scene, chunks: [77]) {
      va_echo_push_interleaved_s16($0, Array(integers[$1]), $1.count, 1)
    }
    #expect(found16 == mono16)
  }

  @Test func sixteenBitsAreTheSameSound() {
    let scene = Scene(channelCount: 3, rate: 16_000)
    let integers = run(scene, chunks: [97]) { echo, range in
      let frames = scene.frames(range).map { Int16($0 * 16_384) }
      return va_echo_push_interleaved_s16(echo, frames, range.count, 3)
    }
    let floats = run(scene, chunks: [97]) { echo, range in
      let frames = scene.frames(range).map { Float(Int16($0 * 16_384)) / 32_768 }
      return va_echo_push_interleaved(echo, frames, range.count, 3)
    }
    #expect(integers == floats)
  }

  /// What comes too late is left out by whole frames.
  @Test func lateFramesAreLeftOut() {
    let scene = Scene(channelCount: 2, rate: 16_000)
    func played(_ late: [Float]) -> [UInt8] {
      let beside = EchoStream()
      beside.process(repeatElement(0, count: 3_200))
      let frames = late + scene.frames(3_200..<4_000)
      precondition(va_echo_push_interleaved(beside.echo, frames, 4_000, 2) == VA_OK)
      return saved(beside.echo)
    }
    let silence = [Float](repeating: 0, count: 2 * 3_200)
    #expect(played(scene.frames(0..<3_200)) == played(silence))
  }

  // MARK: odd input

  @Test func badCallsAreRefused() {
    let beside = EchoStream()
    let frames = [Float](repeating: 0.1, count: 18)
    let integers = [Int16](repeating: 1, count: 18)
    for channels in [0, 9, UInt32.max] {
      #expect(va_echo_push_interleaved(beside.echo, frames, 1, channels) == VA_ERROR_ARGUMENT)
      #expect(va_echo_push_interleaved_s16(beside.echo, integers, 1, channels) == VA_ERROR_ARGUMENT)
    }
    #expect(va_echo_push_interleaved(nil, frames, 1, 2) == VA_ERROR_ARGUMENT)
    #expect(va_echo_push_interleaved(beside.echo, nil, 1, 2) == VA_ERROR_ARGUMENT)
    #expect(va_echo_push_interleaved_s16(beside.echo, nil, 1, 2) == VA_ERROR_ARGUMENT)
    #expect(beside.echo.pointee.reference.position == 0)
    #expect(va_echo_push_interleaved(beside.echo, nil, 0, 2) == VA_OK)
    #expect(va_echo_push_interleaved_s16(beside.echo, nil, 0, 8) == VA_OK)
    let early = [Float](repeating: 0, count: 2 * 1_921)
    #expect(va_echo_push_interleaved(beside.echo, early, 1_921, 2) == VA_ERROR_REFERENCE_EARLY)
    #expect(va_echo_push_interleaved(beside.echo, early, 1_920, 2) == VA_OK)
  }

  /// NaN, infinities and what overflows spoil neither the means nor what is saved.
  @Test(arguments: [Float.nan, .infinity, -.infinity, 3e38, 1e18])
  func whatIsNotFiniteDoesNotStay(odd: Float) {
    let sound = whiteNoise(count: 1_600, rms: 0.1, seed: 4)
    let beside = EchoStream()
    var frames = sound.flatMap { [$0, -$0] }
    for n in stride(from: 0, to: 1_600, by: 104) { frames[2 * n + n / 104 % 2] = odd }
    precondition(va_echo_push_interleaved(beside.echo, frames, 1_599, 2) == VA_OK)
    beside.move()
    let mix = beside.echo.pointee.reference.mix
    #expect(mix.is_inverted && mix.mean.even.isFinite && mix.mean.even > 0)
    #expect(abs(mix.mean.product + mix.mean.even) < 1e-6 * mix.mean.even)
  }

  /// Two channels and one take turns within 10 ms, as where two players share a loudspeaker: the means move all the
  /// same.
  @Test(arguments: [80, 33, 1])
  func otherCallsMayComeBetween(frames count: Int) {
    let sound = whiteNoise(count: 16_000, rms: 0.1, seed: 5)
    let beside = EchoStream()
    for at in stride(from: 0, to: sound.count - count, by: 2 * count) {
      let some = Array(sound[at..<at + count])
      precondition(
        va_echo_push_interleaved(beside.echo, some.flatMap { [$0, -$0] }, count, 2) == VA_OK)
      precondition(va_echo_push(beside.echo, some, count) == VA_OK)
      beside.process(repeatElement(0, count: 2 * count))
    }
    beside.move()
    let mix = beside.echo.pointee.reference.mix
    #expect(mix.is_inverted && mix.filled < 160)
    // Half a second of such frames has passed.
    let square = Double(mix.mean.even) / (20 * (1 - Double.pow(0.99, 50)))
    #expect(abs(square - 0.01) < 0.002)
  }

  @Test func aDamagedMixIsNotSaved() {
    let damages: [(inout va_played_mix) -> Void] = [
      { $0.mean.even = -1 }, { $0.mean.odd = .infinity }, { $0.mean.product = .nan },
      { $0.present.even = .nan }, { $0.present.odd = -1 }, { $0.present.product = 2e34 },
      { $0.filled = 160 },
    ]
    for damage in damages {
      let beside = EchoStream()
      damage(&beside.echo.pointee.reference.mix)
      var bytes = [UInt8](repeating: 0, count: va_echo_saved_size())
      var size = 0
      #expect(va_echo_save(beside.echo, &bytes, bytes.count, &size) == VA_ERROR_SAVED_DATA)
    }
  }

  // MARK: what it is for

  /// A voice on two loudspeakers in opposite phase, which the microphone hears over two paths, is not the muted user.
  /// Its plain mean is silence.
  @Test func aVoiceInOppositePhaseIsNotTheUser() {
    let far = farEnd(seconds: 6)
    let late = echo(of: far, after: 105, gain: -14)
    let microphone = sum(echo(of: far, after: 100, gain: -10), late.map { -$0 })
    func notices(_ push: (EchoStream, [Float], Int) -> va_status_code) -> Int {
      let beside = EchoStream()
      va_detector_set_muted(beside.stream.detector, true)
      for at in stride(from: 0, to: far.count, by: 160) {
        precondition(push(beside, far[at..<at + 160].flatMap { [$0, -$0] }, 160) == VA_OK)
        beside.process(microphone[at..<at + 160])
      }
      return beside.finish().count(VA_EVENT_MUTED_SPEECH_BEGIN)
    }
    #expect(notices { va_echo_push_interleaved($0.echo, $1, $2, 2) } == 0)
    let plain = notices { beside, frames, count in
      let mean: [Float] = (0..<count).map { n in (frames[2 * n] + frames[2 * n + 1]) / 2 }
      return beside.push(mean)
    }
    #expect(plain > 0)
  }
}
