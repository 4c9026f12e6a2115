import CVoiceActivity
import CVoiceActivityInternals
import Testing

/// Streams for which only RFC 6464 levels are known.
@Suite struct LevelPushTests {
  /// Pushes packets of 20 ms.
  func push(_ stream: Stream, packets: Int, _ level: UInt8, voice: Bool, rate: Int = 48_000) {
    for _ in 0..<packets { stream.pushLevel(UInt64(rate / 50), level, voice: voice) }
  }

  @Test func theByteIsThatOfRFC6464() {
    // Section 3: the voice bit is the most significant bit; the seven below it are the level in -dBov.
    for byte in UInt8.min...UInt8.max {
      #expect(va_rfc6464_voice(byte) == (byte >= 128))
      #expect(va_rfc6464_level(byte) == byte % 128)
      #expect(va_rfc6464_byte(va_rfc6464_level(byte), va_rfc6464_voice(byte)) == byte)
    }
    #expect(va_rfc6464_byte(200, false) == 127 && va_rfc6464_byte(255, true) == 255)
  }

  /// A second of voice after a second without. The default's debounce is two hops, its hangover twelve.
  @Test(arguments: [8000, 11_025, 16_000, 44_100, 48_000, 192_000])
  func theVoiceBitDecidesByTheSameHysteresis(rate: Int) {
    let stream = Stream(rate: rate)
    for (voice, level) in [(false, 70), (true, 25), (false, 71)] {
      for n in 0..<50 {  // 50 packets a second, in whole samples
        let count = rate * (n + 1) / 50 - rate * n / 50
        stream.pushLevel(UInt64(count), UInt8(level), voice: voice)
      }
    }
    let result = stream.finish()
    #expect(result.hops.count == 300)
    #expect(result.segments == [UInt64(rate)..<UInt64(2 * rate)])
    #expect(result.count(VA_EVENT_DISCONTINUITY) == 0)
    for (n, hop) in result.hops.enumerated() {
      #expect(hop.position == UInt64((n * rate + 99) / 100))
      #expect(hop.flags & UInt8(VA_HOP_LEVEL_ONLY.rawValue) != 0)
      let edge = rate % 100 != 0 && (n == 100 || n == 200)  // hops that two packets share
      if edge { continue }
      #expect(hop.posterior == (n / 100 == 1 ? 1 : 0), "\(n)")
      #expect(hop.level_dbov == [70, 25, 71][n / 100], "\(n)")
      #expect(
        abs(hop.level_dbfs + Float(hop.level_dbov)) < 1e-3
          && abs(hop.peak_dbfs - hop.level_dbfs) < 1e-3)
    }
    // The onset is decided when the first hop above the threshold has its look-ahead: hop 100 with hop 103, which ends
    // with a packet at 1.04 s.
    #expect(result.events[0].decided_at == UInt64(104 * rate / 100))
  }

  @Test func theFloorFollowsTheLevel() {
    let stream = Stream(rate: 48_000)
    for n in 0..<400 {
      let loud = n % 10 < 6  // words of 120 ms and pauses of 80 ms
      push(stream, packets: 1, loud ? 30 : n < 200 ? 60 : 50, voice: loud)
    }
    let result = stream.finish()
    #expect(abs(result.hops[390].noise_floor_dbfs + 60) < 6)
    #expect(abs(result.hops[790].noise_floor_dbfs + 50) < 6)
    #expect(result.hops[790].noise_floor_dbfs - result.hops[390].noise_floor_dbfs > 9)
    let steady = Stream(rate: 48_000)
    push(steady, packets: 200, 63, voice: false)
    #expect(abs(steady.finish().hops.last!.noise_floor_dbfs + 63) < 0.1)
  }

  /// Whether it is the first or the second hop of each step.
  @Test(arguments: [0, 1])
  func theFloorFollowsTheLevelOfEverySecondHop(told: Int) {
    let stream = Stream()
    let noise = whiteNoise(count: 160, rms: 0.1, seed: 3)
    for hop in 0..<300 {
      if hop % 2 == told { stream.pushLevel(160, 60, voice: false) } else { stream.process(noise) }
    }
    #expect(abs(stream.finish().hops.last!.noise_floor_dbfs + 60) < 0.1)
  }

  @Test func silentPacketsDoNotTeachTheFloor() {
    let stream = Stream()
    push(stream, packets: 100, 127, voice: false, rate: 16_000)
    let hops = stream.finish().hops
    #expect(hops.allSatisfy { $0.level_dbov == 127 && $0.noise_floor_dbfs == -127 })
  }

  @Test(arguments: [120, 480, 1440, 7])
  func howTheLevelsAreCutDoesNotMatter(piece: UInt64) {
    func run(_ cut: UInt64) -> StreamResult {
      let stream = Stream(rate: 48_000)
      for (n, voice) in [false, true, true, false, true, false].enumerated() {
        var rest: UInt64 = 14_400
        while rest > 0 {
          stream.pushLevel(min(cut, rest), UInt8(40 + n), voice: voice)
          rest -= min(cut, rest)
        }
      }
      return stream.finish()
    }
    let (whole, cut) = (run(14_400), run(piece))
    #expect(cut.events.map(\.position) == whole.events.map(\.position))
    #expect(cut.hops.map(\.state) == whole.hops.map(\.state))
    #expect(cut.hops.map(\.level_dbov) == whole.hops.map(\.level_dbov))
    #expect(whole.segments.count == 2)
  }

  @Test func levelsWithinOneHopAddUp() {
    let stream = Stream(rate: 48_000)
    for voice in [false, false, true, false] {
      stream.pushLevel(120, voice ? 20 : 60, voice: voice)
    }
    push(stream, packets: 3, 60, voice: false)
    let hop = stream.finish().hops[0]
    #expect(hop.posterior == 1)
    let power = (0.01 + 3 * 1e-6) / 4  // the mean of one level of -20 dB and three of -60 dB
    #expect(abs(Double(hop.level_dbfs) - decibels(power)) < 1e-3 && abs(hop.peak_dbfs + 20) < 1e-3)
  }

  // MARK: levels, PCM and gaps in one stream

  @Test func speechContinuesFromPCMToLevelsAndBack() throws {
    let speech = synthesizedSpeech(seconds: 6, phrases: [0.5...5.5])
    let stream = Stream { $0.hangover_ms = 120 }  // the network begins anew after the levels
    stream.process(Array(speech[..<32_000]))
    let onset = try #require(stream.result.events.first)
    #expect(onset.type == VA_EVENT_ONSET.rawValue)
    push(stream, packets: 100, 25, voice: true, rate: 16_000)
    stream.process(Array(speech[64_000...]))
    let result = stream.finish()
    #expect(result.segments.count == 1, "\(result.segments)")
    let told = result.hops.map { $0.flags & UInt8(VA_HOP_LEVEL_ONLY.rawValue) != 0 }
    #expect(told == (0..<600).map { 200..<400 ~= $0 })
    // The preceding hops, whose look-ahead came as levels, follow the voice bit.
    #expect(result.hops[197..<200].allSatisfy { $0.posterior == 1 })
    #expect(result.hops[190..<197].allSatisfy { $0.posterior < 1 })
  }

  @Test func aHopThatAGapTouchesIsMissing() {
    let stream = Stream(rate: 48_000)
    push(stream, packets: 5, 30, voice: true)
    stream.pushGap(960)
    push(stream, packets: 5, 30, voice: true)
    let result = stream.finish()
    #expect(result.hops.map(\.posterior) == (0..<22).map { 10..<12 ~= $0 ? 0 : 1 })
    #expect(result.hops[10].flags & UInt8(VA_HOP_MISSING.rawValue) != 0)
    let gap = result.events.first { $0.type == VA_EVENT_DISCONTINUITY.rawValue }
    #expect(gap?.position == 4800 && gap?.length_samples == 960)
    #expect(result.segments.count == 1)
  }

  @Test func theMuteGateHearsLevels() {
    let stream = Stream(rate: 48_000)
    push(stream, packets: 25, 70, voice: false)
    va_detector_set_muted(stream.detector, true)
    push(stream, packets: 50, 70, voice: false)
    push(stream, packets: 50, 25, voice: true)
    push(stream, packets: 50, 70, voice: false)
    let result = stream.finish()
    #expect(result.count(VA_EVENT_MUTED_SPEECH_BEGIN) == 1)
    #expect(result.count(VA_EVENT_MUTED_SPEECH_END) == 1)
  }

  // MARK: room and arguments

  @Test func aFullOutputTakesNothing() {
    func run(_ stream: Stream, patient: Bool) -> StreamResult {
      var refused = 0
      for n in 0..<40 {
        while true {
          var code = VA_OK
          stream.call {
            code = va_detector_push_level(
              stream.detector, 960, n % 20 < 10 ? 30 : 60, n % 20 < 10, $0)
            return VA_OK
          }
          if code == VA_OK { break }
          #expect(code == VA_ERROR_OUTPUT_FULL)
          refused += 1
        }
      }
      #expect((refused > 0) == patient)
      return stream.finish()
    }
    let roomy = run(Stream(rate: 48_000), patient: false)
    #expect(run(Stream(rate: 48_000, eventRoom: 4, hopRoom: 1), patient: true) == roomy)
    #expect(roomy.hops.count == 80 && roomy.segments.count == 2)
  }

  @Test func argumentsAreChecked() {
    let stream = Stream()
    func push(_ count: UInt64, _ level: UInt8) -> va_status_code {
      withOutput { va_detector_push_level(stream.detector, count, level, true, $0) }
    }
    #expect(push(160, 128) == VA_ERROR_ARGUMENT && push(160, 255) == VA_ERROR_ARGUMENT)
    #expect(push(UInt64(VA_GAP_MAX) + 1, 3) == VA_ERROR_ARGUMENT)
    #expect(withOutput { va_detector_push_level(nil, 160, 3, true, $0) } == VA_ERROR_ARGUMENT)
    #expect(va_detector_push_level(stream.detector, 160, 3, true, nil) == VA_ERROR_ARGUMENT)
    #expect(push(0, 3) == VA_OK && stream.status.hops == 0)
    #expect(push(16_000, 3) == VA_OK && stream.status.hops == 97)
    stream.finish()
    #expect(push(160, 3) == VA_ERROR_ARGUMENT)
  }
}
