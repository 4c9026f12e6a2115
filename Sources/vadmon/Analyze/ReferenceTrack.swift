import AudioInput
import RealTime
import VoiceActivity

/// What a loudspeaker played while a recording was made: another recording, which begins at the same time.
///
/// After its end nothing plays. It is a class because ``ChannelAnalysis`` shares it with the analysis, which reports its
/// failure. Use it from one thread at a time.
final class ReferenceTrack {
  var echo: EchoReference
  /// The failure that ended the reference early.
  private(set) var failure: (any Error)?

  private let source: any RecordedSource
  private let recordingRate: Int
  private var block: PCMBlock
  /// The frames of `block` that were given already.
  private var given = 0
  private var hasEnded = false
  /// What the recording's frames are worth beyond whole samples of the reference, in parts of `recordingRate`.
  private var rest = 0

  /// The most frames of a recording to give the reference of at a time: 20 ms.
  static func portion(ofRate rate: Int) -> Int { rate / 50 }

  init(_ source: any RecordedSource, recordingRate: Int) throws(VoiceActivityError) {
    echo = try EchoReference(sampleRate: source.sampleRate)
    self.source = source
    self.recordingRate = recordingRate
    block = PCMBlock(channelCount: 1)
  }

  /// Gives the echo what played during the next frames of the recording, at most ``portion(ofRate:)``.
  func advance(by frames: Int) throws(VoiceActivityError) {
    rest += frames * source.sampleRate
    var wanted = rest / recordingRate
    rest %= recordingRate
    while wanted > 0 {
      if given == block.frameCount, !readOn() {
        try echo.pushSilence(UInt64(wanted))
        return
      }
      let some = given..<min(given + wanted, block.frameCount)
      try block.withSamples(ofChannel: 0) { samples throws(VoiceActivityError) in
        try echo.push(samples.extracting(some))
      }
      given = some.upperBound
      wanted -= some.count
    }
  }

  private func readOn() -> Bool {
    guard !hasEnded else { return false }
    given = 0
    block.frameCount = 0
    do {
      hasEnded = try !source.read(into: &block)
    } catch {
      failure = error
      hasEnded = true
    }
    return !hasEnded && block.frameCount > 0
  }
}
