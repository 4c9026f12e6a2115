import CVoiceActivity
import CVoiceActivityInternals
import TestSupport
import Testing

@Suite struct StepTests {
  /// Runs the stages directly on `samples` at 16 kHz, one window a step. Returns P(speech) of each hop that a window
  /// decides.
  private func decided(_ samples: [Float], silent: Range<Int>) -> [Float] {
    let kernels = Body.portable.kernels
    var posterior = va_posterior()
    va_posterior_init(&posterior)
    var decided: [Float] = []
    for end in stride(from: 320, through: samples.count, by: 320) {
      if end < 512 || (silent.contains(end - 1) && silent.contains(end - 640)) {
        va_posterior_pass(&posterior)
      } else {
        step(&posterior, kernels, framer(samples, end), weight: weight(samples, end))
      }
      decided += [posterior.decided.0, posterior.decided.1]
    }
    return Array(decided.dropFirst(2))  // the hops of the first step would precede the stream
  }

  /// By the loudest hop of the last 32 steps, whole ones of 320 samples.
  private func weight(_ samples: [Float], _ end: Int) -> Float {
    var quietness = va_quietness()
    for first in stride(from: max(0, end - 32 * 320), to: end, by: 320) {
      let powers = [first, first + 160].map { start in
        Body.portable.level(samples[start..<start + 160]) / 160
      }
      va_quietness_update(&quietness, UInt64(first / 320), powers.max()!)
    }
    return va_quietness_weight(&quietness)
  }

  /// A framer with the window that ends at a sample.
  private func framer(_ samples: [Float], _ end: Int) -> va_framer {
    var framer = va_framer()
    va_framer_init(&framer, 16_000)
    for start in stride(from: max(0, end - 640), to: end, by: 160) {
      va_framer_tail(&framer)!.update(from: Array(samples[start..<start + 160]), count: 160)
      va_framer_commit(&framer, 160)
      guard start + 160 < end else { break }
      let peak = samples[max(0, start - 160)..<start + 160].map(abs).max()!
      va_framer_advance(&framer, Body.portable.kernels, peak)
    }
    return framer
  }

  private func step(
    _ posterior: inout va_posterior, _ kernels: UnsafePointer<va_kernels>, _ framer: va_framer,
    weight: Float
  ) {
    let powers = UnsafeMutablePointer<va_pitch_powers>.allocate(capacity: 1)
    defer { powers.deallocate() }
    var input = va_network_input()
    var framer = framer
    withUnsafeMutableBytes(of: &powers.pointee) { powers in
      withUnsafeMutableBytes(of: &input.frame) { frame in
        var levels = va_window_levels()
        va_posterior_measure(
          kernels, &framer, 40, &levels, powers.bindMemory(to: Float.self).baseAddress!)
        va_posterior_describe(
          &posterior, kernels, &levels, 40, nil, frame.bindMemory(to: Int16.self).baseAddress!)
      }
    }
    var pitch = va_pitch()
    kernels.pointee.pitches(powers, &pitch, 1)
    withUnsafeMutableBytes(of: &input.pitch) {
      va_pitch_features(pitch, $0.bindMemory(to: Float.self).baseAddress!)
    }
    var logits: (Float, Float) = (0, 0)
    withUnsafeMutablePointer(to: &posterior.network) { network in
      withUnsafePointer(to: va_network_weights) { weights in
        kernels.pointee.network_steps(weights, [network], [input], &logits, 1)
      }
    }
    va_posterior_decide(&posterior, [logits.0, logits.1], weight)
  }

  /// The window that ends with hop 2k + 3 decides hops 2k and 2k + 1. Digital silence has no window.
  @Test func eachWindowDecidesTheHopsThreeAndTwoBehindItsEnd() {
    var samples = synthesizedSpeech(seconds: 3, rate: 16_000, phrases: [0.3...1.0, 2.1...2.6])
    let silent = 20_000..<30_000
    for index in silent { samples[index] = 0 }
    let stream = Stream()
    stream.detector.pointee.simd = UInt8(VA_SIMD_PORTABLE.rawValue)
    stream.process(samples)
    let expected = decided(samples, silent: silent)
    #expect(stream.result.hops.count == 297)
    #expect(stream.result.hops.map(\.posterior) == Array(expected.prefix(297)))
    #expect(expected.contains { $0 > 0.5 } && expected[140..<180].allSatisfy { $0 == 0 })
  }
}
