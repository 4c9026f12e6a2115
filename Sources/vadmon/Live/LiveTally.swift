import Annotations
import Charts
import VoiceActivity

/// The totals of a live session so far.
struct LiveTally: Sendable, Hashable {
  private(set) var segmentCount = 0
  /// The number of files that segments were saved to, of which one may hold several; `nil` if nothing is saved.
  private(set) var savedCount: Int?
  private(set) var gapCount: UInt64 = 0
  private(set) var lost = MediaTime.zero
  /// The total length of the segments that have ended.
  private var ended = MediaTime.zero
  private var endedMuted = MediaTime.zero
  private var endedStrip = ActivityStrip()
  /// The start of the segment in progress, and below it that of the muted speech in progress.
  private var onset: MediaTime?
  private var mutedOnset: MediaTime?

  init(saves: Bool = false) { savedCount = saves ? 0 : nil }

  mutating func take(_ event: LiveEvent) {
    switch event.kind {
    case .onset:
      segmentCount += 1
      onset = event.time
    case .offset:
      ended = speech(at: event.time)
      endedStrip = strip(at: event.time)
      onset = nil
    case .mutedSpeech(true): mutedOnset = mutedOnset ?? event.time
    case .mutedSpeech(false):
      endedMuted = mutedSpeech(at: event.time)
      mutedOnset = nil
    case .gap(let length):
      gapCount += 1
      lost += length
      endedStrip.addGap(from: event.time, to: event.time + length)
    case .segment: savedCount = savedCount.map { $0 + 1 }
    case .mute, .health, .device, .reference, .otherInput, .clock, .recordingEnded, .dropped:
      break
    }
  }

  func speech(at now: MediaTime) -> MediaTime { ended + (onset.map { now - $0 } ?? .zero) }

  /// Returns the length of speech that is certain at `now`: a segment may have ended one `hangover` ago, because its
  /// end is not known earlier. This length never decreases.
  func certainSpeech(at now: MediaTime, hangover: Duration) -> MediaTime {
    speech(at: now - MediaTime(hangover + VoiceActivityDetector.lookahead))
  }

  func mutedSpeech(at now: MediaTime) -> MediaTime {
    endedMuted + (mutedOnset.map { now - $0 } ?? .zero)
  }

  /// Returns the overview of speech up to now.
  func strip(at now: MediaTime) -> ActivityStrip {
    guard let onset, onset < now else { return endedStrip }
    var strip = endedStrip
    strip.add(from: onset, to: now)
    return strip
  }
}

extension LiveTally {
  /// Returns a sentence such as `12.340 s heard, 4.120 s of speech in 3 segments, saved to 2 files, 0.030 s lost in 2
  /// gaps`.
  func sentence(duration: MediaTime) -> String {
    let segments = counted(segmentCount, "segment")
    let gaps = counted(gapCount, "gap")
    return "\(duration.seconds) s heard, \(speech(at: duration).seconds) s of speech in \(segments)"
      + (savedCount.map { ", saved to \(counted($0, "file"))" } ?? "")
      + (gapCount == 0 ? "" : ", \(lost.seconds) s lost in \(gaps)")
  }
}
