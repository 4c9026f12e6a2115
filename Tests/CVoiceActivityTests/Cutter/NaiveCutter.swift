import CVoiceActivity

/// The rules of a cutter in their simplest form, over a whole recording. Lengths are in hops.
struct NaiveCutter {
  let rules: CutterStream.Rules
  /// The posteriors, in parts of 255.
  private let row: [Int]

  private struct Part {
    var range: Range<Int>
    var follows = false
    var continues = false
  }

  init(_ rules: CutterStream.Rules, _ row: [Float] = []) {
    self.rules = rules
    self.row = row.map { Int(($0 * 255).rounded()) }
  }

  func cuts(of spans: [Range<Int>], length: Int) -> [CutterStream.Cut] {
    let joined = spans.reduce(into: [Range<Int>]()) { result, span in
      if let last = result.last, span.lowerBound - last.upperBound < rules.minSilence {
        result[result.count - 1] = last.lowerBound..<span.upperBound
      } else {
        result.append(span)
      }
    }
    // Speech that must be cut is longer than any minimum.
    let parts = joined.filter { $0.count >= rules.minSpeech || isTooLong($0) }.flatMap(split)
    var cuts: [CutterStream.Cut] = []
    for part in parts {
      let start = max(0, part.range.lowerBound - (part.follows ? 0 : rules.padBefore))
      let end = part.range.upperBound + (part.continues ? 0 : rules.padAfter)
      var cut = CutterStream.Cut(hops: start..<end)
      cut.continues = part.continues
      if let last = cuts.last, cut.start < last.end {
        if rules.maxLength == 0 || cut.end - last.start <= rules.maxLength * CutterStream.hop {
          cut.start = last.start
          cuts.removeLast()
        } else {
          let silence =
            last.end - rules.padAfter * CutterStream.hop...part.range.lowerBound * CutterStream.hop
          cut.start = min(max((cut.start + last.end) / 2, silence.lowerBound), silence.upperBound)
          cuts[cuts.count - 1].end = cut.start
        }
      }
      cuts.append(cut)
    }
    if !cuts.isEmpty {
      cuts[cuts.count - 1].end = min(length * CutterStream.hop, cuts[cuts.count - 1].end)
    }
    return cuts
  }

  private var limit: Int { rules.maxLength - rules.padBefore - rules.padAfter }

  private func isTooLong(_ range: Range<Int>) -> Bool { rules.maxLength > 0 && range.count > limit }

  private func split(_ range: Range<Int>) -> [Part] {
    var (parts, rest) = ([Part](), range)
    while isTooLong(rest) {
      let at = bestPause(in: rest.lowerBound + limit / 2 + 1..<rest.lowerBound + limit)
      parts.append(
        Part(range: rest.lowerBound..<at, follows: !parts.isEmpty, continues: true))
      rest = at..<rest.upperBound
    }
    return parts + [Part(range: rest, follows: !parts.isEmpty)]
  }

  /// Returns the middle of the quietest 200 ms: of the longest run of equal ones, the last of these runs.
  private func bestPause(in reach: Range<Int>) -> Int {
    let sums = (reach.lowerBound...reach.upperBound - 20).map {
      ($0, row[$0..<$0 + 20].reduce(0, +))
    }
    let least = sums.map(\.1).min()!
    var runs: [[Int]] = []
    for (window, sum) in sums where sum == least {
      if runs.last?.last == window - 1 {
        runs[runs.count - 1].append(window)
      } else {
        runs.append([window])
      }
    }
    let longest = runs.map(\.count).max()!
    let run = runs.last { $0.count == longest }!
    return run[run.count / 2] + 10
  }
}
