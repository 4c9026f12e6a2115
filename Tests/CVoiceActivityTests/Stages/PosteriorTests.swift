import CVoiceActivity
import CVoiceActivityInternals
import RealModule
import TestSupport
import Testing

@Suite struct PosteriorTests {
  /// Returns the posteriors for the network's probabilities, hop after hop, two a step.
  private func posteriors(_ seen: [Double], of posterior: inout va_posterior) -> [Double] {
    stride(from: 0, to: seen.count, by: 2).flatMap { first in
      let logits = seen[first..<first + 2].map { Float(Double.log($0 / (1 - $0))) }
      va_posterior_decide(&posterior, logits, 1)
      return [Double(posterior.decided.0), Double(posterior.decided.1)]
    }
  }

  private func memory(_ posterior: va_posterior) -> [Float] {
    withUnsafeBytes(of: posterior.network.memory) { Array($0.bindMemory(to: Float.self)) }
  }

  private func posteriorWithMemory() -> va_posterior {
    var posterior = va_posterior()
    withUnsafeMutableBytes(of: &posterior.network.memory) { bytes in
      let values = bytes.bindMemory(to: Float.self)
      for index in values.indices { values[index] = Float(index) / 64 - 0.5 }
    }
    return posterior
  }

  /// After speech, a hop that the network takes for silence still gets a posterior of up to a tenth. The share is
  /// proportional to the square of the earlier probability, and falls by 2 % a hop.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func whoeverSpokeMayBeSpeakingStill(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let seen = (0..<300).map { _ in
      Bool.random(using: &generator)
        ? Double.random(in: 1e-4...0.05, using: &generator)
        : Double.random(in: 1e-3...0.999, using: &generator)
    }
    var posterior = va_posterior()
    for (hop, value) in posteriors(seen, of: &posterior).enumerated() {
      let recent = (0...hop).map { seen[$0] * seen[$0] * Double.pow(0.98, hop - $0) }.max()!
      #expect(abs(value - (1 - (1 - seen[hop]) * (1 - 0.1 * recent))) < 1e-5, "hop \(hop)")
    }
  }

  @Test func withoutSpeechBeforeItIsWhatTheNetworkSaw() {
    var posterior = va_posterior()
    for value in posteriors([Double](repeating: 0.01, count: 200), of: &posterior) {
      #expect(abs(value - 0.01) < 2e-5)
    }
  }

  @Test func hopsWithNothingToMeasureLetTheRecentFade() {
    var posterior = va_posterior()
    _ = posteriors([0.99, 0.001], of: &posterior)
    for _ in 0..<49 { va_posterior_pass(&posterior) }
    #expect(posterior.decided == (0, 0))
    let value = posteriors([0.001, 0.001], of: &posterior)[0]
    let recent = 0.99 * 0.99 * Double.pow(0.98, 100)
    #expect(abs(value - (1 - 0.999 * (1 - 0.1 * recent))) < 1e-6)
  }

  /// 70 hops below 0.008 change nothing. Each further one takes 3 % of the memory, until anything is detected.
  @Test func sureSilenceLetsTheMemoryFade() {
    var posterior = posteriorWithMemory()
    let before = memory(posterior)
    _ = posteriors([Double](repeating: 0.0079, count: 70), of: &posterior)
    #expect(memory(posterior) == before)
    _ = posteriors([Double](repeating: 0.0079, count: 50), of: &posterior)
    let faded = memory(posterior)
    let left = Double.pow(0.97, 50)
    for (a, b) in zip(faded, before) { #expect(abs(Double(a) - left * Double(b)) < 1e-6) }
    _ = posteriors([0.0081] + [Double](repeating: 0.001, count: 69), of: &posterior)
    #expect(memory(posterior) == faded)
    for _ in 0..<10_000 { va_posterior_pass(&posterior) }
    // After minutes of silence the memory is as good as new. It must not be denormal, which would be slow.
    #expect(memory(posterior).allSatisfy { abs($0) < 1e-20 && !$0.isSubnormal })
    #expect(posterior.recent < 1e-12 && posterior.recent.isNormal)
  }

  @Test func aGapForgetsWhatWasRecent() {
    var posterior = posteriorWithMemory()
    _ = posteriors([0.99, 0.99], of: &posterior)
    va_posterior_forget(&posterior)
    #expect(memory(posterior).allSatisfy { $0 == 0 })
    #expect(abs(posteriors([0.005, 0.005], of: &posterior)[0] - 0.005) < 2e-5)
    #expect(posterior.quiet_hops == 2)
  }
}
