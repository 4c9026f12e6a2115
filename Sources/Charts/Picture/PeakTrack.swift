/// The lowest and the highest sample of each step of a recording.
///
/// Steps begin at 2.5 ms and double whenever the track has ``limit`` of them, so that its memory does not grow with the
/// length of the recording: 0.8 MB at most.
package struct PeakTrack: Sendable {
  /// −127 … 127 for −1 … 1.
  package struct Peak: Sendable, Hashable {
    package var lowest: Int8
    package var highest: Int8
  }

  package static let limit = 400_000

  /// In samples.
  package private(set) var step: Int
  package private(set) var peaks: [Peak] = []
  private var count = 0
  private var lowest: Float = 0
  private var highest: Float = 0

  package init(rate: Int) { step = max(1, rate / 400) }

  mutating func add(_ samples: Span<Float>) {
    var next = 0
    while next < samples.count {
      let end = min(samples.count, next + step - count)
      if count == 0 { (lowest, highest) = (.infinity, -.infinity) }
      var (low, high) = (lowest, highest)
      for index in next..<end {
        // A NaN is neither.
        let sample = samples[index]
        if sample < low { low = sample }
        if sample > high { high = sample }
      }
      (lowest, highest) = (low, high)
      count += end - next
      next = end
      if count == step { endStep() }
    }
  }

  /// Adds what is left of the last step.
  mutating func finish() { if count > 0 { endStep() } }

  private mutating func endStep() {
    count = 0
    if lowest > highest { (lowest, highest) = (0, 0) }
    peaks.append(Peak(lowest: Self.value(lowest), highest: Self.value(highest)))
    if peaks.count == Self.limit { halve() }
  }

  private static func value(_ sample: Float) -> Int8 {
    Int8((max(-1, min(1, sample)) * 127).rounded())
  }

  private mutating func halve() {
    step *= 2
    peaks = stride(from: 0, to: peaks.count, by: 2).map { index in
      let (first, second) = (peaks[index], peaks[min(index + 1, peaks.count - 1)])
      return Peak(
        lowest: min(first.lowest, second.lowest), highest: max(first.highest, second.highest))
    }
  }
}
