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

  /// A layer that the publisher sends.
  private struct Rung {
    /// Its place in the stream's list of layers.
    var layer: Int
    var height: Int
    var framesPerSecond: Double
    var step: Allocation.Step
  }

  /// The cheapest first, and of equal cost the best.
  private var sent: [Rung]
  private(set) var layers: [Int] = []
  /// What each of `layers` costs and is worth.
  private(set) var steps: [Allocation.Step] = []

  /// Has no layers before ``limit(to:)``, which then allocates nothing.
  init(_ all: [VideoLayer], kind: VideoKind) {
    sent = all.indices.filter { all[$0].isActive && all[$0].bitrate > 0 }.map { place in
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

  /// Takes what lies within the limits and is beaten by no layer that costs as much or less.
  mutating func limit(to limits: Limits) {
    layers.removeAll(keepingCapacity: true)
    steps.removeAll(keepingCapacity: true)
    let height = min(limits.height, heightToFill(limits.viewHeight))
    for rung in sent
    where rung.height <= height && rung.framesPerSecond <= limits.framesPerSecond
      && rung.step.utility > steps.last?.utility ?? -.infinity
    {
      append(rung)
    }
    // Best effort: the publisher sends nothing as small as what is asked for, so the least that it does send.
    if layers.isEmpty,
      let cheapest = sent.min(by: { ($0.step.bitrate, $0.layer) < ($1.step.bitrate, $1.layer) })
    {
      append(cheapest)
    }
    steps.link()
  }

  private mutating func append(_ rung: Rung) {
    layers.append(rung.layer)
    steps.append(rung.step)
  }

  /// The least height that fills the view; no limit if none does. Heights, as SFUs speak of them.
  private func heightToFill(_ viewHeight: Int?) -> Int {
    guard let viewHeight else { return .max }
    return sent.reduce(.max) { $1.height >= viewHeight ? min($0, $1.height) : $0 }
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
