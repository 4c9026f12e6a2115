/// The layers of one stream that are worth choosing between, as places in its list of layers: each dearer than the
/// one before, and better.
///
/// A layer that costs no less than a better one is left out, and so is one beyond what is wanted.
struct Ladder {
  /// What the subscriber can make use of.
  struct Limits {
    var viewHeight: Int?
    var height = Int.max
    var framesPerSecond = Double.infinity
  }

  private(set) var layers: [Int] = []
  /// What each costs and is worth.
  private(set) var steps: [Allocation.Step] = []

  init() {}

  init(_ all: [VideoLayer], kind: VideoKind, limits: Limits) {
    let sent = all.indices.filter { all[$0].isActive && all[$0].bitrate > 0 }
    let height = min(
      limits.height, Self.heightToFill(limits.viewHeight, sent.map { all[$0].size.height }))
    let wanted = sent.filter {
      all[$0].size.height <= height && all[$0].framesPerSecond <= limits.framesPerSecond
    }
    let utilities = all.map { $0.utility(of: kind, among: all) }
    layers = Self.frontier(wanted, bitrate: { all[$0].bitrate }, utility: { utilities[$0] })
    // Best effort: the publisher sends nothing as small as what is asked for, so the least that it does send.
    if layers.isEmpty, let cheapest = sent.min(by: { all[$0].bitrate < all[$1].bitrate }) {
      layers = [cheapest]
    }
    steps = layers.map { Allocation.Step(bitrate: all[$0].bitrate, utility: utilities[$0]) }
  }

  /// The least height that fills the view; no limit if none does. Heights, as SFUs speak of them.
  private static func heightToFill(_ viewHeight: Int?, _ heights: [Int]) -> Int {
    guard let viewHeight else { return .max }
    return heights.filter { $0 >= viewHeight }.min() ?? .max
  }

  /// The layers that no layer beats that costs as much or less.
  private static func frontier(
    _ candidates: [Int], bitrate: (Int) -> Int, utility: (Int) -> Double
  ) -> [Int] {
    let byCost = candidates.sorted {
      (bitrate($0), -utility($0), $0) < (bitrate($1), -utility($1), $1)
    }
    var best = -Double.infinity
    return byCost.filter { layer in
      defer { best = max(best, utility(layer)) }
      return utility(layer) > best
    }
  }
}

extension VideoLayer {
  /// How good a layer is, in octaves.
  ///
  /// For a camera a doubling of the frame rate is worth a doubling of the height, so that 360p at 15 frames is no
  /// better than 180p at 30, at twice the cost: motion carries a face. For a screen share text does: an octave of
  /// height is worth more than any frame rate.
  func utility(of kind: VideoKind, among layers: [VideoLayer]) -> Double {
    let height = log2(Double(size.height))
    let rate = log2(assumedFrameRate(among: layers))
    return switch kind {
    case .camera: height + rate + fidelity(among: layers)
    case .screenShare: 4 * height + rate + fidelity(among: layers)
    }
  }

  /// Encodings of one size and frame rate differ in sharpness alone: a quarter of an octave each.
  private func fidelity(among layers: [VideoLayer]) -> Double {
    let lower = layers.lazy.filter {
      $0.spatial < spatial && $0.size == size && $0.framesPerSecond == framesPerSecond
        && $0.temporal == temporal
    }
    return 0.25 * Double(lower.count)
  }

  /// The frame rate, or if it is not known, 30 for the fastest of its spatial layer and half for each step below.
  private func assumedFrameRate(among layers: [VideoLayer]) -> Double {
    if framesPerSecond > 0 { return framesPerSecond }
    let fastest = layers.lazy.filter { $0.spatial == spatial }.map(\.temporal).max() ?? temporal
    return (0..<(fastest - temporal)).reduce(30) { rate, _ in rate / 2 }
  }
}

/// The logarithm to base 2 of a positive, normal number: its exponent, and of the rest a cubic that is exact at both
/// ends, monotone, and within 0.001 in between. The standard library has none, and this one is the same everywhere.
func log2(_ x: Double) -> Double {
  let m = x.significand - 1
  return Double(x.exponent) + m + m * (1 - m) * (0.4226 - 0.1582 * m)
}
