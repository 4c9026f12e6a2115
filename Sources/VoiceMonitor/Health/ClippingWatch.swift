internal import VoiceActivity

/// Detects an overdriven microphone: a fifth of the last second's hops reach full scale. Clears after 2 s without one.
///
/// A recording that just reaches full scale does so in a few hops a second. Lightly clipped speech reaches it in up to
/// 18 of 100 hops at 3 dB too loud, in 30 at 6 dB, and in 45 at 10 dB (measured on synthesised and real voices at 16
/// and 48 kHz). A limit of 20 therefore reports clipping that can be heard, and nothing less.
struct ClippingWatch: Sendable {
  /// dBFS. The highest 16-bit sample is −0.0003 dBFS; the rest allows for the resampling to 16 kHz.
  private static let fullScale: Float = -0.1
  private static let hopsNeeded = 20
  private static let hopsToClear = 200
  /// A mask for the last 100 hops.
  private static let second: UInt128 = (1 << 100) - 1

  /// One bit for each of the last second's hops, set if the hop reached full scale; the newest is the lowest.
  private var atFullScale: UInt128 = 0
  private var hopsSince = 0

  private(set) var isClipping = false

  mutating func step(_ hop: VoiceActivityHop) {
    let isFull = hop.peakDBFS >= Self.fullScale
    atFullScale = (atFullScale << 1 | (isFull ? 1 : 0)) & Self.second
    hopsSince = isFull ? 0 : min(hopsSince + 1, Self.hopsToClear)
    if atFullScale.nonzeroBitCount >= Self.hopsNeeded { isClipping = true }
    if hopsSince == Self.hopsToClear { isClipping = false }
  }
}
