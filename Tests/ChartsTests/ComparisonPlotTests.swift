import Annotations
import Foundation
import SpeechScoring
import TestSupport
import Testing

@testable import Charts

/// The picture of a comparison, read by Python's XML reader and compared with counts made by hand.
@Suite struct ComparisonPlotTests {
  /// The elements of a picture: the curves, the marks and the texts with their sizes.
  private struct Picture: Decodable {
    struct Line: Decodable {
      var stroke: String
      var dashes: String
      var points: [[Double]]
    }
    struct Mark: Decodable {
      var x: Double
      var y: Double
      var tip: String?
    }
    struct Text: Decodable {
      var text: String
      var x: Double
      var y: Double
      var anchor: String
      var size: Double
      var isTurned: Bool
    }
    var width: Double
    var height: Double
    var title: String
    var lines: [Line]
    var marks: [Mark]
    var texts: [Text]

    func curves(_ color: String) -> [[[Double]]] {
      lines.filter { $0.stroke == color && $0.points.count > 2 }.map(\.points)
    }

    func has(_ text: String) -> Bool { texts.contains { $0.text == text } }
  }

  private static let reader = """
    import json, sys, xml.etree.ElementTree as tree
    svg = '{http://www.w3.org/2000/svg}'
    root = tree.fromstring(sys.stdin.buffer.read())
    found = {'width': float(root.get('width')), 'height': float(root.get('height')),
             'title': root.find(svg + 'title').text, 'lines': [], 'marks': [], 'texts': []}
    def walk(element, size, turned):
        size = float(element.get('font-size', size))
        turned = turned or 'rotate' in element.get('transform', '')
        if element.tag == svg + 'polyline':
            points = [[float(n) for n in p.split(',')] for p in element.get('points').split()]
            found['lines'].append({'stroke': element.get('stroke'), 'points': points,
                                   'dashes': element.get('stroke-dasharray')})
        if element.tag == svg + 'circle':
            tip = element.find(svg + 'title')
            found['marks'].append({'x': float(element.get('cx')), 'y': float(element.get('cy')),
                                   'tip': None if tip is None else tip.text})
        if element.tag == svg + 'text':
            found['texts'].append({'text': element.text or '', 'x': float(element.get('x')), 'size': size,
                                   'y': float(element.get('y')), 'anchor': element.get('text-anchor'),
                                   'isTurned': turned})
        for child in element: walk(child, size, turned)
    walk(root, 12, False)
    print(json.dumps(found))
    """

  private func picture(
    _ detected: LabelTrack, against: LabelTrack? = nil, reference: [LabelledSpan]? = nil,
    name: String = "frames"
  ) throws -> Picture {
    // Speech in cells 2, 3, 4 and 7 of eight.
    let labels = try [
      LabelledSpan(start: 0.02, end: 0.05), LabelledSpan(start: 0.07, end: 0.08),
    ]
    let recordings = ["a", "b"].map {
      ComparedRecording(
        name: $0, reference: reference ?? labels, detected: detected, against: against)
    }
    var faults = LineFaults()
    let map = EvaluationMap(Array("a 1 0 0.08\nb 1 0 0.08\n".utf8), faults: &faults)
    let evaluation = Evaluation(
      minGap: 0, bootstrap: Bootstrap(resamples: 8), map: map, reportsCurves: true)
    let comparison = try evaluation.comparison(of: recordings)
    let estimates = [comparison.pooled.detected, comparison.pooled.against].compactMap(\.self)
    let detectors = zip(comparison.curves, estimates).map {
      ComparisonPlot.Detector(name: name, curves: $0, estimate: $1)
    }
    let text = ComparisonPlot(reference: name, recordings: "2 recordings", detectors: detectors)
      .text
    let value = try Python.json(Self.reader, input: text)
    return try JSONDecoder().decode(
      Picture.self, from: JSONSerialization.data(withJSONObject: value))
  }

  /// Scores of the eight cells, descending: 0.9 s, 0.8 s, 0.7 n, 0.6 s, 0.4 s and n, 0.2 n, 0.1 n. The decisions are
  /// those at 0.65: two hits, one false alarm.
  private static func frames(_ scores: [Double] = [0.1, 0.7, 0.9, 0.6, 0.8, 0.2, 0.4, 0.4])
    -> LabelTrack
  {
    .frames(
      FrameTrack(
        times: scores.indices.map { Double($0) / 100 }, scores: scores,
        decisions: scores.map { $0 > 0.65 }))
  }

