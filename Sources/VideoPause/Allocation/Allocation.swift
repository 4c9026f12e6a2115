/// The allocation problem: which level each stream gets, so that all of them together cost no more than the budget.
/// After ``solve(_:)`` it also holds the answer.
///
/// Streams are in rank order. A stream's levels lie in `steps` from `first`, each more expensive and better than the
/// one before. The type knows nothing about time or earlier decisions except what the caller puts into it, so a test
/// can compare each answer with all others.
struct Allocation: Sendable {
  struct Step {
    /// The total cost of the level, in bits per second.
    var bitrate: Int
    /// The quality of the level, in octaves.
    var utility: Double
    /// The higher level that brings the most per bit; none if this is the highest.
    var next = Level.none
    /// What that level brings, in octaves per bit per second.
    var density = -Double.infinity

    init(bitrate: Int, utility: Double) {
      self.bitrate = bitrate
      self.utility = utility
    }
  }

  struct Candidate {
    /// The stream's place in the caller's rank order.
    var rank = 0
    var first = 0
    var count = 0
    /// The best level of the smallest size.
    var motion = Level.base
    /// The level up to which `stage` raises a stream before it considers the next.
    var preferred = Level.base
    var policy = PausePolicy.normal
    /// Whether the stream's own gate holds it: it is not resumed, and neither is any stream ranked behind it.
    var isShut = false
    /// Whether the stream is paused for bandwidth, so that `resumeBudget` limits its resume.
    var isResume = false
    /// The level that is sent now.
    var current = Level.none

    /// The answer; none if paused.
    var level = Level.none
    /// The bits per second that the base level lacked.
    var required = 0

    /// The highest level.
    var top: Level { Level(count - 1) }
  }

  var candidates: [Candidate] = []
  var steps: [Step] = []
  /// The budget in bits per second.
  var budget = 0
  /// The part of the budget that resumes may fill; less than the budget during a hold-off.
  var resumeBudget = 0
  /// How far streams of policy `never` may exceed the budget, in bits per second.
  var maximumOversend = 0
  /// Whether to keep the present answer when the new one is no better.
  var prefersCurrent = false

  /// The cost of the answer in bits per second.
  private(set) var used = 0
  var scratch = Scratch()

  mutating func removeAll() {
    candidates.removeAll(keepingCapacity: true)
    steps.removeAll(keepingCapacity: true)
  }

  /// Adds a stream that ranks behind all earlier ones.
  mutating func append(_ candidate: Candidate, _ ladder: [Step]) {
    candidates.append(candidate)
    candidates[candidates.count - 1].first = steps.count
    candidates[candidates.count - 1].count = ladder.count
    steps.append(contentsOf: ladder)
  }

  mutating func solve(_ strategy: AllocationStrategy) {
    for place in candidates.indices {
      candidates[place].level = .none
      candidates[place].required = 0
    }
    used = 0
    switch strategy {
    case .grid: solveGrid()
    case .priority: solvePriority()
    case .stage: solveStage()
    }
  }

  func bitrate(_ place: Int, _ level: Level) -> Int {
    level.isNone ? 0 : steps[candidates[place].first + level.place].bitrate
  }

  func utility(_ place: Int, _ level: Level) -> Double {
    level.isNone ? 0 : steps[candidates[place].first + level.place].utility
  }

  /// Returns whether a stream could move to a level with all others unchanged.
  func fits(_ place: Int, _ level: Level) -> Bool {
    used - bitrate(place, candidates[place].level) + bitrate(place, level) <= budget
  }

  mutating func set(_ place: Int, to level: Level) {
    used += bitrate(place, level) - bitrate(place, candidates[place].level)
    candidates[place].level = level
  }

  /// Raises a stream to its highest level up to `limit` that fits.
  mutating func raise(_ place: Int, upTo limit: Level) {
    let now = candidates[place].level
    guard !now.isNone else { return }
    var level = min(limit, candidates[place].top)
    while level > now && !fits(place, level) { level = level.below }
    if level > now { set(place, to: level) }
  }
}

extension [Allocation.Step] {
  /// Sets for each step of a ladder which higher step brings the most per bit.
  mutating func link() {
    for level in indices {
      self[level].next = .none
      self[level].density = -.infinity
      for higher in (level + 1)..<count {
        let gain = self[higher].utility - self[level].utility
        let density = gain / Double(self[higher].bitrate - self[level].bitrate)
        guard density > self[level].density else { continue }
        self[level].next = Level(higher)
        self[level].density = density
      }
    }
  }
}
