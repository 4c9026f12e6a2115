import Annotations
import Foundation
import FoundationXML
import Testing

@testable import Charts

/// The picture of one recording: well-formed for an independent reader, and to scale.
@Suite struct RecordingPlotTests {
  /// A second of silence, then a second at half of full scale, with a segment over it.
  private func recording(named name: String = "a.wav", seconds: Int = 2) -> ReportRecording {
    var picture = ChannelPicture(rate: 8000, scale: PosteriorScale(onset: 0.8, offset: 0.4))
    for second in 0..<seconds {
      picture.add([Float](repeating: second == 1 ? 0.5 : 0, count: 8000).span)
      for _ in 0..<100 {
        picture.add(
          .init(posterior: second == 1 ? 1 : 0, levelDBFS: -20, noiseFloorDBFS: -60, isEcho: false))
      }
    }
    picture.finish()
    var recording = ReportRecording(file: name, rate: 8000, sampleCount: UInt64(seconds * 8000))
    recording.picture = picture
    if seconds > 1 {
      let (start, end) = (MediaTime(milliseconds: 1000), MediaTime(milliseconds: 2000))
      recording.segments = [
        SpanRecord(file: name, channel: nil, start: start, end: end, decidedAt: end)
      ]
    }
    return recording
  }

  private func parsed(_ recording: ReportRecording) throws -> XMLDocument {
    let text = try #require(RecordingPlot(recording)).text
    return try XMLDocument(xmlString: text)
  }

  private func nodes(_ path: String, in document: XMLDocument) throws -> [XMLElement] {
    try document.nodes(forXPath: path).compactMap { $0 as? XMLElement }
  }

  private func number(_ name: String, of element: XMLElement) throws -> Double {
    try #require(element.attribute(forName: name)?.stringValue.flatMap(Double.init))
  }

  @Test func aSegmentIsWhereItIs() throws {
    let document = try parsed(recording())
    let bars = try nodes("//*[local-name()='rect'][*[local-name()='title']]", in: document)
    #expect(bars.count == 2)
    for bar in bars {
      // The axis runs from 96 to 940.
      #expect(try number("x", of: bar) == 518)
      #expect(try number("width", of: bar) == 422)
    }
  }

  @Test func noCurveLeavesItsPanel() throws {
    let document = try parsed(recording())
    for shape in try nodes("//*[local-name()='polyline' or local-name()='polygon']", in: document) {
      let points = try #require(shape.attribute(forName: "points")?.stringValue)
      for point in points.split(separator: " ") {
        let place = point.split(separator: ",").compactMap { Double($0) }
        #expect((96...940) ~= place[0] && (35...330) ~= place[1], "\(point)")
      }
    }
  }

  @Test func namesAreText() throws {
    let name = "<b>&\"\u{1B}.wav"
    let document = try parsed(recording(named: name))
    let texts = try nodes("//*[local-name()='text']", in: document).compactMap(\.stringValue)
    #expect(texts.contains("<b>&\"\\u{1B}.wav"))
  }

  @Test func theShortestRecordingsHaveAPicture() throws {
    _ = try parsed(recording(seconds: 0))
    _ = try parsed(recording(seconds: 1))
    #expect(RecordingPlot(ReportRecording(file: "x", rate: 1, sampleCount: 0)) == nil)
  }
}
