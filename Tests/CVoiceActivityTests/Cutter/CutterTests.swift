import CVoiceActivity
import TestSupport
import Testing

/// The cutter on results made by hand, against drawings and against the rules in their simplest form.
@Suite struct CutterTests {
  typealias Rules = CutterStream.Rules

  /// One character is one hop, `#` is speech.
  @Test(arguments: [
    // name, pad, minSpeech, minSilence, detected, expected
    ("nothing asked", 0, 0, 0, "..##..#...###", "..##..#...###"),
    ("no speech", 2, 2, 2, "........", "........"),
    ("silence of just the minimum stays", 0, 0, 2, "##..##.##", "##..#####"),
    ("silence is joined before short speech is dropped", 0, 4, 2, "##.##..##", "#####...."),
    ("speech of just the minimum stays", 0, 2, 0, "##.#.###", "##...###"),
    ("dropped speech joins nothing", 1, 2, 0, ".##...#...##.", "####.....####"),
    ("padding stops at both ends", 3, 0, 0, ".##..........##.", "######....######"),
    ("padding joins what it makes overlap", 2, 0, 0, "..##...##..", "###########"),
    ("everything", 1, 2, 3, "...#..##....#......##...#", "..#######.........####..."),
  ])
  func speechIsJoinedDroppedAndPadded(row: (String, Int, Int, Int, String, String)) {
    let (name, pad, minSpeech, minSilence, detected, expected) = row
    let rules = Rules(
      minSilence: minSilence, minSpeech: minSpeech, padBefore: pad, padAfter: pad)
    let cuts = cut(detected.map { $0 == "#" ? 1 : 0 }, rules, hangover: 1)
    let drawing = (0..<detected.count).map { index in
      cuts.contains { ($0.start..<$0.end).contains(index * CutterStream.hop) } ? "#" : "."
    }
    #expect(drawing.joined() == expected, "\(name)")
  }

  @Test func cutsThatPaddingMakesTouchStayApart() {
    let cuts = cut(posteriors(".##..##."), Rules(padBefore: 1, padAfter: 1), hangover: 1)
    #expect(cuts == [.init(hops: 0..<4), .init(hops: 4..<8)])
  }

  /// Each cut has speech of its own, however long the padding of the other is.
  @Test func cutsThatAreTooLongTogetherMeetInTheSilenceBetween() {
    // Speech in hops 40 to 135 and 137 to 147.
    let row =
      [Float](repeating: 0, count: 40) + .init(repeating: 1, count: 95) + [0, 0]
      + .init(repeating: 1, count: 10) + .init(repeating: 0, count: 60)
    let after = cut(row, Rules(maxLength: 138, padAfter: 38), hangover: 1)
    #expect(after == [.init(hops: 40..<137), .init(hops: 137..<185)])
    let before = cut(row, Rules(maxLength: 138, padBefore: 38), hangover: 1)
    #expect(before == [.init(hops: 2..<135), .init(hops: 135..<147)])
  }

  @Test func preRollAndPostRollHaveLengthsOfTheirOwn() {
    let cuts = cut(posteriors("......##......"), Rules(padBefore: 3, padAfter: 1), hangover: 1)
    #expect(cuts == [.init(hops: 3..<9)])
  }

  @Test func aCutIsHeldOnlyAsLongAsLaterSpeechCouldJoinIt() {
    let rules = Rules(minSilence: 20, padBefore: 5, padAfter: 5)
    let drawn = DrawnResults(posteriors("####" + String(repeating: ".", count: 60)), hangover: 8)
    let stream = CutterStream(rules)
    var held = 0
    drawn.feed(stream, chunks: repeatElement(1, count: 64)) { if stream.cuts.isEmpty { held += 1 } }
    // Silence is sure once an onset, which is dated back by at most 200 ms, cannot reach it.
    #expect((24...24 + 25).contains(held))
    #expect(stream.cuts == [.init(hops: 0..<9)])
  }

