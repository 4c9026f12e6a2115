import Foundation
import TestSupport
import Testing
import VirtualDeviceSupport

/// The output of every command matches docs/schemas member by member: a new or missing member fails here.
///
/// The validator is Python's `jsonschema`.
@Suite struct JSONSchemaTests {
  private let folder = TemporaryFolder()

  private static let schemas = URL(fileURLWithPath: TestAudio.samples)
    .deletingLastPathComponent().appendingPathComponent("docs/schemas").path

  /// A text that a schema describes, as a whole or line by line.
  private struct Sample: Encodable {
    var text: String
    var schema: String
    var isLines = false
  }

  /// Expects that the texts match their schemas. Each line, or the whole text, is checked again with an additional
  /// member, which the schema must refuse. To start the validator takes most of the time, so that it is started once.
  private func validate(
    _ samples: Sample..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let script = """
      import json, sys, warnings
      warnings.simplefilter("ignore")
      import jsonschema
      faults = []
      for sample in json.load(sys.stdin):
          body = json.load(open("\(Self.schemas)/" + sample["schema"]))
          jsonschema.Draft202012Validator.check_schema(body)
          validator = jsonschema.Draft202012Validator(body)
          text = sample["text"]
          documents = [json.loads(part) for part in (text.splitlines() if sample["isLines"] else [text])]
          if not documents: faults.append("nothing was printed for " + sample["schema"])
          for document in documents:
              faults += [error.json_path + ": " + error.message[:300] for error in validator.iter_errors(document)]
              if validator.is_valid(dict(document, unheard_of=1)):
                  faults.append(sample["schema"] + " accepts a new member")
      print(json.dumps(faults))
      """
    let input = String(decoding: try JSONEncoder().encode(samples), as: UTF8.self)
    let faults = try Python.json(script, input: input) as? [String]
    #expect(faults == [], sourceLocation: sourceLocation)
  }

  private func vadmon(
    _ arguments: [String], status: Int32 = 0, in world: SoundWorld? = nil
  ) throws -> String {
    let result = try world?.vadmon(arguments) ?? Program.vadmon(arguments)
    #expect(result.status == status, "\(result.errors)")
    return result.output
  }

  /// Returns inputs that give a segment, muted speech, a gap and a warning, and inputs that cannot be read.
  private func inputs() throws -> [String] {
    let text = try folder.write("no audio\n", to: "text.wav")
    var infinite = TestAudio.utterance()
    infinite[0] = .infinity
    let odd = try folder.write(
      TestAudio.wav(TestAudio.float32(infinite), bits: 32, isFloat: true), to: "odd.wav")
    return [TestAudio.samples + "/stereo-48k.flac", odd, text, folder / "missing.wav"]
  }

  @Test(arguments: [
    [], ["--channel", "each", "--mute-timeline", "0-1,2-"],
    ["--channel", "any", "--muted"], ["--muted"],
    ["--reference-channel", "2"], ["--invert", "--channel", "any"],
  ])
  func analyzePrintsWhatItsSchemasSay(arguments: [String]) throws {
    let run = ["analyze"] + arguments + (try inputs())
    let document = try vadmon(run + ["--format", "json"], status: 65)
    var lines = ""
    for format in ["jsonl", "file-jsonl"] {
      let found = try vadmon(run + ["--format", format], status: 65)
      #expect(found.contains("\"segment_count\"") && !found.contains("\"segments\""))
      lines += found
    }
    let settings = try vadmon(["analyze", "--show-config", "--format", "json"] + arguments)
    for format in ["jsonl", "file-jsonl"] {
      let line = try vadmon(["analyze", "--show-config", "--format", format] + arguments)
      #expect(line.hasPrefix("{\"type\": \"config\", ") && line.hasSuffix("}\n"))
      lines += line
    }
    try validate(
      Sample(text: document, schema: "analyze.json"),
      Sample(text: settings, schema: "analyze-config.json"),
      Sample(text: lines, schema: "analyze-lines.json", isLines: true))
  }

  @Test func savedSegmentsAreInTheSchemas() throws {
    let run = ["analyze", TestAudio.samples + "/speech.flac", "--split", "2s", "--force"]
    let texts = try ["json", "jsonl"].map { format in
      try vadmon(run + ["--save-segments", folder / "saved", "--format", format])
    }
    #expect(texts.allSatisfy { $0.contains("\"saved\"") })
    try validate(
      Sample(text: texts[0], schema: "analyze.json"),
      Sample(text: texts[1], schema: "analyze-lines.json", isLines: true))
  }

