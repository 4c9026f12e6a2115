import Annotations
import Charts
import SystemPackage
import Testing

@testable import vadmon

/// The totals of a live session.
@Suite struct LiveTallyTests {
  private func tally(_ events: (LiveEvent.Kind, UInt64)...) -> LiveTally {
    var tally = LiveTally()
    for (kind, time) in events {
      let time = MediaTime(milliseconds: time)
      tally.take(LiveEvent(kind: kind, time: time, decidedAt: time))
    }
    return tally
  }

  private func ms(_ milliseconds: UInt64) -> MediaTime { MediaTime(milliseconds: milliseconds) }

  @Test func anEmptyTallyHasNoSpeech() {
    #expect(tally().speech(at: ms(1000)) == .zero)
    #expect(
      tally().sentence(duration: ms(1000)) == "1.000 s heard, 0.000 s of speech in 0 segments")
  }

  @Test func filesAreCountedIfAnyAreSaved() {
    var saving = LiveTally(saves: true)
    #expect(saving.sentence(duration: ms(0)).hasSuffix("in 0 segments, saved to 0 files"))
    let segment = LiveEvent.Kind.segment(from: ms(0), to: ms(1), samples: 0..<16, "a.wav")
    saving.take(LiveEvent(kind: segment, time: ms(1), decidedAt: ms(1)))
    #expect(saving.savedCount == 1 && saving.segmentCount == 0)
    #expect(tally((segment, 1)).savedCount == nil)
  }

  @Test func segmentsAreAddedUpAndTheOpenOneGrows() {
    let tally = tally((.onset, 100), (.offset, 400), (.onset, 1000))
    #expect(tally.segmentCount == 2)
    #expect(tally.speech(at: ms(1000)) == ms(300))
    #expect(tally.speech(at: ms(1250)) == ms(550))
    // An onset is earlier than the newest hop by the debounce, and never later.
    #expect(tally.speech(at: ms(900)) == ms(300))
  }

  /// The detector decides on an offset one hangover and its lookahead (30 ms) after it.
  @Test func theCertainLengthOfSpeechNeverDecreases() {
    let events: [(kind: LiveEvent.Kind, time: UInt64, decidedAt: UInt64)] = [
      (.onset, 100, 150), (.offset, 400, 550), (.onset, 600, 650), (.offset, 610, 760),
    ]
    var tally = LiveTally()
    var lengths: [MediaTime] = []
    for now in UInt64(0)...1000 {
      for event in events where event.decidedAt == now {
        tally.take(LiveEvent(kind: event.kind, time: ms(event.time), decidedAt: ms(now)))
      }
      lengths.append(tally.certainSpeech(at: ms(now), hangover: .milliseconds(120)))
    }
    #expect(lengths == lengths.sorted())
    #expect(lengths.first == .zero && lengths.last == ms(310))
  }

  @Test func mutedSpeechIsCountedApart() {
    let tally = tally(
      (.onset, 0), (.mutedSpeech(true), 300), (.mutedSpeech(false), 500), (.mutedSpeech(true), 900))
    #expect(tally.mutedSpeech(at: ms(1000)) == ms(300))
    #expect(tally.speech(at: ms(1000)) == ms(1000))
  }

  @Test func gapsAreCounted() {
    let tally = tally((.gap(ms(10)), 100), (.gap(ms(990)), 200))
    #expect(tally.gapCount == 2 && tally.lost == ms(1000))
    #expect(
      tally.sentence(duration: ms(5000))
        == "5.000 s heard, 0.000 s of speech in 0 segments, 1.000 s lost in 2 gaps")
  }

  @Test func theStripShowsWhereSpeechWas() {
    let tally = tally((.onset, 0), (.offset, 500), (.onset, 900))
    #expect(tally.strip(at: ms(1000)).text(duration: ms(1000), columns: 10) == "█████▁▁▁▁█")
  }

  /// A column with half of its sound missing shows a gap. A column that has lost less keeps its height and is marked.
  @Test func theStripShowsWhereSoundIsMissing() {
    let tally = tally((.onset, 0), (.offset, 500), (.gap(ms(150)), 700), (.gap(ms(10)), 120))
    let columns = tally.strip(at: ms(1000)).columns(duration: ms(1000), atMost: 10)
    #expect(String(columns.map(\.symbol)) == "█████▁▁××▁")
    #expect(columns.indices.filter { columns[$0].hasGap } == [1, 7, 8])
  }
}
