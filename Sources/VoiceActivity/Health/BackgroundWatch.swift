/// Finds a line on which nothing ever moves.
///
/// The level is looked at in blocks of 100 ms. White noise has 1,600 independent samples in a block (the analysis runs
/// at 16 kHz), so that the block's mean power spreads by √(2 / 1600) = 3.5 %, which is 0.15 dB; the extremes of the
/// 50 blocks of 5 s lie 4.5 standard deviations apart, 0.7 dB, and those of a whole hour 8.3 (1.3 dB). The limit of
/// 3 dB therefore holds for an hour even of noise that is no wider than 1.5 kHz, while a breath or a chair, let alone a word,
/// moves a near-silent line by 10 dB and more.
///
/// A quiet room before a good microphone can be as faint and as steady, as long as nobody speaks. Hence what was
/// heard while the line moved is remembered: a line that was alive is dead only if it is quieter now than it
/// ever was then. And one of which nothing is known yet is given more time, because people wait before they speak: one
/// in a thousand real recordings begins with 5.8 s at a steady −89 dBFS.
struct BackgroundWatch: Sendable {
  private static let hopsPerBlock = 10
  /// 5 s for a line that was alive, 10 s for another.
  private var blocksNeeded: Int { isAlive ? 50 : 100 }
  /// dBFS: no louder than this is a line called dead.
  private static let loudest: Float = -70
  /// dB between the blocks of a line that does not move.
  private static let spread: Float = 3
  /// dB that a dead line is quieter than the pauses between words were.
  private static let drop: Float = 6
  /// dBFS: all that is fainter than the least bit of 16-bit samples counts as equally faint. There, levels
  /// jump by many dB with each bit that rounding happens to set.
  private static let leastBit: Float = -90

  /// The block in progress.
  private var sum: Float = 0
  private var hops = 0
  /// The run of blocks without movement, in dBFS.
  private var lowest = Float.infinity
  private var highest = -Float.infinity
  private var blocks = 0
  /// dBFS: the faintest block of the time when the line was alive.
  private var faintestAlive = Float.infinity

  /// Something has moved, or was loud.
  private(set) var isAlive = false

  /// Near-silent and without movement for as long as it takes.
  var isDead: Bool { blocks >= blocksNeeded && lowest < faintestAlive - Self.drop }

  /// Digital silence is passed over: it is not the line's background but a mute's or a gate's.
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
