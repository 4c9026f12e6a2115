/// Levels in steps of 1.5 dB, from 0 at −96 dBFS or below to 63 at −1.5 dBFS or above: one character in a report.
package enum DecibelScale {
  package static let lowest: Float = -96
  package static let step: Float = 1.5
  static let top: UInt8 = 63

  static func value(_ dBFS: Float) -> UInt8 {
    UInt8(max(0, min(Float(top), ((dBFS - lowest) / step).rounded())))
  }

  package static func dBFS(_ value: UInt8) -> Float { lowest + Float(value) * step }
}
