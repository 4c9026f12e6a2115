internal import Glibc

/// Triangular bands that are equally spaced on the mel scale, as HTK and librosa (`htk=True`) define it.
struct MelBands {
  static let count = 40
  /// Speech has little above it, and the detector does not look there.
  static let highestHz = 8000.0

  /// In Hz.
  let highest: Double
  /// The first bin of each band, and the weights from there on.
  private let bands: [(first: Int, weights: [Float])]

  init(rate: Int, length: Int) {
    highest = min(Self.highestHz, Double(rate) / 2)
    let top = Self.mel(highest)
    let edges = (0..<Self.count + 2).map { edge in
      Self.hertz(top * Double(edge) / Double(Self.count + 1)) * Double(length) / Double(rate)
    }
    bands = (0..<Self.count).map { band in
      Self.triangle(edges[band], edges[band + 1], edges[band + 2], bins: length / 2)
    }
  }

  static func mel(_ hertz: Double) -> Double { 2595 * log10(1 + hertz / 700) }
  static func hertz(_ mel: Double) -> Double { 700 * (exp(mel / 2595 * log(10)) - 1) }

  /// Returns the weights of a band whose edges are given in bins. A band narrower than a bin has the nearest one.
  private static func triangle(
    _ low: Double, _ middle: Double, _ high: Double, bins: Int
  ) -> (first: Int, weights: [Float]) {
    let inside =
      Int(low.rounded(.down)) + 1..<max(Int(low.rounded(.down)) + 2, Int(high.rounded(.up)))
    let weights = inside.map { bin in
      let place = Double(bin)
      let weight =
        place < middle ? (place - low) / (middle - low) : (high - place) / (high - middle)
      return Float(max(0, weight))
    }
    if weights.contains(where: { $0 > 0 }), inside.upperBound <= bins + 1 {
      return (inside.lowerBound, weights)
    }
    return (min(bins, Int(middle.rounded())), [1])
  }

  /// Adds the power of each band to `sums`.
  func add(_ power: [Float], to sums: inout [Float]) {
    for (band, (first, weights)) in bands.enumerated() {
      var sum: Float = 0
      for (offset, weight) in weights.enumerated() { sum += weight * power[first + offset] }
      sums[band] += sum
    }
  }
}
