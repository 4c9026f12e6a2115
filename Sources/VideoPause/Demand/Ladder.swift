/// The layers of one stream, and which of them are worth choosing between: each more expensive and better than the one
/// before.
///
/// The ladder leaves out a layer that costs no less than a better one, and a layer beyond what is wanted. What it keeps
/// are the stream's levels, which lie in the allocation's `steps`.
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

  fileprivate struct Rung {
    var layer: VideoLayer
    /// The place in the publisher's list of layers.
    @Narrow<Int8> var place: Int
    /// The quality in octaves.
    var utility: Double
  }

  /// All layers. Those that are sent come first: the cheapest first, and among equal costs the best first.
  private var rungs: [Rung]
  @Narrow<Int8> private var sentCount = 0
  /// Where the levels lie in `steps`, and how many there are: none until ``limit(to:in:)``.
  @Narrow<Int32> private(set) var first = 0
  @Narrow<Int8> private(set) var count = 0
  /// Whether something cheaper than the first level is sent, and is of no use.
  private(set) var isRaised = false

  init(_ layers: [VideoLayer], kind: VideoKind) {
    rungs = layers.enumerated().map { place, layer in
      Rung(layer: layer, place: place, utility: layer.utility(of: kind, among: layers))
    }
    rungs.sort { $0.precedes($1) }
    sentCount = layers.count { $0.isSent }
  }

  /// The number of steps that the levels may take.
  var room: Int { rungs.count }

  /// Whether the publisher sends anything.
  var isSent: Bool { sentCount > 0 }

  private var sent: ArraySlice<Rung> { rungs[..<sentCount] }

  /// Sets where the levels lie, which have to be limited anew.
  mutating func move(to first: Int) { (self.first, count) = (first, 0) }

  /// Keeps the layers within the limits that are better than every layer of the same or a lower cost.
  mutating func limit(to wanted: Limits, in steps: inout [Allocation.Step]) {
    count = 0
    let limits = resolved(wanted)
    var best = -Double.infinity
    for rung in 0..<sentCount
    where !limits.isExceeded(by: rungs[rung].layer) && limits.areMet(by: rungs[rung].layer)
      && rungs[rung].utility > best
    {
      best = rungs[rung].utility
      append(rung, to: &steps)
    }
    // Best effort: the publisher sends nothing as small as requested, so take the cheapest layer that it does send.
    let isAnyWithin = count > 0 || sent.contains { !limits.isExceeded(by: $0.layer) }
    if !isAnyWithin {
      let sent = sent
      let useful = sent.indices.lazy.filter { limits.areMet(by: sent[$0].layer) }
      let cheapest = useful.min {
        (sent[$0].layer.bitrate, sent[$0].place) < (sent[$1].layer.bitrate, sent[$1].place)
      }
      if let cheapest { append(cheapest, to: &steps) }
    }
    let base = count > 0 ? steps[first].bitrate : nil
    isRaised =
      base.map { base in
        limits.hasLeast
          && sent.contains {
            $0.layer.bitrate < base && !(isAnyWithin && limits.isExceeded(by: $0.layer))
          }
      } ?? isSent
    steps.link(first..<first + count)
  }

  private mutating func append(_ rung: Int, to steps: inout [Allocation.Step]) {
    steps[first + count] = Allocation.Step(
      bitrate: rungs[rung].layer.bitrate, utility: rungs[rung].utility, rung: rung)
    count += 1
  }

  /// Returns the layer of a step of this ladder.
  func layer(_ step: Allocation.Step) -> VideoLayer { rungs[step.rung].layer }

  /// Returns the highest spatial layer that the publisher has to send: that of `level`, or the next larger one up to
  /// `top`.
  func neededSpatial(at level: Level, upTo top: Level, in steps: [Allocation.Step]) -> Int {
    func spatial(_ level: Level) -> Int { layer(steps[first + level.place]).spatial }
    if level.isNone { return spatial(.base) }
    var next = level
    while next < top, spatial(next) <= spatial(level) { next = next.above }
    return max(spatial(level), spatial(next))
  }

  /// Returns the level of a layer; none if the ladder leaves it out.
  func level(of layer: VideoLayer, in steps: [Allocation.Step]) -> Level {
    let place = (0..<count).first { rungs[steps[first + $0].rung].layer.isSameLayer(as: layer) }
    return place.map { Level($0) } ?? .none
  }

  /// Calls `take` for each layer in the publisher's order, with the reason why the ladder leaves it out, if it does.
  func forEachLayer(
    within wanted: Limits, in steps: [Allocation.Step],
    _ take: (VideoLayer, LayerOutcome?) -> Void
  ) {
    let limits = resolved(wanted)
    for place in rungs.indices {
      guard let rung = rungs.firstIndex(where: { $0.place == place }) else { continue }
      let layer = rungs[rung].layer
      let isLevel = (0..<count).contains { steps[first + $0].rung == rung }
      take(layer, isLevel ? nil : limits.reason(toLeaveOut: layer))
    }
  }

  /// Returns the limits as they apply to what is sent: a least quality above an upper limit is lowered to it.
  private func resolved(_ wanted: Limits) -> Limits {
    var limits = wanted
    limits.height = min(wanted.height, heightToFill(wanted.viewHeight))
    limits.leastHeight = min(wanted.leastHeight, limits.height)
    limits.leastFramesPerSecond = min(wanted.leastFramesPerSecond, wanted.framesPerSecond)
    return limits
  }

  /// Returns the lowest height that fills the view, or `Int.max` if none does. The comparison uses heights, as SFUs do.
  private func heightToFill(_ viewHeight: Int?) -> Int {
    guard let viewHeight else { return .max }
    return sent.reduce(.max) {
      let height = $1.layer.size.height
      return height >= viewHeight ? min($0, height) : $0
    }
  }
}

extension Ladder.Rung {
  fileprivate func precedes(_ other: Self) -> Bool {
    if layer.isSent != other.layer.isSent { return layer.isSent }
    return (layer.bitrate, -utility, place) < (other.layer.bitrate, -other.utility, other.place)
  }
}

extension Ladder.Limits {
  /// A camera of 30 frames a second may give 29.97, and a measured rate 30.2.
  private static let frameRateTolerance = 0.05

  fileprivate var hasLeast: Bool { leastHeight > 0 || leastFramesPerSecond > 0 }

  fileprivate func isExceeded(by layer: VideoLayer) -> Bool {
    layer.size.height > height
      || layer.framesPerSecond > framesPerSecond * (1 + Self.frameRateTolerance)
  }

  fileprivate func areMet(by layer: VideoLayer) -> Bool {
    let least = leastFramesPerSecond * (1 - Self.frameRateTolerance)
    return layer.size.height >= leastHeight
      && (layer.framesPerSecond >= least || layer.framesPerSecond == 0)
  }

  fileprivate func reason(toLeaveOut layer: VideoLayer) -> LayerOutcome {
    if !layer.isSent { return .notSent }
    if isExceeded(by: layer) { return .aboveDemand }
    return areMet(by: layer) ? .dominated : .belowMinimumQuality
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