  // MARK: Curves

  /// The corners by hand, as shares of four speech cells and four others: (0, 0), (0, ½), (¼, ½), (¼, ¾), (½, 1),
  /// (1, 1). The frame of the first panel is 266 by 220 pixels.
  @Test func theCharacteristicIsTheNaiveOne() throws {
    let picture = try picture(Self.frames())
    let frame = try #require(picture.lines.first { $0.stroke == "#222" }?.points)
    let (left, top, bottom) = (frame[0][0], frame[0][1], frame[1][1])
    let corners = [(0, 0), (0, 0.5), (0.25, 0.5), (0.25, 0.75), (0.5, 1), (1, 1)]
    let expected = corners.map { [left + 266 * $0, bottom - 220 * $1] }
    #expect(top == bottom - 220)
    let curve = try #require(picture.curves("#0072b2").first)
    #expect(Self.isEqual(curve, expected), "\(curve) \(expected)")
    // The pairs won: 4 + 4 + 3 + 2½ of 16.
    #expect(picture.texts.contains { $0.text.hasPrefix("AUC 0.8438 (") })
    let mark = try #require(picture.marks.first)
    #expect(mark.x == left + 266 / 4.0 && mark.y == bottom - 110)
    #expect(mark.tip == "false alarm rate 0.2500, recall 0.5000")
  }

  /// The area below the steps is the average precision: ¼ (1 + 1 + ¾ + 4/6).
  @Test func theStepsOfPrecisionHoldTheAveragePrecision() throws {
    let picture = try picture(Self.frames())
    let frame = picture.lines.filter { $0.stroke == "#222" }[1].points
    let curve = picture.curves("#0072b2")[1]
    let area = zip(curve, curve.dropFirst()).map {
      ($1[0] - $0[0]) / 266 * (frame[1][1] - $1[1]) / 220
    }
    let averagePrecision: Double = (1 + 1 + 0.75 + 4 / 6.0) / 4
    let sum = area.reduce(0, +)
    #expect(abs(sum - averagePrecision) < 0.001)
    #expect(picture.texts.contains { $0.text.hasPrefix("AP 0.8542 (") })
  }

  /// Onsets at cells 2 and 7: the first at once, the second never. The segment ends at cell 5 with a decision of
  /// non-speech, at once.
  @Test func latenciesAndReliabilityHaveTheirNumbers() throws {
    let picture = try picture(Self.frames())
    #expect(picture.has("onset 0, 0") && picture.has("offset 0, 0"))
    // By tenths, the sum of the scores minus the cells of speech: 0.1, 0.2, 0.4 + 0.4 - 1, 0.6 - 1, 0.7, 0.8 - 1,
    // 0.9 - 1.
    let gaps = [0.1, 0.2, 0.2, 0.4, 0.7, 0.2, 0.1]
    let error = gaps.reduce(0, +) / 8
    #expect(picture.has("calibration error \(String(format: "%.4f", error))"))
    let counts = picture.texts.filter { $0.size == 9 }.map(\.text)
    #expect(counts == ["0", "2", "2", "0", "4", "0", "2", "2", "2", "2"])
  }

  @Test func aSecondDetectorHasAnotherColourAndDashes() throws {
    let picture = try picture(
      Self.frames(), against: Self.frames([0.9, 0.1, 0.1, 0.1, 0.1, 0.9, 0.9, 0.1]))
    let other = picture.lines.filter { $0.stroke == "#d55e00" }
    #expect(other.count >= 6 && other.allSatisfy { $0.dashes.hasPrefix("6 3") })
    let first = Set(picture.lines.filter { $0.stroke == "#0072b2" }.map(\.dashes))
    #expect(first.isDisjoint(with: other.map(\.dashes)), "\(first)")
    #expect(picture.texts.contains { $0.text.hasPrefix("AUC 0.1250 (") })
  }

