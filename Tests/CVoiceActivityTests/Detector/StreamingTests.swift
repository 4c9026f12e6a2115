import CVoiceActivity
import CVoiceActivityInternals
import Foundation
import TestSupport
import Testing

@Suite struct StreamingTests {
  static let rates = [
    8000, 11_025, 16_000, 22_050, 32_000, 40_000, 44_100, 48_000, 96_000, 160_000, 192_000,
  ]

  @Test(.tags(.slow), arguments: rates)
  func findsThePhrasesAtEveryRate(rate: Int) throws {
    let phrases = TelephoneSpeech.phrases
    let speech = try TelephoneSpeech.samples(rate: Double(rate))
    let result = analyze(speech, rate: rate)
    let found = result.segments.map { Double($0.lowerBound) / Double(rate) }
    let ended = result.segments.map { Double($0.upperBound) / Double(rate) }
    #expect(found.count == phrases.count, "\(found) \(ended)")
    for (phrase, (onset, offset)) in zip(phrases, zip(found, ended)) {
      #expect(abs(onset - phrase.lowerBound) < 0.2, "\(onset)")
      #expect(abs(offset - phrase.upperBound) < 0.5, "\(offset)")
    }
  }

  /// The header's promise: the results are the same bit for bit, however the stream is cut.
  @Test(arguments: rates)
  func chunksDoNotMatter(rate: Int) {
    let speech = synthesizedSpeech(seconds: 1.2, rate: Double(rate), phrases: [0.2...0.8])
    let lenient = { (config: inout va_config) in config.onset_threshold = 0.5 }
    let whole = analyze(speech, rate: rate, configure: lenient)
    #expect(!whole.events.isEmpty)
    for chunk in [1, 3, 79, 160, 441, 512, 4096] {
      #expect(
        analyze(speech, rate: rate, chunk: chunk, configure: lenient) == whole, "chunks of \(chunk)"
      )
    }
    var generator = SeededGenerator(seed: 30)
    let stream = Stream(rate: rate, configure: lenient)
    var rest = speech[...]
    while !rest.isEmpty {
      let count = Int.random(in: 0...700, using: &generator)
      stream.process(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    #expect(stream.finish() == whole)
  }

  @Test(arguments: [(4, 1), (4, 64), (5, 2), (64, 1), (4, 0)])
  func roomForResultsDoesNotMatter(eventRoom: Int, hopRoom: Int) {
    let speech = synthesizedSpeech(seconds: 3, phrases: [0.5...1.2, 1.8...2.4])
    let stream = Stream(eventRoom: eventRoom, hopRoom: hopRoom)
    stream.process(Array(speech.prefix(20_000)))
    stream.pushGap(5000)
    stream.process(Array(speech.dropFirst(25_000)))
    let reference = Stream(eventRoom: 1000, hopRoom: 1000)
    reference.process(Array(speech.prefix(20_000)))
    reference.pushGap(5000)
    reference.process(Array(speech.dropFirst(25_000)))
    let expected = reference.finish()
    let found = stream.finish()
    #expect(found.events.map(\.bits) == expected.events.map(\.bits))
    if hopRoom > 0 { #expect(found == expected) }
  }

  @Test func sixteenBitEntryAgrees() {
    let samples = synthesizedSpeech(seconds: 3, phrases: [0.5...2.5]).map {
      Int16(($0 * 32768).rounded())
    }
    let stream = Stream()
    stream.process(samples, chunk: 333)
    #expect(stream.finish() == analyze(samples.map { Float($0) / 32768 }))
  }

  @Test(arguments: [16_000, 44_100], Body.available.dropFirst())
  func simdAndPortableBodiesAgree(rate: Int, body: Body) throws {
    let speech = synthesizedSpeech(
      seconds: 5.5, rate: Double(rate), phrases: [1.0...2.2, 3.0...4.5])
    let (a, b) = (decide(speech, rate, by: body.simd), decide(speech, rate, by: VA_SIMD_PORTABLE))
    #expect(a.hops.count == b.hops.count)
    #expect(zip(a.hops, b.hops).allSatisfy { abs($0.posterior - $1.posterior) <= 5e-3 })
    #expect(a.segments == b.segments)
  }

  /// Where a value lies between two integers, the network may round it differently.
  @Test(arguments: [16_000, 44_100], Body.available.dropFirst())
  func bodiesAgreeForAMinute(rate: Int, body: Body) throws {
    var generator = SeededGenerator(seed: 41)
    let phrases: [ClosedRange<Double>] = stride(from: 1, to: 60, by: 4).map { $0...$0 + 2 }
    var speech = synthesizedSpeech(seconds: 60, rate: Double(rate), phrases: phrases)
    let silences = [20..<25, 40..<45]  // s, digital; the rest has noise
    for i in speech.indices where !silences.contains(where: { $0.contains(i / rate) }) {
      speech[i] += 0.01 * Float(generator.gaussian())
    }
    let (a, b) = (decide(speech, rate, by: body.simd), decide(speech, rate, by: VA_SIMD_PORTABLE))
    #expect(a.hops.count == b.hops.count)
    let differences = zip(a.hops, b.hops).map { abs($0.posterior - $1.posterior) }
    #expect(differences.max()! <= 0.02)
    #expect(differences.count { $0 > 5e-3 } < a.hops.count / 200)
    // Where a posterior only just reaches a threshold, an edge may lie some hops away.
    func differ(_ x: UInt64, _ y: UInt64) -> Bool { max(x, y) - min(x, y) > UInt64(rate / 20) }
    #expect(a.segments.count == b.segments.count && a.segments.count > 5)
    for (x, y) in zip(a.segments, b.segments) {
      #expect(!differ(x.lowerBound, y.lowerBound) && !differ(x.upperBound, y.upperBound))
    }
  }

  private func decide(_ samples: [Float], _ rate: Int, by simd: va_simd) -> StreamResult {
    let stream = Stream(rate: rate)
    stream.detector.pointee.simd = UInt8(simd.rawValue)
    stream.process(samples)
    return stream.finish()
  }

  /// The values of VA_CPU. GoldenTests sets it for a separate program, because no test may change the environment of
  /// others.
  @Test func simdCanBeLimited() {
    #expect(va_simd_limited("portable") == VA_SIMD_PORTABLE)
    #expect(va_simd_limited("avx2").rawValue <= VA_SIMD_AVX2.rawValue)
    for wish in [nil, "avx512", "", "AVX2", "nonsense"] as [String?] {
      #expect(va_simd_limited(wish) == Body.available.last!.simd)
    }
    #expect(
      Body.available.map { String(cString: va_simd_name_of($0.simd)) }
        == Body.available.map(\.rawValue))
  }

  #if os(Linux) && arch(x86_64)
    /// Linux lists the features whose registers it saves.
    @Test func simdIsTheBestThatTheKernelLists() throws {
      let text = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
      let flags = try #require(text.split(separator: "\n").first { $0.hasPrefix("flags") })
        .split(separator: " ")
      let needs: [(va_simd, Set<Substring>)] = [
        (VA_SIMD_AVX2, ["avx2", "fma"]),
        (
          VA_SIMD_AVX512,
          [
            "avx2", "fma", "avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512_vnni",
          ]
        ),
      ]
      let best = needs.last { $0.1.isSubset(of: flags) }?.0 ?? VA_SIMD_PORTABLE
      #expect(va_simd_limited(nil) == best)
    }
  #endif

  /// floor(duration / 10 ms) hops, each at its place: the first input sample not before n · 10 ms.
  @Test(arguments: [8000, 11_025, 16_000, 37_000, 44_100, 48_000, 192_000])
  func hopsCoverTheStream(rate: Int) {
    for count in [0, 1, rate / 100 - 1, rate / 100, rate / 100 + 1, rate / 3, rate] {
      let result = analyze(whiteNoise(count: count, rms: 0.01, seed: 31), rate: rate)
      #expect(result.hops.count == count * 100 / rate, "\(count) samples at \(rate)")
      for (n, hop) in result.hops.enumerated() {
        #expect(hop.position == UInt64((n * rate + 99) / 100))
      }
    }
  }

  @Test func aCopyOfTheBytesIsASnapshot() {
    let speech = synthesizedSpeech(seconds: 5, rate: 44_100, phrases: [0.5...2, 3...4.5])
    let half = speech.count / 2 + 17
    let stream = Stream(rate: 44_100)
    stream.process(Array(speech.prefix(half)))
    let copy = Stream(rate: 44_100)
    copy.memory.copyMemory(from: stream.memory, byteCount: va_detector_size_for(44_100))
    copy.result = stream.result
    stream.process(Array(speech.dropFirst(half)))
    copy.process(Array(speech.dropFirst(half)))
    #expect(copy.finish() == stream.finish())
  }

  @Test func resetForgetsAllButTheMute() {
    let speech = synthesizedSpeech(seconds: 3, phrases: [0.5...2.5])
    let stream = Stream()
    va_detector_set_muted(stream.detector, true)
    stream.process(speech)
    let first = stream.finish()
    stream.result = StreamResult()
    va_detector_reset(stream.detector)
    #expect(stream.status.is_muted && stream.status.hops == 0 && stream.status.level_dbov == 127)
    stream.process(speech)
    #expect(stream.finish() == first)
  }

  /// Levels of known signals: 0 dBFS is the RMS of a full-scale square wave.
  @Test func levelsAreThoseOfTheSignal() {
    let sine = analyze(tone(1000, count: 16_000, rate: 16_000, amplitude: 1))
    #expect(sine.hops.allSatisfy { abs($0.level_dbfs + 3.01) < 0.01 && $0.level_dbov == 3 })
    #expect(sine.hops.allSatisfy { abs($0.peak_dbfs) < 0.01 })
    let silence = analyze([Float](repeating: 0, count: 16_000))
    #expect(
      silence.hops.allSatisfy { $0.level_dbov == 127 && $0.level_dbfs == -127 && $0.posterior == 0 }
    )
    let noise = whiteNoise(count: 16_000, rms: 0.01, seed: 32)
    for hop in analyze(noise).hops {
      let exact = decibels(meanSquare(noise[Int(hop.position)..<Int(hop.position) + 160]))
      #expect(abs(Double(hop.level_dbfs) - exact) < 1e-3)
    }
  }
}