  /// From onsets and offsets alone, which may end speech that is longer than the limit.
  @Test(arguments: [0, 1, 50], [0, 50])
  func theLimitHoldsWithoutHops(minSilence: Int, pad: Int) {
    let stream = CutterStream(
      Rules(minSilence: minSilence, maxLength: 500, padBefore: pad, padAfter: pad))
    let events = [100, 2100, 2156, 2256].enumerated().map { index, hop in
      var event = va_event()
      event.type = (index % 2 == 0 ? VA_EVENT_ONSET : VA_EVENT_OFFSET).rawValue
      event.position = UInt64(hop * CutterStream.hop)
      event.decided_at = event.position
      return event
    }
    stream.take([], events)
    stream.finish(at: 2500)
    let cuts = stream.cuts
    #expect(cuts.count > 4 && cuts.allSatisfy { $0.end - $0.start <= 500 * CutterStream.hop })
    #expect(cuts.first?.start == (100 - pad) * CutterStream.hop)
    #expect(cuts.last?.end == (2256 + pad) * CutterStream.hop)
  }

  /// Compares the cutter with one pass over the whole list for each rule, however the results are divided.
  @Test(arguments: 0..<300 as Range<UInt64>)
  func agreesWithOnePassForEachRule(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let rules = Rules(
      minSilence: .random(in: 0...8, using: &random), minSpeech: .random(in: 0...8, using: &random),
      padBefore: .random(in: 0...6, using: &random), padAfter: .random(in: 0...6, using: &random))
    let drawn = DrawnResults(
      randomPosteriors(&random, count: 200), hangover: .random(in: 1...5, using: &random))
    let expected = NaiveCutter(rules).cuts(of: drawn.spans, length: drawn.hops.count)
    for longest in [1, 7, 500] {
      let stream = CutterStream(rules)
      drawn.feed(stream, chunks: chunks(longest, &random))
      #expect(stream.cuts == expected)
    }
  }

