import Annotations
import TestSupport
import Testing

@testable import Charts

/// The picture of one recording: well-formed for an independent reader, and to scale.
@Suite struct RecordingPlotTests {
  /// A second of silence, then a second at half of full scale, with a segment over it.
  private func recording(
    named name: String = "a.wav", seconds: Int = 2,
    scale: PosteriorScale = PosteriorScale(onset: 0.8, offset: 0.4)
  ) -> ReportRecording {
    var picture = ChannelPicture(rate: 8000, scale: scale)
    for second in 0..<seconds {
      picture.add([Float](repeating: second == 1 ? 0.5 : 0, count: 8000).span)
      for _ in 0..<100 {
        picture.add(
          .init(posterior: second == 1 ? 1 : 0, levelDBFS: -20, noiseFloorDBFS: -60, isEcho: false))
      }
    }
    picture.finish()
    var recording = ReportRecording(file: name, rate: 8000, samples: 0..<UInt64(seconds * 8000))
    recording.picture = picture
    if seconds > 1 {
      let (start, end) = (MediaTime(milliseconds: 1000), MediaTime(milliseconds: 2000))
      recording.segments = [
        SpanRecord(file: name, channel: nil, start: start, end: end, decidedAt: end)
      ]
    }
    return recording
  }

  /// Returns the bars, the points of all curves and the texts, as read by Python's XML reader.
  private static let reader = """
    import json, sys, xml.etree.ElementTree as tree
    svg = '{http://www.w3.org/2000/svg}'
    root = tree.fromstring(sys.stdin.buffer.read())
    bars = [[float(r.get('x')), float(r.get('width'))]
            for r in root.iter(svg + 'rect') if r.find(svg + 'title') is not None]
    curves = list(root.iter(svg + 'polyline')) + list(root.iter(svg + 'polygon'))
    points = [[float(n) for n in p.split(',')] for c in curves for p in c.get('points').split()]
    texts = list(root.iter(svg + 'text'))
    print(json.dumps({'bars': bars, 'points': points, 'texts': [t.text for t in texts],
                      'places': [[float(t.get('x')), float(t.get('y'))] for t in texts]}))
    """

  private func read(_ recording: ReportRecording) throws -> [String: Any] {
    let text = try #require(RecordingPlot(recording)).text
    return try #require(Python.json(Self.reader, input: text) as? [String: Any])
  }

  /// The axis runs from 96 to 880.
  @Test func aSegmentIsWhereItIs() throws {
    let bars = try read(recording())["bars"] as? [[Double]]
    #expect(bars == [[488, 392], [488, 391.5]])
  }

  /// The picture of a part begins with the part; its segments and its axis keep the times of the recording.
  @Test func aPartKeepsTheTimesOfItsRecording() throws {
    var part = recording()
    part.samples = 8_000_000..<8_016_000
    for index in part.segments.indices {
      part.segments[index].start = MediaTime(milliseconds: 1_001_000)
      part.segments[index].end = MediaTime(milliseconds: 1_002_000)
    }
    let (whole, shown) = (try read(recording()), try read(part))
    for name in ["bars", "points"] {
      let numbers = try [shown, whole].map { try #require($0[name] as? [[Double]]).flatMap(\.self) }
      #expect(numbers[0].count == numbers[1].count)
      // A tenth of a pixel is the last digit, which may be rounded otherwise.
      #expect(zip(numbers[0], numbers[1]).allSatisfy { abs($0 - $1) < 0.15 }, "\(name)")
    }
    let texts = try #require(shown["texts"] as? [String])
    #expect(texts.contains("1000.0") && texts.contains("1002.0"))
  }

  /// Seconds up to two minutes, then what a clock shows, in the middle of the axis what is in the middle of the
  /// recording.
  @Test(arguments: [
    (120, ["0", "50", "100"], "time in s"),
    (150, ["0:00", "0:30", "1:00", "1:30", "2:00", "2:30"], "time in min:s"),
    (3599, ["0:00", "15:00", "30:00", "45:00"], "time in min:s"),
    (7200, ["0:00", "30:00", "1:00:00", "1:30:00", "2:00:00"], "time in h:min:s"),
    (900_000, ["0:00", "72:00:00", "144:00:00", "216:00:00"], "time in h:min:s"),
  ])
  func longRecordingsHaveMinutes(seconds: Int, ticks: [String], title: String) throws {
    var recording = recording()
    recording.samples = 0..<UInt64(seconds * recording.rate)
    let read = try read(recording)
    let texts = try #require(read["texts"] as? [String])
    let places = try #require(read["places"] as? [[Double]])
    let unit = try #require(texts.firstIndex { $0.hasPrefix("time in") })
    let axis = zip(texts, places).filter { $0.1[1] == places[unit][1] - 18 && $0.1[0] >= 96 }
    #expect(axis.map(\.0) == ticks)
    #expect(texts[unit] == title)
    if seconds == 7200 { #expect(axis[2].1[0] == 488) }
  }

  @Test(arguments: [(0.99, 0.98), (0.5, 0.5), (0.02, 0.01), (0.9, 0.45)] as [(Float, Float)])
  func namesDoNotTouch(onset: Float, offset: Float) throws {
    let recording = recording(scale: PosteriorScale(onset: onset, offset: offset))
    let places = try #require(try read(recording)["places"] as? [[Double]])
    for (index, place) in places.enumerated() {
      for other in places[..<index] where place[0] == other[0] {
        #expect(abs(place[1] - other[1]) >= 12, "\(place) and \(other)")
      }
    }
  }

  @Test func noCurveLeavesItsPanel() throws {
    let points = try #require(try read(recording())["points"] as? [[Double]])
    #expect(points.count > 200)
    for point in points {
      #expect((96...880) ~= point[0] && (35...330) ~= point[1], "\(point)")
    }
  }

  @Test func namesAreText() throws {
    let texts = try read(recording(named: "<b>&\"\u{1B}.wav"))["texts"] as? [String]
    #expect(texts?.first == "<b>&\"\\u{1B}.wav")
  }

  @Test func theShortestRecordingsHaveAPicture() throws {
    for seconds in 0...1 { _ = try read(recording(seconds: seconds)) }
    #expect(RecordingPlot(ReportRecording(file: "x", rate: 1, samples: 0..<0)) == nil)
  }
}
