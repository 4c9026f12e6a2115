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
        step(&posterior, kernels, Array(samples[end - 512..<end]))
      }
      decided += [posterior.decided.0, posterior.decided.1]
    }
    return Array(decided.dropFirst(2))  // the hops of the first step would precede the stream
  }

  private func step(
    _ posterior: inout va_posterior, _ kernels: UnsafePointer<va_kernels>, _ window: [Float]
  ) {
    let powers = UnsafeMutablePointer<va_pitch_powers>.allocate(capacity: 1)
    defer { powers.deallocate() }
    withUnsafeMutableBytes(of: &powers.pointee) {
      va_posterior_measure(
        &posterior, kernels, window, 40, $0.bindMemory(to: Float.self).baseAddress!)
    }
    var pitch = va_pitch()
    kernels.pointee.pitches(powers, &pitch, 1)
    var inputs: [Float] = [0, 0]
    va_pitch_features(pitch, &inputs)
    var logits: (Float, Float) = (0, 0)
    withUnsafeMutablePointer(to: &posterior.network) { network in
      withUnsafePointer(to: va_network_weights) { weights in
        kernels.pointee.network_steps(weights, [network], [(inputs[0], inputs[1])], &logits, 1)
      }
    }
    va_posterior_decide(&posterior, [logits.0, logits.1])
  }

  /// The window that ends with hop 2k + 3 decides hops 2k and 2k + 1. Digital silence has no window.
  @Test func eachWindowDecidesTheHopsThreeAndTwoBehindItsEnd() {
    var samples = synthesizedSpeech(seconds: 3, rate: 16_000, phrases: [0.3...1.0, 2.1...2.6])
    let silent = 20_000..<30_000
    for index in silent { samples[index] = 0 }
    let stream = Stream()
    stream.detector.pointee.simd = VA_SIMD_PORTABLE.rawValue
    stream.process(samples)
    let expected = decided(samples, silent: silent)
    #expect(stream.result.hops.count == 297)
    #expect(stream.result.hops.map(\.posterior) == Array(expected.prefix(297)))
    #expect(expected.contains { $0 > 0.9 } && expected[140..<180].allSatisfy { $0 == 0 })
  }
}
