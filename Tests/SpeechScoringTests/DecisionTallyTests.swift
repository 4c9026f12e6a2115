import Testing

@testable import SpeechScoring

/// Counts and latencies computed by hand. One character is a cell of 10 ms, `#` is speech.
@Suite struct DecisionTallyTests {
  private func tally(_ labelled: String, _ detected: String, minGap: Int = 200) -> DecisionTally {
    DecisionTally(
      labelled: labelled.map { $0 == "#" }, detected: detected.map { $0 == "#" }, minGap: minGap)
  }

  private func dots(_ count: Int) -> String { String(repeating: ".", count: count) }
  private func marks(_ count: Int) -> String { String(repeating: "#", count: count) }

  @Test func cellsAreCounted() {
    let tally = tally("..####..", ".##.##.#")
    #expect(tally.hits == 3 && tally.misses == 1)
    #expect(tally.falseAlarms == 2 && tally.rejections == 2)
    #expect(tally.labelledSegments == 1 && tally.foundSegments == 3)
    #expect(tally.cells == 8)
  }

  @Test func anEmptyRecordingHasNoCells() {
    let tally = tally("", "")
    #expect(tally.cells == 0 && !tally.hasSpeech && tally.onsetDelays.isEmpty)
  }

  @Test func anOnsetIsFoundLateAtOnceOrNever() {
    let reference = dots(20) + marks(10) + dots(20) + marks(10) + dots(20) + marks(10)
    let detected = dots(23) + marks(7) + dots(18) + marks(12) + dots(20) + dots(10)
    let tally = tally(reference, detected)
    #expect(tally.onsetDelays == [3, 0])
    #expect(tally.lostOnsets == 1)
  }

  /// 200 ms of non-speech are enough, 190 ms are not, and neither is the start of the recording.
  @Test func onsetsWithoutEnoughSilenceBeforeThemAreNotMeasured() {
    #expect(tally(dots(20) + "#", dots(20) + "#").onsetDelays == [0])
    #expect(tally(dots(19) + "#", dots(19) + "#").onsetDelays == [])
    #expect(tally(dots(19) + "#", dots(20)).lostOnsets == 0)
    #expect(tally("#" + dots(19) + "##", "#" + dots(20) + "#").onsetDelays == [])
    #expect(tally("#" + dots(20) + "##", "#" + dots(21) + "#").onsetDelays == [1])
    #expect(tally("##" + dots(30), "##" + dots(30), minGap: 0).onsetDelays == [])
    #expect(tally("#.##", "#..#", minGap: 10).onsetDelays == [1])
  }

  @Test func anOffsetIsMeasuredToTheFirstSilence() {
    #expect(tally("####" + dots(20), "####" + dots(20)).offsetDelays == [0])
    #expect(tally("####" + dots(20), "######..##" + dots(14)).offsetDelays == [2])
    #expect(tally("####" + dots(20), "#..." + dots(20)).offsetDelays == [0], "already off")
    #expect(tally("####" + dots(20), dots(24)).offsetDelays == [], "nothing was found")
    #expect(tally("####" + dots(19), "####" + dots(19)).offsetDelays == [], "too short a gap")
  }

  @Test func anOffsetThatNeverComesEndsWithTheNextOnset() {
    #expect(tally("##" + dots(20) + "##" + dots(25), marks(49)).offsetDelays == [20, 25])
  }

  /// Runs of 10, 10 (200 ms later) and 5 cells: three alarms. The first two are one episode; the last is too short for
  /// one.
  @Test func alarmsAreCountedWithoutLabelledSpeech() {
    let detected = dots(10) + marks(10) + dots(20) + marks(10) + dots(30) + marks(5) + dots(15)
    let tally = tally(dots(100), detected)
    #expect(tally.alarms == 3)
    #expect(tally.episodes == 1)
    #expect(tally.falseAlarms == 25)
  }

  @Test func episodesJoinBelow300msAndLastAtLeast100() {
    let episodes = { (detected: String) in
      tally(dots(detected.count), detected).episodes
    }
    #expect(episodes(marks(10)) == 1)
    #expect(episodes(marks(9)) == 0)
    #expect(episodes(marks(10) + dots(29) + marks(10)) == 1)
    #expect(episodes(marks(10) + dots(30) + marks(10)) == 2)
    #expect(episodes("#" + dots(29) + "#") == 1, "joined first, then measured")
  }

  @Test func alarmsBesideSpeechAreFalseAlarmsOnly() {
    let tally = tally("#" + dots(50), "." + marks(50))
    #expect(tally.alarms == 0 && tally.episodes == 0 && tally.falseAlarms == 50)
  }
}