  /// Onsets and offsets share a panel, and a detector's colour.
  @Test func noTwoCurvesOfAPanelHaveTheSameDashes() throws {
    let picture = try picture(
      Self.frames(), against: Self.frames([0.1, 0.1, 0.9, 0.3, 0.8, 0.2, 0.4, 0.9]))
    let colors = ["#0072b2", "#d55e00"]
    // The frames of the panels, in their order; a sample in a key has two points.
    let frames = picture.lines.filter { $0.stroke == "#222" }.map(\.points)
    #expect(frames.count == 4)
    for (frame, count) in zip(frames, [2, 2, 2, 4]) {
      let (left, top, bottom, right) = (frame[0][0], frame[0][1], frame[1][1], frame[2][0])
      let curves = picture.lines.filter { line in
        colors.contains(line.stroke) && line.points.count > 2
          && line.points.allSatisfy {
            (left - 1...right + 1) ~= $0[0] && (top - 1...bottom + 1) ~= $0[1]
          }
      }
      #expect(curves.count == count)
      #expect(Set(curves.map(\.dashes)).count == count, "\(curves.map(\.dashes))")
    }
    // Each is in a key: a short line above its panel.
    let samples = picture.lines.filter {
      colors.contains($0.stroke) && $0.points.count == 2 && $0.points[0][1] < frames[3][0][1]
        && $0.points[0][1] > frames[2][0][1] - 60 && $0.points[0][0] >= frames[3][0][0]
    }
    #expect(Set(samples.map(\.dashes)).count == 4)
  }

  // MARK: Empty panels

  @Test func segmentsHaveLatenciesAndDecisionsAlone() throws {
    let picture = try picture(.spans([LabelledSpan(start: 0.03, end: 0.06)]))
    #expect(picture.texts.count { $0.text == "segments have no probabilities" } == 3)
    #expect(picture.texts.contains { $0.text.hasPrefix("F1 0.5714 (") })
    #expect(picture.has("onset 10, 10") && picture.has("offset 10, 10"))
    #expect(picture.marks.first?.tip == "false alarm rate 0.2500, recall 0.5000")
  }

  @Test func aScoreBeyondOneLeavesTheReliabilityEmpty() throws {
    let picture = try picture(Self.frames([-5, 7, 9, 6, 8, 2, 4, 4]))
    #expect(picture.has("scores are not probabilities"))
    #expect(!picture.has("segments have no probabilities"))
  }

  @Test func labelsWithoutSpeechOrWithNothingElseLeaveTwoPanelsEmpty() throws {
    let silence = try picture(Self.frames(), reference: [])
    #expect(silence.texts.count { $0.text == "no speech is labelled" } == 2)
    #expect(silence.has("no onset or offset has a latency"))
    let speech = try picture(Self.frames(), reference: [LabelledSpan(start: 0, end: 1)])
    #expect(speech.texts.count { $0.text == "there is nothing but speech" } == 2)
    #expect(try picture(.spans([]), reference: []).curves("#0072b2").isEmpty)
  }

  // MARK: Text

  @Test(
    arguments: [
      "frames", String(repeating: "long/", count: 90), String(repeating: "語", count: 300),
      "<&>\"'\u{1}\u{1B}[31m\u{FFFF}é😀\n" + String(repeating: "&", count: 200),
    ])
  func anyNameFits(name: String) throws {
    let picture = try picture(Self.frames(), against: Self.frames(), name: name)
    #expect(!picture.title.unicodeScalars.contains("\u{1B}"))
    for text in picture.texts where !text.isTurned {
      // Letters of common fonts are at most 0.6 em wide on average, ideographs and emoji one em.
      let width =
        text.text.unicodeScalars.reduce(0) { $0 + ($1.value < 0x590 ? 0.6 : 1) } * text.size
      let start =
        text.anchor == "end"
        ? text.x - width : text.anchor == "middle" ? text.x - width / 2 : text.x
      #expect(start >= 0 && start + width <= picture.width, "\(text.text)")
      #expect(text.y > text.size && text.y < picture.height - 3, "\(text.text)")
    }
  }

  @Test(
    arguments: [
      (0, "0"), (999, "999"), (1000, "1.0k"), (9949, "9.9k"), (9951, "10k"), (999_499, "999k"),
      (999_500, "1.0M"), (12_345_678, "12M"), (1_000_000_000, "1.0G"), (Int.max, "≥1T"),
    ])
  func countsTakeFourCharacters(row: (Int, String)) {
    #expect(ReliabilityPanel.short(row.0) == row.1)
  }

  /// Coordinates are printed with one decimal.
  private static func isEqual(_ left: [[Double]], _ right: [[Double]]) -> Bool {
    left.count == right.count
      && zip(left, right).allSatisfy { abs($0[0] - $1[0]) <= 0.051 && abs($0[1] - $1[1]) <= 0.051 }
  }
}
