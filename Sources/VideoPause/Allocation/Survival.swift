extension Allocation {
  /// Decides which streams are forwarded at all, at their base levels.
  ///
  /// Streams that are never paused come first, then those paused as a last resort, then the others, in rank order. What
  /// is shown stays shown while it fits. Then as many others are shown as fit: new streams all at once, paused ones one
  /// at a time. A stream that does not fit is passed over, and a cheaper one behind it may still be shown.
  mutating func survive() {
    hasMore = false
    isResuming = false
    keepShown()
    replace()
    showMore()
    showOne()
    noteRequired()
  }

  private static let order = [PausePolicy.never, .lastResort, .normal]

  /// Keeps what is shown within `keepBudget`. On stage, the first keeps its motion.
  private mutating func keepShown() {
    for policy in Self.order {
      let limit = keepBudget + (policy == .never ? maximumOversend : 0)
      for place in candidates.indices where candidates[place].policy == policy {
        let standing = candidates[place].standing
        guard standing == .shown || policy == .never && standing != .shut else { continue }
        if used + bitrate(place, .base) <= limit { set(place, to: .base) }
        if place == 0 && reservesMotion { raise(0, upTo: essentialMotion, within: keepBudget) }
      }
    }
    if keepsFirst && used == 0, let first = first(where: { $0.standing == .shown }) {
      set(first, to: .base)
      keepBudget = max(keepBudget, used)
    }
  }

  /// Lets a stream that matters take the places of the last streams that are shown.
  private mutating func replace() {
    for place in candidates.indices where isUrgent(place) {
      let (base, limit) = (bitrate(place, .base), max(pictureBudget, used))
      var (rest, end) = (used, candidates.count)
      while rest + base > limit, let victim = lastBehind(place, before: end) {
        (rest, end) = (rest - bitrate(victim, candidates[victim].level), victim)
      }
      guard rest + base <= limit, mayShow(place) else { continue }
      while let victim = lastBehind(place, before: candidates.count), victim >= end {
        set(victim, to: .none)
      }
      show(place)
    }
  }

  /// Returns whether a stream may be shown in this decision, and notes if it has to wait for another.
  private mutating func mayShow(_ place: Int) -> Bool {
    if candidates[place].standing == .new || !isResuming { return true }
    hasMore = true
    return false
  }

  /// Whether a stream that is not shown matters enough to take another's place: the first in rank, pinned ones, and
  /// those that are paused only as a last resort.
  private func isUrgent(_ place: Int) -> Bool {
    let candidate = candidates[place]
    guard candidate.level.isNone, candidate.standing != .shut else { return false }
    return place == 0 || candidate.isPinned || candidate.policy == .lastResort
  }

  /// Returns the last stream before `end` that is shown and may be paused for the more important one at `place`.
  private func lastBehind(_ place: Int, before end: Int) -> Int? {
    let start = candidates[place].policy == .lastResort ? 0 : place + 1
    guard start < end else { return nil }
    return (start..<end).last { candidates[$0].mayGiveWay }
  }

  private mutating func showMore() {
    for policy in Self.order {
      for place in candidates.indices {
        let candidate = candidates[place]
        if candidate.policy == policy, candidate.level.isNone, candidate.standing.mayShow,
          used + bitrate(place, .base) <= pictureBudget, mayShow(place)
        {
          show(place)
        }
        if place == 0 && policy == .normal && reservesMotion {
          raise(0, upTo: candidate.motion, within: budget)
        }
      }
    }
  }

  /// When everything is dark, shows the first that fits, without evidence that it will go on to fit.
  private mutating func showOne() {
    guard used == 0,
      let first = first(where: {
        $0.standing != .shut && steps[$0.first].bitrate <= firstBudget
      })
    else { return }
    show(first)
  }

  private func first(where isRight: (Candidate) -> Bool) -> Int? {
    for policy in Self.order {
      if let place = candidates.firstIndex(where: { $0.policy == policy && isRight($0) }) {
        return place
      }
    }
    return nil
  }

  private mutating func show(_ place: Int) {
    isResuming = isResuming || candidates[place].standing != .new
    set(place, to: .base)
  }

  private mutating func noteRequired() {
    for place in candidates.indices where candidates[place].level.isNone {
      let oversend = candidates[place].policy == .never ? maximumOversend : 0
      candidates[place].required = max(0, used + bitrate(place, .base) - pictureBudget - oversend)
    }
  }
}
