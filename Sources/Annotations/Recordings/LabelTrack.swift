/// An interval of speech, in seconds.
public struct LabelledSpan: Sendable, Hashable {
  /// The start in seconds.
  public var start: Double
  /// The end in seconds, not before the start.
  public var end: Double

  /// Creates a span. Throws a fault if it ends before it starts, or too late to be in seconds.
  public init(start: Double, end: Double) throws(LineFault) {
    guard end >= start else {
      throw LineFault("the end \(end) is before the start \(start): swap them")
    }
    guard end <= latestTime else {
      throw LineFault("the end \(end) \(LineFault.tooLate)")
    }
    self.start = start
    self.end = end
  }
}

/// A detector's output for each of its steps, whatever their length.
public struct FrameTrack: Sendable, Hashable {
  /// The start of each frame in seconds, never decreasing.
  public var times: [Double] = []
  /// Scores in any unit that increases with the likelihood of speech.
  public var scores: [Double] = []
  /// Whether each frame is speech.
  public var decisions: [Bool] = []

  /// Creates a track. The arrays must be equally long.
  public init(times: [Double] = [], scores: [Double] = [], decisions: [Bool] = []) {
    (self.times, self.scores, self.decisions) = (times, scores, decisions)
  }

  /// The end of the last frame, which is taken to be as long as the one before it. A frame that stands alone lasts a
  /// hop of ``FrameTableWriter``.
  public var end: Double {
    guard let last = times.last else { return 0 }
    return last + (times.count > 1 ? last - times[times.count - 2] : Self.hop)
  }

  /// Where the part begins that the frames show; 0 if they may show the whole recording. Some detectors give the time
  /// at which a frame ends, after a window of up to two steps.
  var partStart: Double {
    guard let first = times.first else { return 0 }
    let step = times.count > 1 ? times[1] - first : Self.hop
    return first > 2.5 * step ? first : 0
  }

  private static let hop = Double(FrameTableWriter.hop) / 1000
}

/// The labels or frames of one recording.
public enum LabelTrack: Sendable, Hashable {
  /// Spans in any order, which may overlap.
  case spans([LabelledSpan])
  /// The steps of a detector.
  case frames(FrameTrack)
}

/// The labels or frames of one recording, and what their file says about it.
public struct LabelledRecording: Sendable, Hashable {
  /// The labels or frames.
  public var track: LabelTrack
  /// The length of the recording in seconds; `nil` if the file does not state it. A frame table does not: it shows its
  /// frames only.
  public var length: Double?
  /// One clause for each thing in the file whose meaning for the times the user should check.
  public var remarks: [String]
  /// Whether the file has labels, none of which marks speech.
  public var hasOnlySilence = false
  /// Whether the file has no byte, which a failed run may have left.
  public var isOfEmptyFile = false
  /// Whether the file itself names the recording.
  public var isNamed = false
  /// Why the file has no result for the recording, in the words of the program that wrote it; `nil` if it has one.
  public var failure: String?

  /// Creates a recording.
  public init(_ track: LabelTrack, length: Double? = nil, remarks: [String] = []) {
    (self.track, self.length, self.remarks) = (track, length, remarks)
  }

  /// Adds the remark that there are points only, which have no length.
  mutating func remarkPoints() {
    remarks.append(
      "it has only points, which have no length, so it counts as without speech: mark speech from start to end"
    )
  }

  /// Adds the remark that a part was analysed, if it begins after the recording does.
  ///
  /// - Parameter start: Where the part begins, in seconds.
  mutating func remark(partFrom start: Double) {
    guard start > 0 else { return }
    remarks.append(
      "only the part from \(fixed(start, places: 3)) s on was analysed; what lies before it counts as without speech"
    )
  }
}

extension LabelTrack {
  /// Whether there are no spans. A frame table is never empty, even without frames: its header identifies it.
  public var isEmpty: Bool { if case .spans(let spans) = self { spans.isEmpty } else { false } }

  /// The lowest and the highest score; `nil` if there are none.
  public var scoreRange: ClosedRange<Double>? {
    guard case .frames(let frames) = self, let low = frames.scores.min(),
      let high = frames.scores.max()
    else { return nil }
    return low...high
  }

  /// Returns whether both have the same content: frames are equal; united spans begin and end within 1.5 ms, more than
  /// any format's rounding.
  public func agrees(with other: LabelTrack) -> Bool {
    guard case .spans(let left) = self, case .spans(let right) = other else { return self == other }
    let (first, second) = (LabelledSpan.united(left), LabelledSpan.united(right))
    return first.count == second.count
      && zip(first, second).allSatisfy {
        abs($0.start - $1.start) < 0.0015 && abs($0.end - $1.end) < 0.0015
      }
  }
}

extension LabelledSpan {
  /// Returns the spans in order, with overlapping and adjacent spans joined and those of zero length removed.
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
