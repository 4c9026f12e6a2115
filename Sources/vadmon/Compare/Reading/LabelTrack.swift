/// A stretch of speech, in seconds.
struct LabelledSpan: Sendable, Hashable {
  var start: Double
  var end: Double

  init(start: Double, end: Double) throws(LineFault) {
    guard end >= start else {
      throw LineFault("the end \(end) lies before the start \(start): exchange them")
    }
    self.start = start
    self.end = end
  }
}

/// What a detector had for every step of its own, whatever its length.
struct FrameTrack: Sendable, Hashable {
  /// Where each frame begins, in seconds; never falling.
  var times: [Double] = []
  /// Anything that grows with speech.
  var scores: [Double] = []
  var decisions: [Bool] = []

  /// Where the last frame ends: it is as long as the one before it, or 10 ms.
  var end: Double {
    guard let last = times.last else { return 0 }
    return last + (times.count > 1 ? last - times[times.count - 2] : CellGrid.cellLength)
  }
}

/// What is known of one recording.
enum LabelTrack: Sendable, Hashable {
  /// In any order; they may overlap.
  case spans([LabelledSpan])
  case frames(FrameTrack)
}

extension LabelTrack {
  /// A frame table is what its header says it is, with frames or without.
  var isEmpty: Bool { if case .spans(let spans) = self { spans.isEmpty } else { false } }

  /// Both say the same: frames are equal, spans taken together begin and end within a millisecond and a half, which is
  /// more than any format rounds.
  func agrees(with other: LabelTrack) -> Bool {
    guard case .spans(let left) = self, case .spans(let right) = other else { return self == other }
    let (first, second) = (LabelledSpan.united(left), LabelledSpan.united(right))
    return first.count == second.count
      && zip(first, second).allSatisfy {
        abs($0.start - $1.start) < 0.0015 && abs($0.end - $1.end) < 0.0015
      }
  }
}

extension LabelledSpan {
  /// In order and apart from each other, without those of no length.
  fileprivate static func united(_ spans: [LabelledSpan]) -> [LabelledSpan] {
    var united: [LabelledSpan] = []
    for span in spans.sorted(by: { $0.start < $1.start }) where span.end > span.start {
      if let last = united.last, span.start <= last.end + 0.0015 {
        united[united.count - 1].end = max(last.end, span.end)
      } else {
        united.append(span)
      }
    }
    return united
  }
}
