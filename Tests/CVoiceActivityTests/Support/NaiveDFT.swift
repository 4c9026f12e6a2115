import ComplexModule
import RealModule

/// The discrete Fourier transform by its definition, in double precision: the oracle for the fast one.
func naiveDFT(_ x: [Double]) -> [Complex<Double>] {
  let n = x.count
  let turns = (0..<n).map { Complex(length: 1, phase: -2 * .pi * Double($0) / Double(n)) }
  return (0..<n).map { k in
    var sum = Complex<Double>.zero
    for (i, value) in x.enumerated() { sum += turns[k * i % n] * Complex(value) }
    return sum
  }
}

/// Returns the powers |X[k]|², k = 0 … n / 2.
func naivePowers(_ x: [Double]) -> [Double] {
  naiveDFT(x).prefix(x.count / 2 + 1).map(\.lengthSquared)
}
