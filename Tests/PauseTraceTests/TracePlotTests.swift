import Annotations
import Charts
import TestSupport
import Testing
import VideoPause

@testable import PauseTrace

/// The picture: well-formed for an independent reader, and to scale.
@Suite struct TracePlotTests {
  private func replay(_ name: String) throws -> PlayedTrace {
    try PlayedTrace([
      #"{"type": "config", "tolerated_queue_ms": 0, "tolerated_outage_ms": 0}"#,
      #"{"at": 10, "type": "stream", "participant": \#(JSONValue.string(name).text), "layers": [{"spatial": 0, "width": 320, "height": 180, "bps": 150000}]}"#,
      #"{"at": 10, "type": "estimate", "bps": 400000}"#,
      #"{"at": 14, "type": "estimate", "bps": 0}"#,
      #"{"at": 20, "type": "tick"}"#,
    ])
  }

  /// Prints the tips of the bars, with fill, position and width, as read by Python's XML reader.
  private static let reader = """
    import json, sys, xml.etree.ElementTree as tree
    svg = '{http://www.w3.org/2000/svg}'
    root = tree.fromstring(sys.stdin.buffer.read())
    bars = [[r.find(svg + 'title').text, r.get('fill'), float(r.get('x')), float(r.get('width'))]
            for r in root.iter(svg + 'rect') if r.find(svg + 'title') is not None]
    print(json.dumps({'bars': bars, 'title': root.find(svg + 'title').text,
                      'areas': len(list(root.iter(svg + 'polygon')))}))
    """

  private func read(_ text: String) throws -> (title: String, areas: Int, bars: [[Any]]) {
    let value = try #require(Python.json(Self.reader, input: text) as? [String: Any])
    return (
      value["title"] as? String ?? "", value["areas"] as? Int ?? 0, value["bars"] as? [[Any]] ?? []
    )
  }

  /// Each bar is as long as its stretch lasted.
  @Test func aLaneHasABarForEachStretch() throws {
    let picture = try read(TracePlot(name: "call", states: replay("alice").states).text)
    #expect(picture.areas == 1)
    // The first bar belongs to the legend. 800 pixels are 10 s.
    let bars = picture.bars.dropFirst().map { bar in
      "\(bar[0]) | \(bar[1]) | \(bar[2]) | \(bar[3])"
    }
    #expect(
      bars == [
        "alice/video 10.000 – 14.000 s: forwarded | #0072b2 | 130.0 | 320.0",
        "alice/video 14.000 – 20.000 s: bandwidth | #d55e00 | 450.0 | 480.0",
      ])
  }

  /// Ticks of a call of an hour, from 10 s on; one that counts from 1970 keeps its seconds.
  @Test func aLongCallHasMinutes() throws {
    let call = { (start: Int, end: Int) in
      try TracePlot(
        name: "call",
        states: PlayedTrace([
          #"{"at": \#(start), "type": "estimate", "bps": 400000}"#,
          #"{"at": \#(end), "type": "tick"}"#,
        ]).states
      ).text
    }
    let hour = try call(10, 3610)
    for text in ["15:00", "45:00", "1:00:00", "h:min:s"] { #expect(hour.contains(">\(text)<")) }
    #expect(!hour.contains(">2000<"))
    #expect(try call(1_700_000_000, 1_700_003_600).contains(">1700001000<"))
    #expect(try call(0, 100).contains(">100<"))
  }

  @Test func anyNameGivesAWellFormedPicture() throws {
    let name = "<&>\"'\u{1}\u{1B}[31m\u{FFFF}é😀"
    let picture = try read(TracePlot(name: name, states: replay(name).states).text)
    #expect(picture.title.contains("<&>\"'") && picture.title.contains("é😀"))
    #expect(!picture.title.unicodeScalars.contains("\u{1B}"))
    #expect(picture.bars.count == 3)
  }

  @Test func aSingleMomentAndAnEmptyCallAreDrawn() throws {
    let one = try replay("alice").states.prefix(1)
    #expect(try read(TracePlot(name: "one", states: Array(one)).text).areas == 1)
    #expect(try read(TracePlot(name: "none", states: []).text).areas == 0)
  }

  @Test(
    arguments: [
      (0, 10, [0, 2, 4, 6, 8, 10], "4"), (0, 3_000, [0, 1_000, 2_000, 3_000], "1000"),
      (3, 4, [3, 3.2, 3.4, 3.6, 3.8, 4], "3.2"),
      (0, 0.01, [0, 0.002, 0.004, 0.006, 0.008, 0.01], "0.002"),
    ] as [(Double, Double, [Double], String)])
  func anAxisHasAboutFiveRoundTicks(
    _ row: (start: Double, end: Double, ticks: [Double], label: String)
  ) {
    let axis = PlotAxis(from: row.start, to: row.end, pixels: 100, 0)
    #expect(axis.ticks.count == row.ticks.count)
    for (tick, expected) in zip(axis.ticks, row.ticks) { #expect(abs(tick - expected) < 1e-9) }
    #expect(axis.ticks.map(axis.label).contains(row.label))
    #expect(axis.pixel(row.start) == 100 && axis.pixel(row.end) == 0)
  }

  @Test func longNamesAreShortenedBesideALane() {
    #expect(PlotBar.shortened("123456789012345678") == "123456789012345678")
    #expect(PlotBar.shortened("1234567890123456789") == "12345678901234567…")
  }
}
