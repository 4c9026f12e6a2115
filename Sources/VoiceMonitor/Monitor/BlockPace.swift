internal import Glibc
internal import RealTime
internal import VoiceActivity

/// Decides how much sound the analysis waits for.
///
/// To wake a thread costs more than to analyse 10 ms of sound. While nothing can be decided, the analysis is therefore
/// woken every 40 ms only: amid speech, and in silence as long as no sample stands out from the background. A sound
/// that does comes at once, and so does what follows it until it is decided.
///
/// A frame of speech must not come later for it. Speech begins with samples far above the background, whose peaks lie
/// some 12 dB above its level. What begins more softly may be reported 20 ms later.
///
/// This is a value without a clock.
struct BlockPace {
  /// How long to wait at most: as long as a level lasts.
  private static let longest = 0.04
  /// How far above the background's level a sample stands out, dB.
  private static let prominence: Float = 18

  private let frameCount: Int
  /// How many frames after a prominent sample what it may begin is decided: look-ahead, debounce and a hop.
  private let decisionFrames: Int
  /// The number of frames since the newest prominent sample, up to `decisionFrames`.
  private var calmFrames = 0
  /// Whether muted speech was reported and has not ended.
  private var isMutedSpeech = false

  init(_ settings: VoiceActivityDetector.Configuration) {
    let rate = Double(settings.sampleRate)
    frameCount = Int(Self.longest * rate)
    let decision = VoiceActivityDetector.lookahead + settings.onsetDebounce + .milliseconds(10)
    decisionFrames = Int(decision / .seconds(1) * rate)
  }

  mutating func note(_ event: VoiceActivityEvent) {
    switch event.kind {
    case .mutedSpeechBegin: isMutedSpeech = true
    case .mutedSpeechEnd: isMutedSpeech = false
    default: break
    }
  }

  /// Sets what to wait for behind a block.
  ///
  /// - Parameter hop: The newest hop, of all channels the one with the most speech.
  mutating func adjust(_ block: inout PCMBlock, behind hop: VoiceActivityHop, isMuted: Bool) {
    switch hop.state {
    case .silence where !isMutedSpeech:
      let limit = pow(10, (hop.noiseFloorDBFS + Self.prominence) / 20)
      let isCalm = block.peak() < limit
      calmFrames = isCalm ? min(calmFrames + block.frameCount, decisionFrames) : 0
      block.wanted =
        calmFrames < decisionFrames ? .init() : .init(frameCount: frameCount, urgentPeak: limit)
    // Muted speech may begin and end later than the speech.
    case .speech where !isMuted || isMutedSpeech: wait(block: &block, .init(frameCount: frameCount))
    case .speech, .silence, .pendingOnset, .hangover: wait(block: &block, .init())
    }
  }

  private mutating func wait(block: inout PCMBlock, _ wanted: PCMBlock.Wanted) {
    (block.wanted, calmFrames) = (wanted, 0)
  }
}
