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
    /// The higher level that brings the most per bit; -1 if this is the highest.
    var next = -1
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
    var motion = 0
    /// The level up to which `stage` raises a stream before it considers the next.
    var preferred = 0
    var policy = PausePolicy.normal
    /// Whether the stream's own gate holds it: it is not resumed, and neither is any stream ranked behind it.
    var isShut = false
    /// Whether the stream is paused for bandwidth, so that `resumeBudget` limits its resume.
    var isResume = false
    /// The level that is sent now; -1 if none.
    var current = -1

    /// The answer; -1 if paused.
    var level = -1
    /// The bits per second that the base level lacked.
    var required = 0
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
      candidates[place].level = -1
      candidates[place].required = 0
    }
    used = 0
    switch strategy {
    case .grid: solveGrid()
    case .priority: solvePriority()
    case .stage: solveStage()
    }
  }

  func bitrate(_ place: Int, _ level: Int) -> Int {
    level < 0 ? 0 : steps[candidates[place].first + level].bitrate
  }

  func utility(_ place: Int, _ level: Int) -> Double {
    level < 0 ? 0 : steps[candidates[place].first + level].utility
  }

  /// Returns whether a stream could move to a level with all others unchanged.
  func fits(_ place: Int, _ level: Int) -> Bool {
    used - bitrate(place, candidates[place].level) + bitrate(place, level) <= budget
  }

  mutating func set(_ place: Int, to level: Int) {
    used += bitrate(place, level) - bitrate(place, candidates[place].level)
    candidates[place].level = level
  }

  /// Raises a stream to its highest level up to `limit` that fits.
  mutating func raise(_ place: Int, upTo limit: Int = .max) {
    let top = min(limit, candidates[place].count - 1)
    let now = candidates[place].level
    guard now >= 0, now < top else { return }
    if let level = ((now + 1)...top).last(where: { fits(place, $0) }) { set(place, to: level) }
  }
}

extension [Allocation.Step] {
  /// Sets for each step of a ladder which higher step brings the most per bit.
  mutating func link() {
    for level in indices {
      self[level].next = -1
      self[level].density = -.infinity
      for higher in (level + 1)..<count {
        let gain = self[higher].utility - self[level].utility
        let density = gain / Double(self[higher].bitrate - self[level].bitrate)
        guard density > self[level].density else { continue }
        self[level].next = higher
        self[level].density = density
      }
    }
  }
}
