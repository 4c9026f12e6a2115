import Foundation
import TestSupport
import Testing
import VirtualDeviceSupport

/// The output of every command matches docs/schemas member by member: a new or missing member fails here.
///
/// The validator is Python's `jsonschema`.
@Suite struct JSONSchemaTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let schemas = URL(fileURLWithPath: TestAudio.samples)
    .deletingLastPathComponent().appendingPathComponent("docs/schemas").path

  /// Returns the faults of a text under a schema, as a whole or line by line. Each line, or the whole text, is checked
  /// again with an additional member, which the schema must refuse.
  private func faults(
    _ text: String, _ schema: String, isLines: Bool = false
  ) throws -> [String] {
    let script = """
      import json, sys, warnings
      warnings.simplefilter("ignore")
      import jsonschema
      body = json.load(open("\(Self.schemas)/\(schema)"))
      jsonschema.Draft202012Validator.check_schema(body)
      validator = jsonschema.Draft202012Validator(body)
      text = sys.stdin.read()
      documents = [json.loads(part) for part in (text.splitlines() if \(isLines ? "True" : "False") else [text])]
      faults = [] if documents else ["nothing was printed"]
      for document in documents:
          faults += [error.json_path + ": " + error.message[:300] for error in validator.iter_errors(document)]
          if validator.is_valid(dict(document, unheard_of=1)): faults.append("a new member is accepted")
      print(json.dumps(faults))
      """
    return try #require(try Python.json(script, input: text) as? [String])
  }

  private func vadmon(
    _ arguments: [String], status: Int32 = 0, environment: [String: String] = [:]
  ) throws -> String {
    let result = try Program.run([Program.path] + arguments, environment: environment)
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
    #expect(try faults(document, "analyze.json") == [])
    for format in ["jsonl", "file-jsonl"] {
      let lines = try vadmon(run + ["--format", format], status: 65)
      #expect(try faults(lines, "analyze-lines.json", isLines: true) == [])
      #expect(lines.contains("\"segment_count\"") && !lines.contains("\"segments\""))
    }
    let settings = try vadmon(["analyze", "--show-config", "--format", "json"] + arguments)
    #expect(try faults(settings, "analyze-config.json") == [])
    for format in ["jsonl", "file-jsonl"] {
      let line = try vadmon(["analyze", "--show-config", "--format", format] + arguments)
      #expect(line.hasPrefix("{\"type\": \"config\", ") && line.hasSuffix("}\n"))
      #expect(try faults(line, "analyze-lines.json", isLines: true) == [])
    }
  }

  @Test func savedSegmentsAreInTheSchemas() throws {
    let run = ["analyze", TestAudio.samples + "/speech.flac", "--split", "2s", "--force"]
    for (format, schema) in [("json", "analyze.json"), ("jsonl", "analyze-lines.json")] {
      let text = try vadmon(run + ["--save-segments", folder / "saved", "--format", format])
      #expect(text.contains("\"saved\""))
      #expect(try faults(text, schema, isLines: format == "jsonl") == [])
    }
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
        "cd \"$1\" && python3 -W ignore -m jsonschema -i \"$2/config.json\" analyze-config.json",
        folder.path, result
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
      let data = try Data(contentsOf: URL(fileURLWithPath: Self.schemas + "/" + name))
      let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
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
    #expect(try faults(vadmon(run), "tune.json") == [])
  }

  @Test(arguments: [[], [TestAudio.samples + "/speech.flac"]])
  func benchPrintsWhatItsSchemaSays(recording: [String]) throws {
    let run = ["bench", "--seconds", "1", "--format", "json"] + recording
    #expect(try faults(vadmon(run), "bench.json") == [])
  }

  @Test func comparePrintsWhatItsSchemaSays() throws {
    let frames = folder / "frames"
    _ = try vadmon(["analyze", TestAudio.samples, "--frames", frames, "--quiet"])
    for path in ["a/speech.txt", "b/keyboard.txt"] {
      let name = path.split(separator: "/")[1]
      let text = try String(contentsOfFile: TestAudio.samples + "/\(name)", encoding: .utf8)
      try folder.write(text, to: "labels/" + path)
      try FileManager.default.createDirectory(
        atPath: folder / "few", withIntermediateDirectories: true)
      let table = name.replacingOccurrences(of: ".txt", with: ".csv")
      try FileManager.default.copyItem(
        atPath: frames + "/" + table, toPath: folder / "few/\(table)")
    }
    let labels = TestAudio.samples + "/speech.txt"
    for (arguments, status) in [
      ([labels, labels], 0),
      ([folder / "labels", folder / "few", "--reliability", "--against", folder / "few"], 0),
      ([folder / "labels", folder / "few", "--min", "auc=2", "--max", "eer=1"], 1),
    ] as [([String], Int32)] {
      let document = try vadmon(
        ["compare", "--quiet", "--format", "json"] + arguments, status: status)
      #expect(try faults(document, "compare.json") == [])
    }
  }

  @Test(arguments: ["falling-line", "opted-out", "speaker-change"])
  func pausePrintsWhatItsSchemaSays(trace: String) throws {
    let lines = try vadmon(["pause", TestAudio.samples + "/traces/\(trace).jsonl", "--quiet"])
    #expect(try faults(lines, "pause-lines.json", isLines: true) == [])
  }

  @Test func refusedLayoutsAreInTheSchema() throws {
    let trace = try folder.write(
      """
      {"at": 0, "type": "tick"}
      {"at": 1, "type": "layout", "layout": "gallery"}
      """, to: "call.jsonl")
    let lines = try vadmon(["pause", trace, "--quiet"])
    #expect(lines.contains("\"answer\""))
    #expect(try faults(lines, "pause-lines.json", isLines: true) == [])
  }

  /// Returns an environment in which ALSA has a free microphone and one in use.
  private func world(_ description: String) throws -> [String: String] {
    let microphone = try TestDevice(description + "\n").path
    let taken = try TestDevice("refuse EBUSY\n").path
    let devices = [("mic", microphone), ("taken", taken)].map { name, path in
      "pcm.\(name) { type virtual file \"\(path)\" hint { show on description \"A microphone\" } }"
    }
    let lines = [try VirtualDriver.configurationLine] + devices
    let configuration = try folder.write(lines.joined(separator: "\n"), to: "asound.conf")
    return ["ALSA_CONFIG_PATH": configuration]
  }

  @Test func devicesPrintsWhatItsSchemaSays() throws {
    let document = try vadmon(
      ["devices", "--json", "--all"], environment: try world("rate 16000 48000"))
    #expect(document.contains("\"sample_rates\"") && document.contains("\"reason\""))
    #expect(try faults(document, "devices.json") == [])
  }

  @Test func livePrintsWhatItsSchemaSays() throws {
    let folder = try TemporaryFolder()
    let lines = try vadmon([
      "live", "--input", TestAudio.samples + "/muted-talk.flac", "--muted", "--json", "--levels",
      "10", "--duration", "3s", "--quiet", "--on-event", "sleep", "--on-event-argument", "1000",
      "--save-segments", folder / "saved",
    ])
    #expect(try faults(lines, "live-lines.json", isLines: true) == [])
    let settings = try vadmon(["live", "--show-config", "--json"])
    #expect(try faults(settings, "live-lines.json", isLines: true) == [])
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
      environment: try world("rate 16000\nsound \(speech)\nat 16000 gone 16000"))
    #expect(lines.contains("{\"type\": \"device\"") && lines.contains("{\"type\": \"gap\""))
    #expect(try faults(lines, "live-lines.json", isLines: true) == [])
    let failed = try vadmon(["live", "--device", "taken", "--json"], status: 69)
    #expect(try failed.isEmpty || faults(failed, "live-lines.json", isLines: true) == [])
  }
}
