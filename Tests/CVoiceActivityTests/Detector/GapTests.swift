import CVoiceActivity
import CVoiceActivityInternals
import TestSupport
import Testing

@Suite struct GapTests {
  static let speech = synthesizedSpeech(seconds: 6, phrases: [0.5...2.5, 3.5...5.5])

  /// Analyses a stream around a gap, with the missing samples pushed as a gap.
  func run(
    rate: Int = 16_000, _ samples: [Float], missing: Range<Int>, pieces: Int = 1,
    configure: (inout va_config) -> Void = { _ in }
  ) -> StreamResult {
    let stream = Stream(rate: rate, configure: configure)
    stream.process(Array(samples[..<missing.lowerBound]))
    for piece in 0..<pieces {
      let share = missing.count * (piece + 1) / pieces - missing.count * piece / pieces
      stream.pushGap(UInt64(share))
    }
    stream.process(Array(samples[missing.upperBound...]))
    return stream.finish()
  }

  @Test(arguments: [8000, 11_025, 16_000, 44_100, 48_000, 96_000])
  func theGridContinuesThroughAGap(rate: Int) {
    let samples = whiteNoise(count: rate * 2, rms: 0.01, seed: 40)
    for missing in [
      rate..<rate + 1, rate / 3..<rate / 3 + 7, 100..<rate, 0..<rate / 2, rate..<2 * rate,
    ] {
      let result = run(rate: rate, samples, missing: missing)
      #expect(result.hops.count == 200, "\(missing) at \(rate)")
      for (n, hop) in result.hops.enumerated() {
        #expect(hop.position == UInt64((n * rate + 99) / 100))
        // A hop is missing exactly where the gap touches it, within the length of the resampler's kernel.
        let end = (n + 1) * rate / 100
        let kernel = rate == 16_000 ? 0 : rate / 500
        let inside = Int(hop.position) >= missing.lowerBound && end <= missing.upperBound
        let apart =
          end + kernel <= missing.lowerBound || Int(hop.position) >= missing.upperBound + kernel
        let flagged = hop.flags & UInt8(VA_HOP_MISSING.rawValue) != 0
        if inside { #expect(flagged && hop.posterior == 0 && hop.level_dbov == 127) }
        if apart { #expect(!flagged, "hop \(n), \(missing) at \(rate)") }
      }
      let gaps = result.events.filter { $0.type == VA_EVENT_DISCONTINUITY.rawValue }
      #expect(gaps.map(\.position) == [UInt64(missing.lowerBound)])
      #expect(gaps.map(\.length_samples) == [UInt64(missing.count)])
    }
  }

  @Test func speechEndsInALongGapAndComesBack() throws {
    let speech = try TelephoneSpeech.samples(rate: 16_000)  // 0.61 … 3.18 s, 4.2 … 5.58 s
    let result = run(speech, missing: 20_000..<52_000)
    #expect(result.segments.count == 2)
    #expect(result.segments[0].upperBound <= 20_160)
    #expect(result.segments[1].lowerBound >= 52_000)
  }

  /// Silence or nothing, a gap whose hops stay undecided, and then a voice: no speech is dated back into the gap.
  @Test(arguments: [0, 200], [60, 110, 120])
  func noSpeechBeginsInAGap(silence: Int, gap: Int) {
    let stream = Stream(rate: 16_000)
    for _ in 0..<silence / 20 { stream.pushLevel(320, 60, voice: false) }
    stream.pushGap(UInt64(gap * 16))
    for _ in 0..<20 { stream.pushLevel(320, 30, voice: true) }
    #expect(stream.finish().segments.map(\.lowerBound) == [UInt64((silence + gap) * 16)])
  }

  /// Up to three lost packets of 20 ms, anywhere in the first phrase. Behind them the network finds less speech for a
  /// moment, which the hangover bridges.
  @Test(arguments: [320, 640, 960])
  func aShortGapDoesNotSplitSpeech(missing: Int) throws {
    let speech = try TelephoneSpeech.samples(rate: 16_000)
    let phrase = TelephoneSpeech.phrases[0]
    let last = Int(phrase.upperBound * 16_000) - missing
    for at in stride(from: Int(phrase.lowerBound * 16_000), through: last, by: 777) {
      let result = run(speech, missing: at..<at + missing) { $0.hangover_ms = 120 }
      #expect(result.segments.count == TelephoneSpeech.phrases.count, "at \(at)")
    }
  }

  /// The sender's voice bit decides the hops around the gap, and there is no hangover. Speech continues only because a
  /// short gap decides nothing.
  @Test(arguments: [8000, 16_000, 44_100, 48_000])
  func speechIsCarriedOver60ms(rate: Int) {
    func segments(around missing: Int, from start: Int) -> [Range<UInt64>] {
      let stream = Stream(rate: rate) { $0.hangover_ms = 0 }
      stream.pushLevel(UInt64(start), 30, voice: true)
      stream.pushGap(UInt64(missing))
      stream.pushLevel(UInt64(rate / 2), 30, voice: true)
      let result = stream.finish()
      #expect(result.count(VA_EVENT_DISCONTINUITY) == 1)
      #expect(stream.status.missing_samples == UInt64(missing))
      let inside = result.hops.filter { $0.flags & UInt8(VA_HOP_MISSING.rawValue) != 0 }
      #expect(inside.allSatisfy { $0.posterior == 0 && $0.level_dbov == 127 })
      return result.segments
    }
    for start in stride(from: rate / 2, through: rate / 2 + rate / 100, by: max(1, rate / 1700)) {
      for ms in [1, 20, 40, 60] {
        let found = segments(around: rate * ms / 1000, from: start)
        #expect(found.count == 1, "\(ms) ms from \(start)")
      }
      let apart = segments(around: rate / 5, from: start)
      #expect(apart.count == 2, "200 ms from \(start)")
      #expect(apart[0].upperBound <= UInt64(start), "speech ends where the long gap begins")
    }
  }

  /// A gap carries the decision on: silence stays silence.
  @Test func nothingBeginsInAGap() {
    let stream = Stream { $0.onset_debounce_ms = 0 }
    stream.pushLevel(16_000, 60, voice: false)
    stream.pushGap(960)
    stream.pushLevel(16_000, 60, voice: false)
    #expect(stream.finish().segments.isEmpty)
  }

  @Test func consecutiveGapsAreOne() {
    for pieces in [2, 7, 25] {
      #expect(
        run(Self.speech, missing: 20_000..<30_000, pieces: pieces)
          == run(Self.speech, missing: 20_000..<30_000))
    }
  }

  /// No call may delay a real-time thread for long. The rest comes with the following calls.
  @Test func aLongGapIsDecidedInParts() {
    let stream = Stream(hopRoom: 0)
    var calls = 0
    var more = stream.call { va_detector_push_gap(stream.detector, nil, 16_000 * 60, $0) }
    while more {
      calls += 1
      var consumed = 0
      more = stream.call { va_detector_process(stream.detector, nil, nil, 0, &consumed, $0) }
    }
    #expect(calls == 5)  // a minute is 6000 hops; a call decides at most 1000 and what it began
    #expect(stream.status.hops == 6000 - UInt64(va_detector_lookahead_ms() / 10))
  }

  @Test func gapsBeyondMeasureAreRefused() {
    let stream = Stream()
    for count in [UInt64(VA_GAP_MAX) + 1, .max] {
      var events = [va_event](repeating: va_event(), count: 4)
      events.withUnsafeMutableBufferPointer { events in
        var output = va_output()
        (output.events, output.event_capacity) = (events.baseAddress, 4)
        #expect(va_detector_push_gap(stream.detector, nil, count, &output) == VA_ERROR_ARGUMENT)
      }
    }
    #expect(stream.finish().events.isEmpty)
  }

  @Test func theNoiseFloorSurvives() {
    let noise = whiteNoise(count: 64_000, rms: 0.01, seed: 41)
    let result = run(noise, missing: 32_000..<48_000)
    let before = result.hops[195].noise_floor_dbfs
    // The last windows extend into the silence after the end.
    let toTheEnd = Int(va_detector_lookahead_ms() / 10)
    let furthest = result.hops[220...].dropLast(toTheEnd)
      .map { abs($0.noise_floor_dbfs - before) }.max()!
    #expect(furthest < 3)
    #expect(result.segments.isEmpty)
  }

  @Test func anHourOfGapIsExact() {
    let stream = Stream(rate: 48_000, hopRoom: 0)
    stream.process(tone(440, count: 4800, rate: 48_000))
    stream.pushGap(3600 * 48_000)
    stream.process(tone(440, count: 4800, rate: 48_000))
    let result = stream.finish()
    #expect(result.count(VA_EVENT_DISCONTINUITY) == 1)
    #expect(stream.status.hops == 3600 * 100 + 20)
    #expect(stream.status.missing_samples == 3600 * 48_000)
  }

  @Test func aGapAtTheEndIsReported() {
    let stream = Stream()
    stream.process(Array(Self.speech.prefix(20_000)))
    stream.pushGap(1600)
    let result = stream.finish()
    #expect(result.count(VA_EVENT_DISCONTINUITY) == 1 && result.count(VA_EVENT_OFFSET) == 1)
    #expect(result.hops.count == 135)
    #expect(result.events.allSatisfy { $0.decided_at <= 21_600 })
  }

  /// A gap of 10 samples ends within a hop. The detector then reports it at its end, not at the end of the hop.
  @Test func aGapIsReportedAtItsEnd() {
    let stream = Stream(rate: 8000)
    stream.process([Float](repeating: 0, count: 1000))
    stream.pushGap(10)
    stream.process([Float(0)])
    let gaps = stream.result.events.filter { $0.type == VA_EVENT_DISCONTINUITY.rawValue }
    #expect(gaps.map(\.decided_at) == [1010])
  }

  /// Sample by sample, so that the number of samples taken is known when an event comes.
  @Test(arguments: [8000, 16_000, 44_100, 88_200, 96_000, 192_000])
  func nothingIsKnownBeforeItsSampleHasCome(rate: Int) {
    let speech = synthesizedSpeech(seconds: 1, rate: Double(rate), phrases: [0.1...0.5, 0.8...0.9])
    let stream = Stream(rate: rate) {
      ($0.onset_threshold, $0.offset_threshold, $0.hangover_ms) = (0.1, 0.05, 20)
    }
    var taken = 0
    var seen = 0
    var latest: UInt64 = 0
    func look() {
      for event in stream.result.events[seen...] {
        #expect(event.decided_at <= UInt64(taken), "\(event)")
        #expect(event.decided_at >= latest && event.decided_at >= event.position, "\(event)")
        latest = event.decided_at
      }
      seen = stream.result.events.count
    }
    while taken < speech.count {
      let at = taken
      taken += 1
      if at % (rate / 3) < rate / 20 { stream.pushGap(1) } else { stream.process([speech[at]]) }
      look()
    }
    stream.finish()
    look()
    #expect(stream.result.count(VA_EVENT_DISCONTINUITY) >= 3 && seen >= 5)
  }

  /// This includes cuts between the last sample of a hop at 16 kHz and the end of the hop.
  @Test(arguments: [48_000, 192_000])
  func whereAGapIsCutDoesNotMatter(rate: Int) {
    func run(_ cut: Int) -> StreamResult {
      let stream = Stream(rate: rate)
      stream.pushLevel(UInt64(rate / 5), 30, voice: true)
      stream.pushGap(UInt64(cut))
      stream.pushGap(UInt64(rate - cut))
      return stream.finish()
    }
    let whole = run(rate)
    #expect(whole.count(VA_EVENT_OFFSET) == 1)
    for cut in (rate / 100 * 13)...(rate / 100 * 16) { #expect(run(cut) == whole, "\(cut)") }
  }
}