  /// With a limit, it is compared with a search over the whole row of posteriors.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func agreesWithASearchForTheBestPause(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let hangover = Int.random(in: 1...60, using: &random)
    let rules = Rules(
      minSilence: .random(in: 0...40, using: &random),
      minSpeech: .random(in: 0...20, using: &random),
      maxLength: .random(in: 130...300, using: &random),
      padBefore: .random(in: 0...15, using: &random), padAfter: .random(in: 0...15, using: &random))
    let row = randomPosteriors(&random, count: 2000, speech: 100)
    let drawn = DrawnResults(row, hangover: hangover)
    let expected = NaiveCutter(rules, row).cuts(of: drawn.spans, length: row.count)
    for longest in [1, 50, 3000] {
      let stream = CutterStream(rules, hangover: hangover)
      drawn.feed(stream, chunks: chunks(longest, &random))
      #expect(stream.cuts == expected)
    }
    #expect(expected.allSatisfy { $0.end - $0.start <= rules.maxLength * CutterStream.hop })
  }

  /// What the cutter says of the next cut holds, whatever follows.
  @Test(arguments: 0..<100 as Range<UInt64>)
  func theNextCutBeginsAsAnnounced(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let limit = Bool.random(using: &random) ? Int.random(in: 130...200, using: &random) : 0
    let rules = Rules(
      minSilence: .random(in: 0...30, using: &random),
      minSpeech: .random(in: 0...30, using: &random),
      maxLength: limit, padBefore: .random(in: 0...12, using: &random),
      padAfter: .random(in: 0...12, using: &random))
    let drawn = DrawnResults(randomPosteriors(&random, count: 1500, speech: 60), hangover: 9)
    let stream = CutterStream(rules, hangover: 9)
    var said: [(cuts: Int, beginning: Range<UInt64>)] = []
    drawn.feed(stream, chunks: chunks(20, &random)) {
      said.append((stream.cuts.count, stream.beginning))
    }
    for (count, beginning) in said {
      guard stream.cuts.indices.contains(count) else {
        #expect(beginning.isEmpty)
        continue
      }
      let next = stream.cuts[count]
      #expect(beginning.lowerBound <= UInt64(next.start))
      guard !beginning.isEmpty else { continue }
      #expect(beginning.lowerBound == UInt64(next.start))
      // Padding beyond the end of the stream is not there.
      let end = UInt64(drawn.hops.count * CutterStream.hop)
      #expect(min(beginning.upperBound, end) <= UInt64(next.end))
    }
    #expect(said.contains { !$0.beginning.isEmpty } || stream.cuts.isEmpty)
  }

  @Test func resultsWithoutHopsGiveTheSameCutsLater() {
    let drawn = DrawnResults(posteriors(".##..##......###"), hangover: 1)
    let stream = CutterStream(Rules(minSilence: 3))
    stream.take([], drawn.events.map(\.event))
    #expect(stream.cuts == [.init(hops: 1..<7)])
    stream.finish(at: 16)
    #expect(stream.cuts == [.init(hops: 1..<7), .init(hops: 13..<16)])
  }

  /// A detector may be restored in the middle of a stream, with a cutter of its own.
  @Test func hopsBeforeTheFirstOneCountAsSilence() {
    let stream = CutterStream(Rules(maxLength: 120))
    var other = [Float](repeating: 1, count: 300)
    other.replaceSubrange(165..<185, with: repeatElement(0.4, count: 20))
    stream.take(DrawnResults(other, hangover: 8).hops, [])
    stream.reset()
    let drawn = DrawnResults(posteriors(String(repeating: "#", count: 261)), hangover: 8)
    var onset = drawn.events[0].event
    onset.position = UInt64(100 * CutterStream.hop)
    stream.take(Array(drawn.hops[250...]), [onset])
    stream.finish(at: 261)
    // Of hops 161 to 219 the middle.
    #expect(
      stream.cuts == [
        .init(start: 100 * CutterStream.hop, end: 191 * CutterStream.hop, continues: true),
        .init(hops: 191..<261),
      ])
  }

  @Test func resultsInNoOrderEnd() {
    let drawn = DrawnResults(posteriors(String(repeating: "#", count: 300)), hangover: 8)
    let stream = CutterStream(Rules(maxLength: 120))
    stream.take([], [drawn.events[0].event])
    stream.take(Array(drawn.hops[200...]), [])
    stream.take(Array(drawn.hops[..<10]), drawn.events.map(\.event))
    stream.finish(at: 300)
    #expect(stream.cuts.allSatisfy { $0.start < $0.end })
  }

  @Test func aStreamThatWasResetBeginsAnew() {
    let drawn = DrawnResults(posteriors("..####....##"), hangover: 1)
    let stream = CutterStream(Rules(minSilence: 2, maxLength: 120))
    stream.take(Array(drawn.hops.prefix(5)), [drawn.events[0].event])
    stream.reset()
    drawn.feed(stream, chunks: [3, 4, 100])
    #expect(stream.cuts == [.init(hops: 2..<6), .init(hops: 10..<12)])
  }
}

// MARK: - Running the cutter

private func posteriors(_ drawing: String) -> [Float] { drawing.map { $0 == "#" ? 1 : 0 } }

private func cut(
  _ posteriors: [Float], _ rules: CutterStream.Rules, hangover: Int
) -> [CutterStream.Cut] {
  let stream = CutterStream(rules)
  DrawnResults(posteriors, hangover: hangover).feed(stream, chunks: [posteriors.count])
  return stream.cuts
}

private func chunks(_ longest: Int, _ random: inout SeededGenerator) -> [Int] {
  (0..<3000).map { _ in Int.random(in: 1...longest, using: &random) }
}

/// Runs of speech and of silence, with doubtful hops in between.
private func randomPosteriors(
  _ random: inout SeededGenerator, count: Int, speech: Int = 12
) -> [Float] {
  var row: [Float] = []
  while row.count < count {
    for _ in 0..<Int.random(in: 1...speech, using: &random) {
      row.append(Bool.random(using: &random) ? 1 : .random(in: 0.4...1, using: &random))
    }
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      row.append(Bool.random(using: &random) ? 0.001 : .random(in: 0...0.39, using: &random))
    }
  }
  return Array(row.prefix(count))
}
