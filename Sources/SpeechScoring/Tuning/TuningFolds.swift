/// The division of recordings into folds for cross-validation: each is held out once.
public enum TuningFolds {
  /// Returns the recordings, 0 ..< `count`, in `folds` parts whose sizes differ by at most one. The same seed gives the
  /// same parts.
  public static func make(_ count: Int, folds: Int, seed: UInt64) -> [[Int]] {
    var generator = SplitMix64(seed: seed)
    let order = Array(0..<count).shuffled(using: &generator)
    return (0..<folds).map { fold in
      stride(from: fold, to: count, by: folds).map { order[$0] }.sorted()
    }
  }
}
