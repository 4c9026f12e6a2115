/// The question: which level does each stream get, so that all of them together cost no more than the budget?
/// And, after ``solve(_:)``, the answer.
///
/// Streams are in rank order. A stream's levels lie in `steps` from `first`, each dearer than the one before, and
/// better. Nothing here knows of time or of what was decided before, but for what the caller says in it, so every
/// answer can be checked against all others.
struct Allocation: Sendable {
  struct Step {
    /// Bits per second, in all.
    var bitrate: Int
    /// In octaves.
    var utility: Double
    /// The higher level that brings most for its bits; -1: this is the highest.
    var next = -1
    /// What it brings, in octaves for a bit per second.
    var density = -Double.infinity

    init(bitrate: Int, utility: Double) {
      self.bitrate = bitrate
      self.utility = utility
    }
  }

  struct Candidate {
    /// Its place in the caller's order of rank.
    var rank = 0
    var first = 0
    var count = 0
    /// The best level of the smallest size.
    var motion = 0
    /// The level up to which `stage` raises a stream before it looks at the next.
    var preferred = 0
    var policy = PausePolicy.normal
    /// Held by its own gate: not resumed, and nothing paused behind it either.
    var isShut = false
    /// Paused for bandwidth before: resuming it is subject to `resumeBudget`.
    var isResume = false
    /// What is sent now; -1: nothing.
    var current = -1

    /// The answer; -1: paused.
    var level = -1
    /// Bits per second that the base level lacked.
    var required = 0
  }

  var candidates: [Candidate] = []
  var steps: [Step] = []
  /// Bits per second.
  var budget = 0
  /// What resumes may fill: less than the budget while they are held off.
  var resumeBudget = 0
  /// How far streams of policy `never` may go beyond.
  var maximumOversend = 0
  /// Between equally good answers, the present one is kept.
  var prefersCurrent = false

  /// What the answer costs.
  private(set) var used = 0
  var scratch = Scratch()

  mutating func removeAll() {
    candidates.removeAll(keepingCapacity: true)
    steps.removeAll(keepingCapacity: true)
  }

  /// Adds a stream, the last in rank so far.
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

  /// Whether a stream could go to a level with all others as they are.
  func fits(_ place: Int, _ level: Int) -> Bool {
    used - bitrate(place, candidates[place].level) + bitrate(place, level) <= budget
  }

  mutating func set(_ place: Int, to level: Int) {
    used += bitrate(place, level) - bitrate(place, candidates[place].level)
    candidates[place].level = level
  }

  /// The highest level up to `limit` that fits.
  mutating func raise(_ place: Int, upTo limit: Int = .max) {
    let top = min(limit, candidates[place].count - 1)
    let now = candidates[place].level
    guard now >= 0, now < top else { return }
    if let level = ((now + 1)...top).last(where: { fits(place, $0) }) { set(place, to: level) }
  }
}

extension [Allocation.Step] {
  /// Says of each step of a ladder which one above it brings most for its bits.
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
