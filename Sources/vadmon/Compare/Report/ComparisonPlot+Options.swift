import Annotations
import Charts
import SpeechScoring
import SystemPackage

extension ComparisonPlot {
  /// Creates the picture of a comparison with curves.
  init(_ comparison: Comparison, _ options: CompareOptions) {
    let pooled = comparison.pooled
    let names = [options.detected, options.against].compactMap(\.self)
    let estimates = [pooled.detected, pooled.against].compactMap(\.self)
    self.init(
      reference: options.reference.string, recordings: pooled.lengths,
      detectors: zip(names, zip(comparison.curves, estimates)).map { name, results in
        Detector(name: name.string, curves: results.0, estimate: results.1)
      })
  }
}

extension Comparison.Section {
  /// How many recordings there are, how long they are, and how much of that is speech.
  var lengths: String {
    "\(counted(tallies.count, "recording")), \(duration.clock), speech \(speech.clock)"
  }
}
