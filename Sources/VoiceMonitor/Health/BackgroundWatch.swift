internal import VoiceActivity

/// Detects a line on which nothing ever moves.
///
/// It compares the levels of blocks of 100 ms. White noise has 1,600 independent samples in a block (the analysis runs
/// at 16 kHz), so a block's mean power has a standard deviation of √(2 / 1600) = 3.5 %, or 0.15 dB. The extremes of the
/// 50 blocks of 5 s lie 4.5 standard deviations apart (0.7 dB), and those of a whole hour 8.3 (1.3 dB). The limit of
/// 3 dB therefore holds for an hour, even for noise no wider than 1.5 kHz. A breath or a chair, let alone a word,
/// moves a near-silent line by 10 dB and more.
///
/// A quiet room in front of a good microphone can be as faint and as steady while nobody speaks. The watch therefore
/// remembers the line's levels from when it moved: a line that was alive counts as dead only if it is quieter than it
/// ever was then. A line that has not moved yet gets more time, because people wait before they speak: one
/// in a thousand real recordings begins with 5.8 s at a steady −89 dBFS.
struct BackgroundWatch: Sendable {
  private static let hopsPerBlock = 10
  /// Blocks without movement that make a line dead: 5 s if it was alive before, otherwise 10 s.
  private var blocksNeeded: Int { isAlive ? 50 : 100 }
  /// The loudest level of a dead line, dBFS.
  private static let loudest: Float = -70
  /// The largest difference between the blocks of a line that does not move, dB.
  private static let spread: Float = 3
  /// How much quieter a dead line is than the pauses between words were, dB.
  private static let drop: Float = 6
  /// The least bit of 16-bit samples, dBFS. Everything fainter counts as equally faint, because there the level jumps
  /// by many dB with each bit that rounding happens to set.
  private static let leastBit: Float = -90

  /// The block in progress.
  private var sum: Float = 0
  private var hops = 0
  /// The run of blocks without movement, in dBFS.
  private var lowest = Float.infinity
  private var highest = -Float.infinity
  private var blocks = 0
  /// The faintest block from when the line was alive, dBFS.
  private var faintestAlive = Float.infinity

  /// Whether something has moved or was loud.
  private(set) var isAlive = false

  /// Whether the line has been near-silent and without movement for long enough.
  var isDead: Bool { blocks >= blocksNeeded && lowest < faintestAlive - Self.drop }

  /// Takes a hop. Digital silence is skipped: it comes from a mute or a gate and is not the line's background.
  mutating func step(_ hop: VoiceActivityHop) {
    guard !hop.isDigitallySilent else { return }
    sum += max(hop.levelDBFS, Self.leastBit)
    hops += 1
    guard hops == Self.hopsPerBlock else { return }
    let level = sum / Float(Self.hopsPerBlock)
    (sum, hops) = (0, 0)
    if isCalm(level) { lengthenRun(level) } else { endRun(level) }
  }

  private func isCalm(_ level: Float) -> Bool {
    level < Self.loudest && max(highest, level) - min(lowest, level) < Self.spread
  }

  private mutating func lengthenRun(_ level: Float) {
    (lowest, highest) = (min(lowest, level), max(highest, level))
    blocks = min(blocks + 1, blocksNeeded)
  }

  private mutating func endRun(_ level: Float) {
    if !isDead { faintestAlive = min(faintestAlive, lowest) }
    isAlive = true
    (lowest, highest) = (level, level)
    blocks = 1
  }
}
