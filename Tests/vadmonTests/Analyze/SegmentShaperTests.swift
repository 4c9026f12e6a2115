import TestSupport
import Testing

@testable import vadmon

@Suite struct SegmentShaperTests {
  /// The shaper's effect as a drawing: one character is one sample, `#` is speech.
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
  func segmentsAreJoinedDroppedAndPadded(row: (String, UInt64, UInt64, UInt64, String, String)) {
    let (name, pad, minSpeech, minSilence, detected, expected) = row
    let rules = SegmentShaper.Rules(pad: pad, minSpeech: minSpeech, minSilence: minSilence)
    let shaped = shape(spans(detected), rules, end: UInt64(detected.count))
    #expect(drawing(shaped, length: detected.count) == expected, "\(name)")
  }

  @Test func segmentsThatPaddingMakesTouchStayApart() {
    let rules = SegmentShaper.Rules(pad: 1)
    let shaped = shape(spans(".##..##."), rules, end: 8)
    #expect(shaped.map { [$0.start, $0.end] } == [[0, 4], [4, 8]])
  }

  @Test func withoutRulesASegmentPassesAtOnceAndUnchanged() {
    var shaper = SegmentShaper(rules: .init())
    let span = SpeechSpan(start: 100, end: 250, decidedAt: 300)
    var out: [SpeechSpan] = []
    shaper.add(span) { out.append($0) }
    #expect(out == [span])
  }

  @Test func aSegmentIsHeldOnlyAsLongAsTheNextCouldJoinIt() {
    var shaper = SegmentShaper(rules: .init(pad: 5, minSilence: 20))
    var out: [SpeechSpan] = []
    shaper.add(SpeechSpan(start: 100, end: 200, decidedAt: 230)) { out.append($0) }
    shaper.advance(to: 209) { out.append($0) }
    #expect(out.isEmpty)
    shaper.advance(to: 219) { out.append($0) }
    #expect(out.isEmpty)
    shaper.advance(to: 220) { out.append($0) }
    #expect(out == [SpeechSpan(start: 95, end: 205, decidedAt: 230)])
  }

  @Test func aJoinedSegmentWasDecidedWithItsLastPart() {
    let spans = [
      SpeechSpan(start: 0, end: 10, decidedAt: 35), SpeechSpan(start: 12, end: 20, decidedAt: 45),
    ]
    let shaped = shape(spans, .init(minSilence: 5), end: 50)
    #expect(shaped == [SpeechSpan(start: 0, end: 20, decidedAt: 45)])
  }

  /// Compares the shaper with three simple passes over the whole list, whatever calls of `advance` come in between.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func agreesWithThreePassesOverTheWholeRecording(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let rules = SegmentShaper.Rules(
      pad: .random(in: 0...6, using: &random), minSpeech: .random(in: 0...8, using: &random),
      minSilence: .random(in: 0...8, using: &random))
    let (spans, end) = randomSpans(&random)
    let expected = naive(spans, rules, end: end)
    let atOnce = shape(spans, rules, end: end)
    #expect(atOnce.map { [$0.start, $0.end] } == expected)
    #expect(shapeWithInterruptions(spans, rules, end: end, &random) == atOnce)
  }
}

// MARK: - Running the shaper

private func shape(
  _ spans: [SpeechSpan], _ rules: SegmentShaper.Rules, end: UInt64
) -> [SpeechSpan] {
  var shaper = SegmentShaper(rules: rules)
  var out: [SpeechSpan] = []
  for span in spans { shaper.add(span) { out.append($0) } }
  shaper.finish(at: end) { out.append($0) }
  return out
}

/// Does the same, with calls of `advance` at random places where there is no speech.
private func shapeWithInterruptions(
  _ spans: [SpeechSpan], _ rules: SegmentShaper.Rules, end: UInt64,
  _ random: inout SeededGenerator
) -> [SpeechSpan] {
  var shaper = SegmentShaper(rules: rules)
  var out: [SpeechSpan] = []
  var quietFrom: UInt64 = 0
  for span in spans {
    for _ in 0..<3 {
      shaper.advance(to: .random(in: quietFrom...span.start, using: &random)) { out.append($0) }
    }
    shaper.add(span) { out.append($0) }
    quietFrom = span.end
  }
  shaper.finish(at: end) { out.append($0) }
  return out
}

// MARK: - The oracle

/// The rules in their simplest form, one pass for each, over the whole list.
private func naive(
  _ spans: [SpeechSpan], _ rules: SegmentShaper.Rules, end: UInt64
) -> [[UInt64]] {
  var joined: [[UInt64]] = []
  for span in spans {
    if let last = joined.last, span.start - last[1] < rules.minSilence {
      joined[joined.count - 1][1] = span.end
    } else {
      joined.append([span.start, span.end])
    }
  }
  let long = joined.filter { $0[1] - $0[0] >= rules.minSpeech }
  let padded = long.map { span -> [UInt64] in
    [span[0] < rules.pad ? 0 : span[0] - rules.pad, min(end, span[1] + rules.pad)]
  }
  return padded.reduce(into: []) { result, span in
    if let last = result.last, span[0] < last[1] {
      result[result.count - 1][1] = span[1]
    } else {
      result.append(span)
    }
  }
}

private func randomSpans(_ random: inout SeededGenerator) -> ([SpeechSpan], UInt64) {
  var position: UInt64 = 0
  var spans: [SpeechSpan] = []
  for _ in 0..<Int.random(in: 0...12, using: &random) {
    let start = position + .random(in: spans.isEmpty ? 0...9 : 1...9, using: &random)
    let end = start + .random(in: 1...12, using: &random)
    spans.append(SpeechSpan(start: start, end: end, decidedAt: end + 3))
    position = end
  }
  return (spans, position + .random(in: 0...9, using: &random))
}

// MARK: - Drawings

private func spans(_ drawing: String) -> [SpeechSpan] {
  var spans: [SpeechSpan] = []
  var start: Int?
  for (index, character) in (drawing + ".").enumerated() {
    if character == "#", start == nil { start = index }
    if character == ".", let begin = start {
      spans.append(
        SpeechSpan(start: UInt64(begin), end: UInt64(index), decidedAt: UInt64(index)))
      start = nil
    }
  }
  return spans
}

private func drawing(_ spans: [SpeechSpan], length: Int) -> String {
  String(
    (0..<length).map { index in
      spans.contains { $0.start <= index && index < $0.end } ? "#" : "."
    })
}
