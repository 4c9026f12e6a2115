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
