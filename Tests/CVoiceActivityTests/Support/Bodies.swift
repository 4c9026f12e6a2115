import CVoiceActivity
import CVoiceActivityInternals

/// The two compilations of the vector kernels, as far as this machine has them.
enum Body: String, CaseIterable, Sendable {
  case portable, avx2

  static var available: [Body] {
    va_simd_detect() == VA_SIMD_AVX2 ? [.portable, .avx2] : [.portable]
  }

  var kernels: UnsafePointer<va_kernels> {
    va_kernels_of(self == .avx2 ? VA_SIMD_AVX2 : VA_SIMD_PORTABLE)
  }

  func powers(_ x: [Float], window: [Float]) -> [Float] {
    var power = [Float](repeating: .nan, count: Int(VA_BINS))
    kernels.pointee.power_spectrum(x, window, &power)
    return power
  }
}

/// The core's analysis window.
var analysisWindow: [Float] {
  withUnsafeBytes(of: va_window) { Array($0.bindMemory(to: Float.self)) }
}

/// Edges of the analysis bands, in bins.
var bandEdges: [Int] {
  withUnsafeBytes(of: va_band_edges) { $0.bindMemory(to: UInt16.self).map { Int($0) } }
}