  /// One schema and a validator must be sufficient.
  @Test func everySchemaStandsAlone() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.schemas)
    #expect(names.count == 9)
    for name in names {
      let text = try String(contentsOfFile: Self.schemas + "/" + name, encoding: .utf8)
      let references = text.ranges(of: ##""$ref": "##).count
      #expect(references == text.ranges(of: ##""$ref": "#/$defs/"##).count, "\(name)")
      let id = "urn:vadmon:schema:" + name.dropLast(".json".count)
      #expect(text.contains("\"$id\": \"\(id)\""), "\(name)")
      try FileManager.default.copyItem(
        atPath: Self.schemas + "/" + name, toPath: folder / name)
    }
    try folder.write(
      try vadmon(["analyze", "--show-config", "--format", "json"]), to: "good/config.json")
    try folder.write("{\"generator\": \"vadmon 1\"}", to: "bad/config.json")
    for (result, isValid) in [("good", true), ("bad", false)] {
      let status = try Program.shell(
        "python3 -W ignore -m jsonschema -i \"$1/config.json\" analyze-config.json", result,
        in: folder
      ).status
      #expect((status == 0) == isValid, "\(result)")
    }
  }

  /// Definitions that several schemas share are the same in each.
  @Test func sharedDefinitionsAgree() throws {
    let shared = [
      "seconds", "probability", "generator", "file_name", "place", "problem", "detector_settings",
    ]
    var known: [String: NSDictionary] = [:]
    var count = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.schemas) {
      let schema = try String(contentsOfFile: Self.schemas + "/" + name, encoding: .utf8).jsonObject
      let definitions = try #require(schema["$defs"] as? [String: NSDictionary])
      for (key, definition) in definitions where shared.contains(key) {
        #expect(known[key, default: definition] == definition, "\(key) of \(name)")
        known[key] = definition
        count += 1
      }
    }
    #expect(known.count == shared.count && count > known.count)
  }

  @Test(arguments: ["f1", "false-alarms=0.02", "latency=100ms"])
  func tunePrintsWhatItsSchemaSays(objective: String) throws {
    let samples = TestAudio.samples
    let run = ["tune", samples, samples, "--format", "json", "--for", objective]
    try validate(Sample(text: vadmon(run), schema: "tune.json"))
  }

  @Test(arguments: [[], [TestAudio.samples + "/speech.flac"]])
  func benchPrintsWhatItsSchemaSays(recording: [String]) throws {
    let run = ["bench", "--seconds", "1", "--format", "json"] + recording
    try validate(Sample(text: vadmon(run), schema: "bench.json"))
  }

  @Test func comparePrintsWhatItsSchemaSays() throws {
    let frames = folder / "frames"
    _ = try vadmon(["analyze", TestAudio.samples, "--frames", frames, "--quiet"])
    for path in ["a/speech.txt", "b/keyboard.txt"] {
      let name = path.split(separator: "/")[1]
      let text = try String(contentsOfFile: TestAudio.samples + "/\(name)", encoding: .utf8)
      try folder.write(text, to: "labels/" + path)
      let table = name.replacingOccurrences(of: ".txt", with: ".csv")
      try folder.write(folder.data(of: "frames/\(table)"), to: "few/\(table)")
    }
    let labels = TestAudio.samples + "/speech.txt"
    for (arguments, status) in [
      ([labels, labels], 0),
      ([folder / "labels", folder / "few", "--reliability", "--against", folder / "few"], 0),
      ([folder / "labels", folder / "few", "--min", "auc=2", "--max", "eer=1"], 1),
    ] as [([String], Int32)] {
      let document = try vadmon(
        ["compare", "--quiet", "--format", "json"] + arguments, status: status)
      try validate(Sample(text: document, schema: "compare.json"))
    }
  }

  @Test(arguments: ["falling-line", "opted-out", "speaker-change"])
  func pausePrintsWhatItsSchemaSays(trace: String) throws {
    let lines = try vadmon(["pause", TestAudio.samples + "/traces/\(trace).jsonl", "--quiet"])
    try validate(Sample(text: lines, schema: "pause-lines.json", isLines: true))
  }

  @Test func refusedLayoutsAreInTheSchema() throws {
    let trace = try folder.write(
      """
      {"at": 0, "type": "tick"}
      {"at": 1, "type": "layout", "layout": "gallery"}
      """, to: "call.jsonl")
    let lines = try vadmon(["pause", trace, "--quiet"])
    #expect(lines.contains("\"answer\""))
    try validate(Sample(text: lines, schema: "pause-lines.json", isLines: true))
  }

  /// Returns a world with a free microphone and one in use.
  private func world(_ description: String) throws -> SoundWorld {
    var world = try SoundWorld()
    try world.add("mic", description)
    try world.add("taken", "refuse EBUSY")
    return world
  }

  @Test func devicesPrintsWhatItsSchemaSays() throws {
    let document = try vadmon(
      ["devices", "--json", "--all"], in: try world("rate 16000 48000"))
    #expect(document.contains("\"sample_rates\"") && document.contains("\"reason\""))
    try validate(Sample(text: document, schema: "devices.json"))
  }

  @Test func livePrintsWhatItsSchemaSays() throws {
    let folder = TemporaryFolder()
    let lines = try vadmon([
      "live", "--input", TestAudio.samples + "/muted-talk.flac", "--muted", "--json", "--levels",
      "10", "--duration", "3s", "--quiet", "--on-event", "sleep", "--on-event-argument", "1000",
      "--save-segments", folder / "saved",
    ])
    try validate(Sample(text: lines, schema: "live-lines.json", isLines: true))
    let settings = try vadmon(["live", "--show-config", "--json"])
    try validate(Sample(text: settings, schema: "live-lines.json", isLines: true))
    for type in [
      "config", "onset", "offset", "muted_speech", "segment", "health", "level", "dropped", "file",
    ] {
      #expect(lines.contains("{\"type\": \"\(type)\""), "\(type)")
    }
  }

  @Test func liveOnADeviceThatComesAndGoesPrintsWhatItsSchemaSays() throws {
    let speech = TestAudio.samples + "/speech.flac"
    let lines = try vadmon(
      ["live", "--device", "mic", "--json", "--duration", "4s", "--rate", "16000", "--quiet"],
      in: try world("rate 16000\nsound \(speech)\nat 16000 gone 16000"))
    #expect(lines.contains("{\"type\": \"device\"") && lines.contains("{\"type\": \"gap\""))
    try validate(Sample(text: lines, schema: "live-lines.json", isLines: true))
    let failed = try vadmon(["live", "--device", "taken", "--json"], status: 69)
    if !failed.isEmpty {
      try validate(Sample(text: failed, schema: "live-lines.json", isLines: true))
    }
  }
}
