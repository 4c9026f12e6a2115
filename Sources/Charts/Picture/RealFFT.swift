internal import Glibc

/// The power spectrum of real frames whose length is a power of two, by a complex FFT of half the length.
struct RealFFT {
  /// A complex number: its real and its imaginary part.
  private typealias Complex = SIMD2<Float>

  private let half: Int
  /// exp(−2πi k / length) for k below half of the length.
  private let turns: [Complex]
  private let reversed: [Int]
  private var values: [Complex]

  init(length: Int) {
    precondition(length >= 4 && length & (length - 1) == 0, "a power of two")
    let half = length / 2
    self.half = half
    turns = (0..<half).map { index in
      let angle = -2 * Double.pi * Double(index) / Double(length)
      return Complex(Float(cos(angle)), Float(sin(angle)))
    }
    let bits = half.trailingZeroBitCount
    reversed = (0..<half).map { index in (0..<bits).reduce(0) { $0 << 1 | index >> $1 & 1 } }
    values = Array(repeating: .zero, count: half)
  }

  /// Writes |X|² of bins 0 … length/2 to `power`.
  mutating func powerSpectrum(of frame: [Float], into power: inout [Float]) {
    // Even samples become the real parts, odd ones the imaginary parts.
    for index in 0..<half {
      values[reversed[index]] = Complex(frame[2 * index], frame[2 * index + 1])
    }
    transform()
    separate(into: &power)
  }

  private mutating func transform() {
    let (half, turns) = (half, turns)
    var values = values.mutableSpan
    var width = 1
    while width < half {
      // The turns are those of the whole length: exp(−πi offset / width).
      let stride = half / width
      var start = 0
      while start < half {
        for offset in 0..<width {
          let low = values[start + offset]
          let high = Self.product(values[start + offset + width], turns[offset * stride])
          values[start + offset] = low + high
          values[start + offset + width] = low - high
        }
        start += 2 * width
      }
      width *= 2
    }
  }

  private static func product(_ left: Complex, _ right: Complex) -> Complex {
    Complex(left.x * right.x - left.y * right.y, left.x * right.y + left.y * right.x)
  }

  /// Separates the spectra of even and odd samples, and joins them to that of the frame.
  private func separate(into power: inout [Float]) {
    power[0] = (values[0].x + values[0].y) * (values[0].x + values[0].y)
    power[half] = (values[0].x - values[0].y) * (values[0].x - values[0].y)
    for bin in 1..<half {
      let (value, mirror) = (values[bin], values[half - bin])
      let even = Complex(value.x + mirror.x, value.y - mirror.y) * 0.5
      let odd = Complex(value.y + mirror.y, mirror.x - value.x) * 0.5
      let sum = even + Self.product(odd, turns[bin])
      power[bin] = sum.x * sum.x + sum.y * sum.y
    }
  }
}
