import Glibc

/// SplitMix64: the same seed gives the same numbers everywhere.
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Returns a normal random number of mean 0 and variance 1 (Box and Muller).
  mutating func normal() -> Double {
    let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &self))).squareRoot()
    return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &self))
  }
}

/// Estimates of a path that carries `mean`, in bits per second: mean × (1 + deviation × x), where x is an AR(1) process
/// of variance 1 in which neighbours have the correlation `correlation`.
struct NoisyEstimate {
  let mean: Int
  let deviation, correlation: Double
  private var random: Seeded
  private var x = 0.0

  init(mean: Int, deviation: Double, correlation: Double, seed: UInt64) {
    self.mean = mean
    self.deviation = deviation
    self.correlation = correlation
    random = Seeded(seed)
  }

  mutating func next() -> Int {
    x = correlation * x + (1 - correlation * correlation).squareRoot() * random.normal()
    return max(30_000, Int(Double(mean) * (1 + deviation * x)))
  }
}
