import Foundation

/// Returns a sine; `phase` in radians.
public func tone(
  _ hertz: Double, count: Int, rate: Double, amplitude: Double = 0.5, phase: Double = 0
) -> [Float] {
  (0..<count).map { Float(amplitude * sin(2 * .pi * hertz * Double($0) / rate + phase)) }
}
