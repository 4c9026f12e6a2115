internal import Annotations

/// A mapping from values to pixels, with about five round tick values.
package struct PlotAxis {
  package let ticks: [Double]
  private let start: Double
  private let length: Double
  private let pixels: (first: Double, last: Double)
  private let places: Int
  private let isClock: Bool

  /// Creates an axis. `pixels` may run in either direction: on the screen they increase downwards.
  package init(from start: Double, to end: Double, pixels first: Double, _ last: Double) {
    self.init(from: start, to: end, pixels: first, last, isClock: false)
  }

  /// Creates an axis of times in seconds. If they span more than two minutes, its ticks are what a clock shows.
  package init(seconds start: Double, to end: Double, pixels first: Double, _ last: Double) {
    // A count of seconds that began long ago is not a clock.
    self.init(from: start, to: end, pixels: first, last, isClock: end - start > 120 && end < 1e6)
  }

  private init(
    from start: Double, to end: Double, pixels first: Double, _ last: Double, isClock: Bool
  ) {
    self.start = start
    self.isClock = isClock
    // An empty range has no scale, so any length will do.
    length = end > start ? end - start : 1
    pixels = (first, last)
    let step = isClock ? Self.clockStep(length / 5) : Self.step(length / 5)
    places = (0...6).first { (step * Self.power($0)).rounded() == step * Self.power($0) } ?? 6
    ticks = Array(
      stride(from: (start / step).rounded(.up) * step, through: start + length, by: step))
  }

  package func pixel(_ value: Double) -> Double {
    pixels.first + (value - start) / length * (pixels.last - pixels.first)
  }

  package func label(_ tick: Double) -> String {
    guard isClock else { return fixed(tick, places: places) }
    return MediaTime(milliseconds: UInt64(tick) * 1000).wholeClock
  }

  /// How the labels of times are written.
  package var timeUnit: String {
    isClock ? start + length < 3600 ? "min:s" : "h:min:s" : "s"
  }

  /// Returns the smallest of 1, 2, 5 times a power of ten that is at least `least`.
  private static func step(_ least: Double) -> Double {
    var decade = 1e-6
    while decade * 10 <= least { decade *= 10 }
    return [1, 2, 5, 10].map { $0 * decade }.first { $0 >= least } ?? decade * 10
  }

  /// Returns the smallest round time of at least `least` seconds.
  private static func clockStep(_ least: Double) -> Double {
    let day = 86_400.0
    return [30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200]
      .first { $0 >= least } ?? (least / day).rounded(.up) * day
  }

  private static func power(_ exponent: Int) -> Double {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }
}
