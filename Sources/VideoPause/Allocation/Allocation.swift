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
    /// What the `next` level brings, in octaves per bit per second.
    var density = -Double.infinity
    /// The higher level that brings the most per bit; none if this is the highest.
    var next = Level.none
    /// The stream's layer, as its ladder counts them.
    @Narrow<Int8> var rung = 0

    init(bitrate: Int, utility: Double, rung: Int = 0) {
      self.bitrate = bitrate
      self.utility = utility
      self.rung = rung
    }
  }

  struct Candidate {
    /// The bits per second that the base level lacked: part of the answer.
    var required = 0
    /// The stream's place in the caller's rank order.
    @Narrow<Int32> var rank = 0
    /// Where its levels lie in `steps`.
    @Narrow<Int32> var first = 0
    @Narrow<Int8> var count = 0
    /// The best level of the smallest size.
    var motion = Level.base
    /// The level up to which `stage` raises a stream before it considers the next.
    var preferred = Level.base
    var policy = PausePolicy.normal
    var isPinned = false
    /// Whether it could come back if it were paused so that another is shown.
    var canReturn = true
    var standing = Standing.new
    /// Whether the stream is counted as shown while sizes are chosen, although it is not shown yet.
    var isAwaited = false
    /// The level that is sent now.
    var current = Level.none

    /// The answer; none if paused.
    var level = Level.none
    /// Whether the answer pauses it so that another is shown.
    var givesWay = false

    /// Whether the stream is shown and may be paused for a more important one.
    var mayGiveWay: Bool { !level.isNone && policy == .normal && !isPinned && canReturn }
    /// The highest level.
    var top: Level { Level(count - 1) }
  }

  /// What a stream was before this decision.
  enum Standing {
    /// Neither shown nor paused for bandwidth.
    case new
    case shown
    /// Paused for bandwidth; it may be resumed.
    case paused
    /// Paused only just: it is resumed only if it is urgent, or if everything is dark.
    case held
    /// Resumed as often as is allowed.
    case shut

    var mayShow: Bool { self != .held && self != .shut }
  }

  var candidates: [Candidate] = []
  /// The levels of all streams, also of those that are not candidates.
  var steps: [Step] = []
  /// The budget for the sizes of what is shown, in bits per second.
  var budget = 0
  /// The budget for the base levels of what is shown already.
  var keepBudget = 0
  /// Whether the first of what is shown already keeps its base level even if that does not fit.
  var keepsFirst = false
  /// The budget for base levels when one more stream is shown.
  var pictureBudget = 0
  /// The budget for the first base level when everything is dark.
  var firstBudget = 0
  /// The place of the first stream in the order in which streams are kept; set by ``findFirst()``.
  var first: Int?
  /// Whether it is shown as soon as its base level fits `claimBudget`, whatever it takes.
  var mayClaim = false
  var claimBudget = 0
  /// How far streams of policy `never` may exceed the budget, in bits per second.
  var maximumOversend = 0
  /// Whether to keep the present answer when the new one is no better.
  var prefersCurrent = false

  /// The cost of the answer in bits per second.
  private(set) var used = 0
  /// Whether this answer resumes a stream.
  var isResuming = false
  /// Whether another stream could be resumed, in a decision of its own.
  var hasMore = false
  /// Whether any stream is counted as shown that is not shown yet.
  var isAwaiting = false
  /// Whether the first stream's motion comes before the base levels of the others.
  private(set) var reservesMotion = false
  var scratch = Scratch()

  mutating func solve(_ strategy: AllocationStrategy) {
    for place in candidates.indices {
      candidates[place].level = .none
      candidates[place].givesWay = false
      candidates[place].required = 0
    }
    used = 0
    reservesMotion = strategy == .stage
    switch strategy {
    case .grid: solveGrid()
    case .priority: solvePriority()
    case .stage: solveStage()
    }
    withdrawAwaited()
  }

  func bitrate(_ place: Int, _ level: Level) -> Int {
    level.isNone ? 0 : steps[candidates[place].first + level.place].bitrate
  }

  func utility(_ place: Int, _ level: Level) -> Double {
    level.isNone ? 0 : steps[candidates[place].first + level.place].utility
  }

  /// Returns whether a stream could move to a level with all others unchanged.
  func fits(_ place: Int, _ level: Level, within budget: Int) -> Bool {
    used - bitrate(place, candidates[place].level) + bitrate(place, level) <= budget
  }

  /// The cost of the pictures that are shown, each at the level below which it is not reduced; 0 if none of them may be
  /// paused.
  func essentialRate(_ strategy: AllocationStrategy) -> Int {
    var (rate, mayPause) = (0, false)
    for (place, candidate) in candidates.enumerated() where candidate.standing == .shown {
      let keepsMotion = place == 0 && strategy == .stage
      rate += bitrate(place, keepsMotion ? essentialMotion : .base)
      mayPause = mayPause || candidate.policy != .never
    }
    return mayPause ? rate : 0
  }

  /// The level of the first stream that the others do not reduce on stage: as much motion as it has.
  var essentialMotion: Level { max(.base, min(candidates[0].current, candidates[0].motion)) }

  mutating func set(_ place: Int, to level: Level) {
    used += bitrate(place, level) - bitrate(place, candidates[place].level)
    candidates[place].level = level
  }

  /// Raises a stream to its highest level up to `limit` that fits.
  mutating func raise(_ place: Int, upTo limit: Level) { raise(place, upTo: limit, within: budget) }

  mutating func raise(_ place: Int, upTo limit: Level, within budget: Int) {
    let now = candidates[place].level
    guard !now.isNone else { return }
    var level = min(limit, candidates[place].top)
    while level > now && !fits(place, level, within: budget) { level = level.below }
    if level > now { set(place, to: level) }
  }
}

extension [Allocation.Step] {
  /// Sets for each step of the ladder in a range which higher step brings the most per bit.
  mutating func link(_ ladder: Range<Int>) {
    for place in ladder {
      self[place].next = .none
      self[place].density = -.infinity
      for higher in (place + 1)..<ladder.upperBound {
        let gain = self[higher].utility - self[place].utility
        let density = gain / Double(self[higher].bitrate - self[place].bitrate)
        guard density > self[place].density else { continue }
        self[place].next = Level(higher - ladder.lowerBound)
        self[place].density = density
      }
    }
  }
}
