/// How stable a policy is under a noisy estimate, and how well it uses the path.
struct Stability {
  static let streams = 6
  /// Bits per second: two to six base layers just fit, then higher ones.
  static let capacities = [
    310_000, 460_000, 610_000, 760_000, 905_000, 1_300_000, 2_000_000, 3_500_000,
  ]
  static let correlations = [0.5, 0.95]
  static let seeds: [UInt64] = [1, 2, 3]
  /// The seconds that count, the seconds before them, and the time between estimates.
  static let duration = 300.0, warmUp = 10.0, interval = 0.2

  /// Pauses and resumes of a stream in a minute.
  private(set) var togglesPerMinute = 0.0
  /// The maximum for one stream in any 60 s.
  private(set) var worst = 0
  /// The share of the capacity that is used; excess does not count.
  private(set) var use = 0.0
  /// The share of time in which more is sent than the path carries.
  private(set) var overload = 0.0

  /// Returns the mean over all capacities, correlations and seeds.
  static func measure(
    deviation: Double, _ makePolicy: (_ capacity: Int) throws -> any Policy
  ) throws -> Stability {
    var sum = Stability()
    let runs = Double(capacities.count * correlations.count * seeds.count)
    for capacity in capacities {
      for correlation in correlations {
        for seed in seeds {
          let estimates = NoisyEstimate(
            mean: capacity, deviation: deviation, correlation: correlation, seed: seed)
          sum.add(try run(try makePolicy(capacity), estimates), weight: 1 / runs)
        }
      }
    }
    return sum
  }

  private mutating func add(_ other: Stability, weight: Double) {
    togglesPerMinute += weight * other.togglesPerMinute
    worst = max(worst, other.worst)
    use += weight * other.use
    overload += weight * other.overload
  }

  private static func run(_ policy: any Policy, _ noise: NoisyEstimate) throws -> Stability {
    var (policy, estimates) = (policy, noise)
    var toggles = Array(repeating: [Double](), count: streams)
    var previous: [Int]?
    var result = Stability()
    let ticks = Int(duration / interval)
    for tick in -Int(warmUp / interval)..<ticks {
      let now = warmUp + Double(tick) * interval
      let levels = try policy.levels(at: now, estimate: estimates.next())
      guard tick >= 0 else { continue }
      for (stream, old) in (previous ?? levels).enumerated()
      where (old < 0) != (levels[stream] < 0) {
        toggles[stream].append(now)
      }
      previous = levels
      result.use += Double(min(cost(levels), noise.mean)) / Double(noise.mean) / Double(ticks)
      result.overload += cost(levels) > noise.mean ? 1 / Double(ticks) : 0
    }
    result.togglesPerMinute = Double(toggles.joined().count) / Double(streams) / (duration / 60)
    result.worst = toggles.map(mostInAMinute).max() ?? 0
    return result
  }

  private static func mostInAMinute(_ times: [Double]) -> Int {
    times.map { start in times.count { $0 >= start && $0 < start + 60 } }.max() ?? 0
  }
}
