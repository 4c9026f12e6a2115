import AnnotationsTestSupport
import TestSupport
import Testing

@testable import Annotations

@Suite struct TableFormatTests {
  private func read(
    _ records: [Record], _ separator: TableSeparator = .comma
  ) throws -> [[String]] {
    let dialect = separator == .comma ? "excel" : "excel-tab"
    let value = try Python.json(
      """
      import csv, io, json, sys
      text = sys.stdin.buffer.read().decode("utf-8")
      print(json.dumps(list(csv.reader(io.StringIO(text, newline=""), "\(dialect)", strict=True))))
      """, input: SampleRecords.write(records, TableFormat(separator: separator)))
    return try #require(value as? [[String]])
  }

  @Test func aHeaderThenOneLineForEachSpan() throws {
    #expect(
      try read(SampleRecords.recording("a.wav")) == [
        ["type", "file", "channel", "start", "end", "decided_at"],
        ["segment", "a.wav", "", "0.510", "2.340", "2.590"],
        ["muted_speech", "a.wav", "2", "0.600", "2.400", "2.650"],
        ["gap", "a.wav", "", "3.000", "3.100", "3.350"],
        ["segment", "a.wav", "2", "3600.000", "3661.007", "3661.257"],
      ])
  }

  @Test func tabsSeparateTheSameColumns() throws {
    let records = SampleRecords.recording("a, b.wav")
    #expect(try read(records, .tab) == read(records))
    let text = SampleRecords.write(records, AnnotationFormat.tsv.writer())
    let head = "type\tfile\tchannel\tstart\tend\tdecided_at\nsegment\ta, b.wav\t\t0.510\t"
    #expect(text.hasPrefix(head))
    #expect(!text.unicodeScalars.contains("\r"), "cut and awk take it for a part of the last field")
  }

  @Test(arguments: [TableSeparator.comma, .tab])
  func everyNameComesBack(separator: TableSeparator) throws {
    let rows = try read(
      SampleRecords.names.map { .segment(SampleRecords.span(file: $0, 0, 10)) }, separator)
    #expect(rows.dropFirst().map { $0[1] } == SampleRecords.names)
  }

  @Test func linesEndAsRFC4180Says() {
    let text = SampleRecords.write(
      [.segment(SampleRecords.span(0, 10))], AnnotationFormat.csv.writer())
    #expect(text.unicodeScalars.filter { $0 == "\r" }.count == 2)
    #expect(text.hasSuffix("0.260\r\n"))
  }
}
