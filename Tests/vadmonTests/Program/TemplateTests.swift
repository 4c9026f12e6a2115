import Foundation
import TestSupport
import Testing

/// `--template`: a line of the user's own for each segment.
@Suite struct TemplateTests {
  private static let sample = TestAudio.samples + "/muted-talk.flac"

  @Test func linesHaveWhatJSONHas() throws {
    let records = try Program.analyze(Self.sample, "--muted", "--format", "jsonl").records
    for (template, types) in [
      (#"{start_ms}\t{end_ms}"#, ["segment"]),
      (#"{start_ms}\t{end_ms}{kind}"#, ["segment", "muted_speech"]),
    ] {
      let expected = records.compactMap { record -> String? in
        guard let type = record.type, types.contains(type),
          let start = record["start"] as? Double, let end = record["end"] as? Double
        else { return nil }
        let times = "\(Int((start * 1000).rounded()))\t\(Int((end * 1000).rounded()))"
        return times + (types.count > 1 ? type : "")
      }
      #expect(expected.count >= 3)
      let result = try Program.analyze(Self.sample, "--muted", "--template", template)
      #expect(result.lines == expected && result.status == 0)
    }
  }

  @Test func escapesAndBracesAreText() throws {
    let result = try Program.analyze(Self.sample, "--template", #"-{{{index}}}\\n{stem}\n"#)
    #expect(result.output == (1...3).map { "-{\($0)}\\nmuted-talk\n\n" }.joined())
  }

  @Test(arguments: [
    (
      "{strt}",
      "--template cannot be '{strt}': there is no {strt}; did you mean {start}? Others are {f"
    ),
    ("{}", "there is no {}; the placeholders are {file} {stem} {kind} {index}"),
    ("{file", "a } is missing; write {{ for a brace"),
    ("file}", "a } has no { before it; write }} for a brace"),
    (#"\q"#, #"write \n, \t, or \\ for a backslash"#),
    (#"{file}\"#, #"write \n, \t, or \\ for a backslash"#),
  ])
  func wrongTemplatesAreRefused(row: (template: String, message: String)) throws {
    let result = try Program.analyze(Self.sample, "--template", row.template)
    #expect(result.status == 64 && result.output.isEmpty)
    #expect(result.errors.contains(row.message), "\(result.errors)")
  }

  @Test func aTemplateReplacesTheFormat() throws {
    let result = try Program.analyze(Self.sample, "--template", "x", "--format", "text")
    #expect(result.status == 64)
    expectMessage(result.errors, "--format", "--template")
  }
}
