internal import Annotations

/// A mapping from values to pixels, with about five round tick values.
package struct PlotAxis {
  package let ticks: [Double]
  private let start: Double
  private let length: Double
  private let pixels: (first: Double, last: Double)
  private let places: Int

  /// Creates an axis. `pixels` may run in either direction: on the screen they increase downwards.
  package init(from start: Double, to end: Double, pixels first: Double, _ last: Double) {
    self.start = start
    // An empty range has no scale, so any length will do.
    length = end > start ? end - start : 1
    pixels = (first, last)
    let step = Self.step(length / 5)
    places = (0...6).first { (step * Self.power($0)).rounded() == step * Self.power($0) } ?? 6
    ticks = Array(
      stride(from: (start / step).rounded(.up) * step, through: start + length, by: step))
  }

  package func pixel(_ value: Double) -> Double {
    pixels.first + (value - start) / length * (pixels.last - pixels.first)
  }

  package func label(_ tick: Double) -> String { fixed(tick, places: places) }

  /// Returns the smallest of 1, 2, 5 times a power of ten that is at least `least`.
  private static func step(_ least: Double) -> Double {
    var decade = 1e-6
    while decade * 10 <= least { decade *= 10 }
    return [1, 2, 5, 10].map { $0 * decade }.first { $0 >= least } ?? decade * 10
  }

  private static func power(_ exponent: Int) -> Double {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }
}
