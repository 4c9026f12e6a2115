/// Posteriors as 16-bit numbers that decide as the posteriors themselves do.
///
/// A number stands for the range from its own grid point up to the next one. The grid points are the multiples of
/// 1/60000, therefore every threshold with up to four decimals is one of them, except that those nearest to the two
/// thresholds of the run are moved onto these. Comparing the numbers is then the same as comparing the posteriors, in
/// the detector's own arithmetic, for the thresholds of the run and for all others that a reader may choose.
package struct PosteriorScale: Sendable {
  package static let steps = 60_000

  package let onset: (index: UInt16, threshold: Float)
  package let offset: (index: UInt16, threshold: Float)

  package init(onset: Float, offset: Float) {
    let index = Self.nearest(onset)
    self.onset = (index, onset)
    // Two thresholds that are closer than the grid keep their order.
    self.offset = (offset < onset ? min(Self.nearest(offset), index - 1) : index, offset)
  }

  /// A scale without thresholds of a run.
  package static let plain = PosteriorScale(onset: 1, offset: 1)

  /// Returns the number of the last grid point that is not above the posterior.
  package func index(_ posterior: Float) -> UInt16 {
    let top = UInt16(Self.steps)
    var index = UInt16(max(0, min(Float(top), (posterior * Float(top)).rounded())))
    while index > 0, point(index) > posterior { index -= 1 }
    while index < top, point(index + 1) <= posterior { index += 1 }
    return index
  }

  private func point(_ index: UInt16) -> Float {
    if index == onset.index { return onset.threshold }
    if index == offset.index { return offset.threshold }
    return Float(Double(index) / Double(Self.steps))
  }

  /// Grid point 0 is not a threshold; 1 and 2 hold those that are next to nothing.
  private static func nearest(_ threshold: Float) -> UInt16 {
    UInt16(max(2, min(Double(steps), (Double(threshold) * Double(steps)).rounded())))
  }
}
