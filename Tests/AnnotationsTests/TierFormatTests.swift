import AnnotationsTestSupport
import TestSupport
import Testing

@testable import Annotations

/// TextGrids and EAFs. `make exports` reads those of real recordings with Praat and with pympi.
@Suite struct TierFormatTests {
  private func write(
    _ records: [Record], _ format: AnnotationFormat, channel: String = "mix"
  ) -> String {
    var format = format.writer()
    var text = ""
    let run = RunConfiguration(
      generator: "vadmon 1.2.3", lookahead: .zero,
      settings: [.init(name: "channel", json: .string(channel))])
    format.begin(run, into: &text)
    for record in records { format.write(record, into: &text) }
    format.end(into: &text)
    return text
  }

  private func file(
    _ name: String = "a.wav", milliseconds: UInt64 = 4000, analysed: Int = 1
  ) -> Record {
    var file = SampleRecords.file(name)
    (file.duration, file.analysedChannels) = (MediaTime(milliseconds: milliseconds), analysed)
    return .file(file)
  }

  /// Returns `xmin`, `xmax` and `text` of each interval, by tier.
  private func tiers(_ grid: String) -> [String: [String]] {
    var (tiers, tier): ([String: [String]], String) = ([:], "")
    var values: [Substring] = []
    for line in grid.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let value = parts[1].trimmingPrefix(" ")
      switch parts[0].filter({ $0 != " " }) {
      case "name":
        tier = String(value)
        tiers[tier] = []
      case "xmin": values = [value]
      case "xmax": values.append(value)
      case "text":
        tiers[tier]?.append((values + [value]).joined(separator: " "))
      default: break
      }
    }
    return tiers
  }

  @Test func intervalsCoverTheWholeRecording() {
    let grid = write(
      [
        SampleRecords.input("a.wav"), .segment(SampleRecords.span(0, 1000)),
        .mutedSpeech(SampleRecords.span(510, 4000)), .segment(SampleRecords.span(1000, 1001)),
        .segment(SampleRecords.span(2000, 3999)), .gap(SampleRecords.span(3000, 3500)), file(),
      ], .textGrid)
    #expect(grid.hasPrefix("File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n"))
    #expect(grid.contains("xmin = 0\nxmax = 4.000\ntiers? <exists>\nsize = 2\n"))
    #expect(
      tiers(grid) == [
        "\"speech\"": [
          "0.000 1.000 \"speech\"", "1.000 1.001 \"speech\"", "1.001 2.000 \"\"",
          "2.000 3.999 \"speech\"", "3.999 4.000 \"\"",
        ],
        "\"speaking while muted\"": [
          "0.000 0.510 \"\"", "0.510 4.000 \"speaking while muted\"",
        ],
      ])
  }

  @Test func eachAnalysedChannelHasATier() {
    let spans: [Record] = [.segment(SampleRecords.span(channel: 2, 1000, 2000))]
    let each = tiers(write(spans + [file(analysed: 3)], .textGrid, channel: "each"))
    #expect(
      each.mapValues(\.count)
        == ["\"speech (channel 1)\"": 1, "\"speech (channel 2)\"": 3, "\"speech (channel 3)\"": 1])
    let second = tiers(write([file()], .textGrid, channel: "2"))
    #expect(second == ["\"speech (channel 2)\"": ["0.000 4.000 \"\""]])
  }

  @Test func anEmptyRecordingHasOneIntervalAndAnUnreadOneNoText() {
    let empty = write([SampleRecords.input("a.wav"), file(milliseconds: 0)], .textGrid)
    #expect(tiers(empty) == ["\"speech\"": ["0.000 0.000 \"\""]])
    let failed = ErrorRecord(file: "a.wav", message: "a.wav: no such file", exitCode: 66)
    #expect(write([.error(failed)], .textGrid) == "")
    #expect(write([.error(failed)], .eaf) == "")
  }

  @Test func spansInAnEAFHaveSlotsOfTheirOwn() throws {
    let text = write(
      [
        .segment(SampleRecords.span(1000, 2000)), .mutedSpeech(SampleRecords.span(500, 2400)),
        .segment(SampleRecords.span(2000, 3_600_001)), file(),
      ], .eaf)
    let found = try Python.json(
      """
      import json, sys, xml.etree.ElementTree as tree
      root = tree.fromstring(sys.stdin.buffer.read())
      slots = [(slot.get("TIME_SLOT_ID"), int(slot.get("TIME_VALUE"))) for slot in root.iter("TIME_SLOT")]
      assert [time for _, time in slots] == sorted(time for _, time in slots)
      used = [a.get(f"TIME_SLOT_REF{end}") for a in root.iter("ALIGNABLE_ANNOTATION") for end in "12"]
      assert sorted(used) == sorted(name for name, _ in slots) and len(set(used)) == len(used)
      time = dict(slots)
      print(json.dumps([[tier.get("TIER_ID"), time[a.get("TIME_SLOT_REF1")], time[a.get("TIME_SLOT_REF2")],
          a.findtext("ANNOTATION_VALUE"), a.get("ANNOTATION_ID")] for tier in root.iter("TIER")
          for a in tier.iter("ALIGNABLE_ANNOTATION")]))
      """, input: text)
    let values = try #require(found as? [[Any]])
    let rows = values.map { row in row.map { "\($0)" } }
    #expect(
      rows == [
        ["speech", "1000", "2000", "speech", "a1"],
        ["speech", "2000", "3600001", "speech", "a2"],
        ["speaking while muted", "500", "2400", "speaking while muted", "a3"],
      ])
  }

  /// Any name is a legal URL that gives the name back.
  @Test func anEAFNamesItsRecording() throws {
    for name in SampleRecords.names + ["/tmp/a&<b>.wav", "a%20b.wav"] {
      let url = try Python.json(
        """
        import json, sys, urllib.parse, xml.etree.ElementTree as tree
        media = tree.fromstring(sys.stdin.buffer.read()).find("HEADER/MEDIA_DESCRIPTOR")
        print(json.dumps(urllib.parse.unquote(media.get("RELATIVE_MEDIA_URL"), errors="strict")))
        """, input: write([file(name)], .eaf))
      #expect(url as? String == (name.hasPrefix("/") ? "file://" : "./") + name)
    }
    #expect(!write([file("-")], .eaf).contains("MEDIA_DESCRIPTOR"))
  }
}
