/// The layers of one stream that are worth choosing between, as indices into its list of layers, each more expensive
/// and better than the one before.
///
/// The ladder leaves out a layer that costs no less than a better one, and a layer beyond what is wanted.
struct Ladder {
  /// What the subscriber can make use of: heights in pixels, rates in frames per second.
  struct Limits {
    var viewHeight: Int?
    var height = Int.max
    var framesPerSecond = Double.infinity
    /// What is of no use below it.
    var leastHeight = 0
    var leastFramesPerSecond = 0.0
  }

  /// A layer that the publisher sends.
  fileprivate struct Rung {
    /// The index in the stream's list of layers.
    var layer: Int
    var height: Int
    var framesPerSecond: Double
    var step: Allocation.Step
  }

  /// The layers that are sent, the cheapest first, and among equal costs the best first.
  private var sent: [Rung]
  private(set) var layers: [Int] = []
  /// Whether something cheaper than the first of `layers` is sent, and is of no use.
  private(set) var isRaised = false
  /// The cost and utility of each of `layers`.
  private(set) var steps: [Allocation.Step] = []

  /// Creates a ladder that has no layers until ``limit(to:)``, which then allocates nothing.
  init(_ all: [VideoLayer], kind: VideoKind) {
    sent = all.indices.filter { all[$0].isSent }.map { place in
      let layer = all[place]
      let utility = layer.utility(of: kind, among: all)
      return Rung(
        layer: place, height: layer.size.height, framesPerSecond: layer.framesPerSecond,
        step: Allocation.Step(bitrate: layer.bitrate, utility: utility))
    }
    sent.sort {
      ($0.step.bitrate, -$0.step.utility, $0.layer) < ($1.step.bitrate, -$1.step.utility, $1.layer)
    }
    layers.reserveCapacity(sent.count)
    steps.reserveCapacity(sent.count)
  }

  /// Keeps the layers within the limits that are better than every layer of the same or a lower cost.
  mutating func limit(to wanted: Limits) {
    layers.removeAll(keepingCapacity: true)
    steps.removeAll(keepingCapacity: true)
    let limits = resolved(wanted)
    for rung in sent
    where !limits.isExceeded(by: rung) && limits.areMet(by: rung)
      && rung.step.utility > steps.last?.utility ?? -.infinity
    {
      append(rung)
    }
    // Best effort: the publisher sends nothing as small as requested, so take the cheapest layer that it does send.
    let isAnyWithin = !layers.isEmpty || sent.contains { !limits.isExceeded(by: $0) }
    if !isAnyWithin {
      let useful = sent.lazy.filter { limits.areMet(by: $0) }
      if let best = useful.min(by: { ($0.step.bitrate, $0.layer) < ($1.step.bitrate, $1.layer) }) {
        append(best)
      }
    }
    isRaised =
      steps.isEmpty
      ? !sent.isEmpty
      : limits.hasLeast
        && sent.contains {
          $0.step.bitrate < steps[0].bitrate && !(isAnyWithin && limits.isExceeded(by: $0))
        }
    steps.link()
  }

  /// Returns the limits as they apply to what is sent: a least quality above an upper limit is lowered to it.
  private func resolved(_ wanted: Limits) -> Limits {
    var limits = wanted
    limits.height = min(wanted.height, heightToFill(wanted.viewHeight))
    limits.leastHeight = min(wanted.leastHeight, limits.height)
    limits.leastFramesPerSecond = min(wanted.leastFramesPerSecond, wanted.framesPerSecond)
    return limits
  }

  /// Returns why a layer is not in the ladder within these limits; nil if it is.
  func outcome(of layer: Int, within wanted: Limits) -> LayerOutcome? {
    guard !layers.contains(layer) else { return nil }
    guard let rung = sent.first(where: { $0.layer == layer }) else { return .notSent }
    let limits = resolved(wanted)
    if limits.isExceeded(by: rung) { return .aboveDemand }
    return limits.areMet(by: rung) ? .dominated : .belowMinimumQuality
  }

  private mutating func append(_ rung: Rung) {
    layers.append(rung.layer)
    steps.append(rung.step)
  }

  /// Returns the lowest height that fills the view, or `Int.max` if none does. The comparison uses heights, as SFUs do.
  private func heightToFill(_ viewHeight: Int?) -> Int {
    guard let viewHeight else { return .max }
    return sent.reduce(.max) { $1.height >= viewHeight ? min($0, $1.height) : $0 }
  }
}

extension Ladder.Limits {
  fileprivate var hasLeast: Bool { leastHeight > 0 || leastFramesPerSecond > 0 }

  fileprivate func isExceeded(by rung: Ladder.Rung) -> Bool {
    rung.height > height || rung.framesPerSecond > framesPerSecond
  }

  fileprivate func areMet(by rung: Ladder.Rung) -> Bool {
    rung.height >= leastHeight
      && (rung.framesPerSecond >= leastFramesPerSecond || rung.framesPerSecond == 0)
  }
}

extension VideoLayer {
  /// Returns the quality of a layer, in octaves.
  ///
  /// For a camera, doubling the frame rate is worth as much as doubling the height, because motion carries a face: 360p
  /// at 15 frames per second is no better than 180p at 30, at twice the cost. For a screen share text matters most: an
  /// octave of height is worth more than any frame rate.
  func utility(of kind: VideoKind, among layers: [VideoLayer]) -> Double {
    let height = log2(Double(size.height))
    let rate = log2(assumedFrameRate(among: layers))
    return switch kind {
    case .camera: height + rate + fidelity(among: layers)
    case .screenShare: 4 * height + rate + fidelity(among: layers)
    }
  }

  /// Returns the sharpness bonus: encodings of the same size and frame rate differ only in sharpness, a quarter of an
  /// octave each.
  private func fidelity(among layers: [VideoLayer]) -> Double {
    let lower = layers.lazy.filter {
      $0.spatial < spatial && $0.size == size && $0.framesPerSecond == framesPerSecond
        && $0.temporal == temporal
    }
    return 0.25 * Double(lower.count)
  }

  /// Returns the frame rate; if it is not known, 30 for the fastest layer of the spatial layer, and half for each step
  /// below.
  private func assumedFrameRate(among layers: [VideoLayer]) -> Double {
    if framesPerSecond > 0 { return framesPerSecond }
    let fastest = layers.lazy.filter { $0.spatial == spatial }.map { $0.temporal }.max() ?? temporal
    return (0..<(fastest - temporal)).reduce(30) { rate, _ in rate / 2 }
  }
}

/// Returns the logarithm to base 2 of a positive, normal number.
///
/// The exponent gives the integer part. For the fraction, a cubic approximation is exact at both ends, monotone, and
/// within 0.001 in between. The standard library has no logarithm, and this one gives the same result on every
/// platform.
func log2(_ x: Double) -> Double {
  let m = x.significand - 1
  return Double(x.exponent) + m + m * (1 - m) * (0.4226 - 0.1582 * m)
}
