/// Finds an overdriven microphone: a fifth of the last second's hops at full scale, until 2 s without any.
///
/// A recording that just reaches full scale does so in a few hops a second. Speech that is clipped lightly, 3 dB too
/// loud, reaches it in up to 18 of 100, at 6 dB in 30, at 10 dB in 45 (measured on synthesised and real voices at 16
/// and 48 kHz). 20 thus tells of clipping that can be heard, and of nothing less.
struct ClippingWatch: Sendable {
  /// dBFS. The highest 16-bit sample is −0.0003; the rest is room for the resampling to 16 kHz.
  private static let fullScale: Float = -0.1
  private static let hopsNeeded = 20
  private static let hopsToClear = 200
  /// The last 100 hops.
  private static let second: UInt128 = (1 << 100) - 1

  /// A bit for each of the last second's hops that reached full scale; the newest is the lowest.
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
