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

  /// Returns the powers of 512 or 256 samples, the first of which are given in 16 bits.
  func powers(_ x: [Float], window: [Float]) -> [Float] {
    var power = [Float](repeating: .nan, count: x.count / 2 + 1)
    let (past, unit) = inSixteenBits(x.prefix(sharedSamples(x.count)))
    let step = Array(x.dropFirst(past.count))
    let spectrum =
      x.count == 512 ? kernels.pointee.power_spectrum : kernels.pointee.half_power_spectrum
    spectrum!(past, unit, step, window, &power)
    return power
  }

  /// Returns the sum of the squares.
  func level(_ x: ArraySlice<Float>) -> Float {
    var (sum, peak): (Float, Float) = (0, 0)
    Array(x).withUnsafeBufferPointer {
      kernels.pointee.level($0.baseAddress!, $0.count, &sum, &peak)
    }
    return sum
  }
}

/// How many samples of a window belong to earlier steps: 192 of 512.
func sharedSamples(_ window: Int) -> Int { window * 3 / 8 }

/// Returns samples as integers, and their unit: the loudest is 32767.
func inSixteenBits(_ x: some Collection<Float>) -> ([Int16], Float) {
  let unit = (x.map(abs).max() ?? 0) / 32767
  return (x.map { unit > 0 ? Int16(($0 / unit).rounded()) : 0 }, unit)
}

/// Returns a window with its first samples rounded to 16 bits.
func asAnalysed(_ x: [Float]) -> [Float] {
  let shared = sharedSamples(x.count)
  let (past, unit) = inSixteenBits(x.prefix(shared))
  return past.map { Float($0) * unit } + x.dropFirst(shared)
}

/// The core's analysis windows at 16 and at 8 kHz.
var analysisWindow: [Float] {
  withUnsafeBytes(of: va_window) { Array($0.bindMemory(to: Float.self)) }
}
var halfWindow: [Float] {
  withUnsafeBytes(of: va_half_window) { Array($0.bindMemory(to: Float.self)) }
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
