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
    claim()
    replace()
    showMore()
    showOne()
    noteRequired()
  }

  private static let order = [PausePolicy.never, .lastResort, .normal]

  /// Finds the first stream: the last one to be paused.
  mutating func findFirst() { first = first { _ in true } }

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
    if keepsFirst && used == 0, let firstShown {
      set(firstShown, to: .base)
      keepBudget = max(keepBudget, used)
    }
  }

  private var firstShown: Int? { first { $0.standing == .shown } }

  /// The cost of the base level of the first stream that is shown already.
  var firstShownRate: Int { firstShown.map { bitrate($0, .base) } ?? 0 }

  /// Shows the first stream as soon as it fits, without evidence that it will go on to fit, and however often it has
  /// been resumed.
  private mutating func claim() {
    guard mayClaim, let first, candidates[first].level.isNone,
      bitrate(first, .base) <= claimBudget
    else { return }
    show(first, within: max(claimBudget, used), before: 0) {
      !$0.level.isNone && $0.policy != .never && $0.canReturn
    }
  }

  /// Lets a stream that matters take the places of the last streams that are shown.
  private mutating func replace() {
    for place in candidates.indices where isUrgent(place) {
      let start = candidates[place].policy == .lastResort ? 0 : place + 1
      show(place, within: max(pictureBudget, used), before: start) { $0.mayGiveWay }
    }
  }

  /// Shows a stream in the place of the last of those from `start` on that may give way, if enough of them may.
  private mutating func show(
    _ place: Int, within limit: Int, before start: Int, _ mayGiveWay: (Candidate) -> Bool
  ) {
    let base = bitrate(place, .base)
    var (rest, end) = (used, candidates.count)
    while rest + base > limit {
      guard start < end, let victim = candidates[start..<end].lastIndex(where: mayGiveWay) else {
        return
      }
      (rest, end) = (rest - bitrate(victim, candidates[victim].level), victim)
    }
    guard mayShow(place) else { return }
    for victim in end..<candidates.count where mayGiveWay(candidates[victim]) {
      set(victim, to: .none)
      candidates[victim].givesWay = true
    }
    show(place)
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

  /// Whether the first stream is dark although it fits.
  var firstWaits: Bool {
    first.map { candidates[$0].level.isNone && bitrate($0, .base) <= firstBudget } ?? false
  }

  private mutating func noteRequired() {
    var missing = 0
    for place in candidates.indices where candidates[place].level.isNone {
      let oversend = candidates[place].policy == .never ? maximumOversend : 0
      let base = bitrate(place, .base)
      candidates[place].required = max(0, used + base - pictureBudget - oversend)
      if candidates[place].standing.mayShow { missing += base }
    }
    if missing > 0, used + missing <= budget { awaitOthers() }
  }

  /// Counts the pictures that may be shown and only lack evidence as shown: the sizes are those that will be right once
  /// they are, and do not rise for the moment until then.
  private mutating func awaitOthers() {
    for place in candidates.indices
    where candidates[place].level.isNone && candidates[place].standing.mayShow {
      set(place, to: .base)
      candidates[place].isAwaited = true
    }
    isAwaiting = true
  }

  /// Withdraws what ``awaitOthers()`` has counted as shown.
  mutating func withdrawAwaited() {
    guard isAwaiting else { return }
    for place in candidates.indices where candidates[place].isAwaited {
      set(place, to: .none)
      candidates[place].isAwaited = false
    }
    isAwaiting = false
  }
}
