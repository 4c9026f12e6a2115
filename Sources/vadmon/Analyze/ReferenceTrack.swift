import Annotations
import AudioInput
import RealTime
import VoiceActivity

/// What a loudspeaker played while a recording was made: another recording, which begins at the same time.
///
/// After its end nothing plays. It is a class because ``ChannelAnalysis`` shares it with the analysis, which reports
/// its failure and its warnings. Use it from one thread at a time.
final class ReferenceTrack {
  var echo: EchoReference
  /// What was found of the echo, by the times of the recordings.
  var status: EchoStatus { echo.status.earlier(by: .milliseconds(Self.leadMilliseconds)) }
  /// The failure that ended the reference early.
  private(set) var failure: (any Error)?

  private let source: any RecordedSource
  private let recordingRate: Int
  private var block: PCMBlock
  private var played: PlayedMix
  /// The frames of `block` that were given already.
  private var given = 0
  private var hasEnded = false
  /// The samples that were given, and those of silence after the end.
  private var samples = 0
  private var silence = 0
  private var nonFiniteSamples: UInt64 = 0
  /// The frames of its beginning that are still to be left out (``leadMilliseconds``).
  private var early: Int
  /// What the recording's frames are worth beyond whole samples of the reference, in parts of `recordingRate`.
  private var rest = 0

  /// So much earlier than it was recorded the reference counts as played. One that was recorded late, by a sound
  /// server's monitor, still comes before its echo.
  private static let leadMilliseconds = 60

  /// The most frames of a recording to give the reference of at a time: 20 ms.
  static func portion(ofRate rate: Int) -> Int { rate / 50 }

  private let channel: Int?
  private let start: MediaTime

  /// - Parameters:
  ///   - channel: The channel, if the reference is one of the recording itself.
  ///   - start: Where in the recording both begin.
  init(
    _ source: any RecordedSource, channel: Int? = nil, recordingRate: Int,
    from start: MediaTime = .zero
  ) throws(VoiceActivityError) {
    (self.channel, self.start) = (channel, start)
    echo = try EchoReference(sampleRate: source.sampleRate)
    self.source = source
    self.recordingRate = recordingRate
    early = source.sampleRate * Self.leadMilliseconds / 1000
    block = PCMBlock(channelCount: source.channelCount)
    played = PlayedMix(channelCount: source.channelCount, sampleRate: source.sampleRate)
  }

  /// Gives the echo what played during the next frames of the recording, at most ``portion(ofRate:)``.
  func advance(by frames: Int) throws(VoiceActivityError) {
    rest += frames * source.sampleRate
    var wanted = rest / recordingRate
    rest %= recordingRate
    while wanted > 0 {
      guard hasMore() else {
        try echo.pushSilence(UInt64(wanted))
        silence += wanted
        return
      }
      let some = given..<min(given + wanted, block.frameCount)
      try block.withSamples(ofChannel: 0) { samples throws(VoiceActivityError) in
        try push(samples.extracting(some))
      }
      given = some.upperBound
      wanted -= some.count
    }
  }

  private func push(_ some: Span<Float>) throws(VoiceActivityError) {
    try echo.push(some)
    samples += some.count
    for index in some.indices where !some[index].isFinite { nonFiniteSamples += 1 }
  }

  /// Reads on where all of the block was given. Returns false at the end.
  private func hasMore() -> Bool {
    while given == block.frameCount, !hasEnded { readOn() }
    return given < block.frameCount
  }

  private func readOn() {
    do {
      hasEnded = try !source.read(into: &block)
    } catch {
      failure = error
      hasEnded = true
    }
    if hasEnded { block.frameCount = 0 }
    leaveOutBeginning()
    played.mix(&block, from: given)
  }

  private func leaveOutBeginning() {
    given = min(early, block.frameCount)
    early -= given
    samples += given
  }
}

// MARK: - Warnings

extension ReferenceTrack {
  /// With echo the fit is above this (``EchoStatus/fit``).
  private static let leastFit: Float = 0.15
  /// No room leaves an echo this like the reference.
  private static let copyFit: Float = 0.98
  /// How much silence may follow the reference's end: no echo comes later.
  private static let longestDelaySeconds = 0.75

  /// One sentence for each reason why the reference may not have done what it was named for.
  var warnings: [String] {
    var warnings = source.warnings.map(\.description)
    if nonFiniteSamples > 0 {
      warnings.append(InputAnalysis.warning(nonFiniteSamples: nonFiniteSamples))
    }
    if samples > 0, failure == nil { warnings += endWarning + echoWarning }
    let name = channel.map { "channel \($0)" } ?? source.name
    return warnings.map { "reference \(name): \($0)" }
  }

  private var endWarning: [String] {
    guard Double(silence) > Self.longestDelaySeconds * Double(source.sampleRate) else { return [] }
    let end = start + MediaTime(samples: UInt64(samples), rate: source.sampleRate)
    return ["it ends at \(end.seconds) s; from there on the loudspeaker counts as silent"]
  }

  private var echoWarning: [String] {
    let status = status
    return if status.fit < Self.leastFit {
      channel == nil
        ? [
          "no echo of it was found; check that it is of the same call and begins with the recording"
        ] : ["no echo of it was found; check that it has what the loudspeaker played"]
    } else if status.fit > Self.copyFit && status.delay == .zero {
      ["the recording is a copy of it; if the loudspeaker did not play it, name what it did play"]
    } else {
      []
    }
  }
}
