import CVoiceActivity
import CVoiceActivityInternals
import RealModule

/// The compilations of the vector kernels that this machine can run.
enum Body: String, CaseIterable, Sendable {
  case portable, avx2, avx512

  static let available = allCases.filter { $0.simd.rawValue <= va_simd_limited(nil).rawValue }

  var simd: va_simd {
    switch self {
    case .portable: VA_SIMD_PORTABLE
    case .avx2: VA_SIMD_AVX2
    case .avx512: VA_SIMD_AVX512
    }
  }

  var kernels: UnsafePointer<va_kernels> { va_kernels_of(simd) }

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

/// The lower edge of the first triangular band, the centres, and the upper edge of the last band, in bins: every 2 bins
/// up to 33, then 25 equal ratios to 224 (7 kHz).
let bandEdges: [Double] =
  (0...16).map { 1 + 2 * Double($0) } + (1...25).map { 33 * Double.pow(224 / 33, Double($0) / 25) }

extension Body {
  /// Returns the levels of the bands in dBFS, and the sum of their powers.
  func bands(_ powers: [Float]) -> (db: [Float], total: Float) {
    var db = [Float](repeating: .nan, count: Int(VA_BANDS))
    let total = kernels.pointee.bands(powers, &db)
    return (db, total)
  }
}
