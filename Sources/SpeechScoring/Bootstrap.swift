/// The bootstrap: how far figures would vary with other recordings of the same kind. It repeatedly draws as many
/// recordings as there are, with replacement (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, §13.3).
///
/// It draws whole recordings rather than cells, because the cells of one recording are not independent. The same seed
/// gives the same draws, so that two detectors are compared on the same ones.
public struct Bootstrap: Sendable, Hashable {
  /// The number of draws.
  public var resamples: Int
  /// The seed of the draws.
  public var seed: UInt64

  /// Creates a bootstrap.
  public init(resamples: Int = 1000, seed: UInt64 = 1) {
    (self.resamples, self.seed) = (resamples, seed)
  }

  /// Returns the figures of each resample. The array is empty for a single recording, from which only itself can be
  /// drawn.
  func figures(of pool: Pool, recordings: Int) -> [Figures] {
    guard recordings > 1 else { return [] }
    var generator = SplitMix64(seed: seed)
    return stride(from: 0, to: resamples, by: Lanes.scalarCount).flatMap { first in
      let lanes = min(Lanes.scalarCount, resamples - first)
      let weights = generator.draw(from: recordings, lanes: lanes)
      return pool.figures(weights: weights).prefix(lanes)
    }
  }
}

extension SplitMix64 {
  /// Returns how often each recording is drawn in each resample, one resample for each lane.
  mutating func draw(from count: Int, lanes: Int) -> [Lanes] {
    var weights = [Lanes](repeating: .zero, count: count)
    for lane in 0..<lanes {
      for _ in 0..<count {
        // 0 ..< count; the bias is less than count / 2^64.
        let index = next().multipliedFullWidth(by: UInt64(count)).high
        weights[Int(index)][lane] += 1
      }
    }
    return weights
  }
}
