import Foundation
import TestSupport
import Testing

/// `vadmon tune` as users run it.
@Suite struct TuneTests {
  private let folder = TemporaryFolder()

  private func tune(_ arguments: String...) throws -> Program.Result {
    try Program.vadmon(["tune"] + arguments)
  }

  private func object(_ result: Program.Result) throws -> JSONObject {
    #expect(result.status == 0, "\(result.errors)")
    return try result.json
  }

  private static let figures = ["f1", "precision", "recall", "false_alarm_rate", "onset_p50_ms"]

  /// Two recordings that agree do so by chance in one case of two.
  @Test func aFewRecordingsShowNoGain() throws {
    for name in ["speech", "stereo-48k"] {
      for ending in ["flac", "txt"] {
        let path = "\(TestAudio.samples)/\(name).\(ending)"
        try folder.write(
          try Data(contentsOf: URL(fileURLWithPath: path)), to: "few/\(name).\(ending)")
      }
    }
    let result = try tune(folder / "few", folder / "few", "--for", "f1")
    #expect(result.status == 0)
    let verdict = result.lines[result.lines.count - 2]
    #expect(
      verdict.contains("2 recordings are too few to tell a gain from chance")
        || verdict.hasPrefix("Nothing better was found"), "\(verdict)")
    #expect(verdict.contains("keep the defaults"))
  }

  /// The labels are an aligner's, with marks of its own.
  @Test func labelsOfSilenceAreToldFromSpeech() throws {
    for name in ["a", "b"] {
      try folder.write(
        TestAudio.wav([Float](repeating: 0, count: 6 * 16_000)), to: "sound/\(name).wav")
      try folder.write("0\t1\tpau\n1\t2\tword\n2\t6\t<gap>\n", to: "labels/\(name).txt")
    }
    try folder.write("0\t6\tword\n", to: "labels/a.txt")
    let run = { (options: [String]) in
      try Program.vadmon(
        ["tune", folder / "sound", folder / "labels", "--for", "f1", "--format", "json"] + options)
    }
    let plain = try run([])
    #expect(
      plain.errors.contains("the labels of a cover 100.0 % of it: if some"), "\(plain.errors)")
    let options = try run(["--silence", "WORD"])
    #expect(options.status == 65 && options.errors.contains("labelled in one recording only"))
    let result = try object(try run(["--silence", "<gap>"]))
    #expect(try result.object("config")["silence"] as? [String] == ["<gap>"])
    #expect((result["warnings"] as? [String])?.count == 1, "of a")
  }

  /// Silence cannot stand for a recording, whose sound is what `tune` reads; it can for labels.
  @Test func labelsWithoutTheirRecordingCannotBeSilence() throws {
    for name in ["a", "b", "c"] { try folder.write("0\t1\tx\n", to: "labels/\(name).txt") }
    try folder.write(TestAudio.wav(TestAudio.utterance()), to: "sound/a.wav")
    let run = [folder / "sound", folder / "labels", "--for", "f1"]
    for options in [[], ["--missing-is-silence"]] {
      let result = try Program.vadmon(["tune"] + run + options)
      #expect(result.status == 66 && !result.errors.contains("--missing-is-silence"))
      let messages = result.messages
      try #require(messages.count == 2, "\(result.errors)")
      for (message, name) in zip(messages, ["b", "c"]) {
        expectMessage(message, "\(name), of", "add the recording, or leave its labels out")
      }
    }
    try folder.write(TestAudio.wav(TestAudio.utterance()), to: "more/d.wav")
    let labels = try tune(folder / "more", folder / "labels/a.txt", "--for", "f1")
    #expect(labels.status == 66 && labels.errors.contains("use --missing-is-silence"))
  }

  @Test func nothingThatIsReadIsReplaced() throws {
    for name in ["a", "b"] {
      try folder.write(TestAudio.wav(TestAudio.utterance()), to: "sound/\(name).wav")
      try folder.write("0.5\t1\tspeech\n", to: "labels/\(name).txt")
    }
    let run = { (file: String) in
      try Program.vadmon(
        "tune", folder / "sound", folder / "labels", "--for", "f1", "--write-config", folder / file)
    }
    for file in ["labels/a.txt", "sound/b.wav"] {
      let result = try run(file)
      #expect(result.status == 64 && result.errors.contains("would replace"), "\(result.errors)")
      #expect(result.output.isEmpty)
    }
    #expect(try folder.text(of: "labels/a.txt") == "0.5\t1\tspeech\n")
    let own = try folder.write("{\"pad_ms\": 3}", to: "vadmon/config.json")
    let again = try Program.vadmon(
      "tune", folder / "sound", folder / "labels", "--for", "f1", "--write-config", own,
      environment: ["XDG_CONFIG_HOME": folder.path])
    #expect(again.status == 64)
    expectMessage(again.errors, "would replace \(own)", "add --no-config")
    let missing = try run("none/c.json")
    #expect(missing.status == 74 && missing.output.isEmpty, "before the search")
    #expect(missing.errors.contains("its folder does not exist"))
  }

  /// The settings that it began with score what `compare` finds in the output of `analyze`.
  @Test(arguments: ["f1", "latency=60ms"]) func figuresAreThoseOfCompare(objective: String) throws {
    let isLive = objective != "f1"
    let start = ["--hangover", "150ms", "--onset-threshold", "0.7"]
    let tuned = try object(
      Program.vadmon(
        ["tune", TestAudio.samples, TestAudio.samples, "--for", objective, "--format", "json"]
          + start))
    let frames = folder / "frames"
    let analyzed = try Program.analyze(
      [TestAudio.samples, "--frames", frames, "--quiet"] + start + (isLive ? ["--live"] : []))
    #expect(analyzed.status == 0)
    let compared = try object(
      Program.vadmon(
        ["compare", TestAudio.samples, frames, "--format", "json"]
          + (isLive ? ["--shift", "30ms"] : [])))
    let heldOut = try tuned.object("held_out")
    let before = try heldOut.object("began_with")
    let pooled = try compared.object("pooled")
    for figure in Self.figures {
      #expect(before[figure] as? Double == pooled[figure] as? Double, "\(figure)")
    }
    #expect(heldOut["duration"] as? Double == pooled["duration"] as? Double)
  }

  /// The tuned settings as options give the tuned figures: those of all recordings, not held out.
  @Test func theConfigurationIsWhatIsAdvised() throws {
    try folder.write("{\"muted\": true, \"hangover_ms\": 10, \"min_speech_ms\": 20}", to: "a.json")
    let result = try tune(
      TestAudio.samples, TestAudio.samples, "--for", "f1", "--config", folder / "a.json",
      "--min-silence", "90ms", "--onset-threshold", "0.97", "--write-config", folder / "b.json")
    #expect(result.status == 0, "\(result.errors)")
    let options = try #require(result.lines.last).split(separator: " ").map(String.init)
    #expect(options.count == 8 && options[0] == "--onset-threshold")
    let shown = ["--show-config", "--format", "json"]
    let byFile = try Program.analyze(shown + ["--config", folder / "b.json"])
    let byOptions = try Program.analyze(
      shown + options + ["--min-silence", "90ms", "--min-speech", "20ms"])
    #expect(
      byFile.status == 0 && byFile.settingsAlone == byOptions.settingsAlone, "\(byFile.errors)")
    #expect(try folder.text(of: "b.json").contains("\"muted\": true"), "of the first file")
  }

  @Test func jobsAndRepetitionDoNotMatter() throws {
    let run = { (jobs: String) in
      try tune(
        TestAudio.samples, TestAudio.samples, "--for", "false-alarms=2%", "--format", "json", "-j",
        jobs)
    }
    let first = try run("1")
    #expect(first.status == 0 && first.errors.isEmpty)
    #expect(try run("3").output == first.output)
    #expect(try run("1").output == first.output)
  }

  @Test func theTextSaysWhatToDo() throws {
    let result = try tune(TestAudio.samples, TestAudio.samples, "--for", "f1", "--folds", "8")
    #expect(result.status == 0)
    #expect(result.lines[0].hasPrefix("8 recordings, "))
    #expect(result.lines[0].hasSuffix(" settings tried, 8 folds"))
    #expect(result.lines.contains { $0.hasPrefix("fold 8, 1 held out") })
    #expect(result.lines.contains { $0.hasPrefix("F1 ") })
    let verdict = result.lines[result.lines.count - 2]
    #expect(verdict.contains("keep the defaults.") || verdict.contains("use the tuned settings."))
  }

  @Test func oneRecordingIsTooFew() throws {
    let path = folder / "one"
    try folder.write(TestAudio.wav(TestAudio.utterance()), to: "one/a.wav")
    try folder.write("1\t2.5\tspeech\n", to: "one/a.txt")
    let result = try tune(path, path, "--for", "f1")
    #expect(result.status == 65 && result.output.isEmpty)
    #expect(result.errors.contains("has only one recording: tune on two or more"))
    try folder.write(TestAudio.wav(TestAudio.utterance()), to: "one/b.wav")
    let unlabelled = try tune(path, path, "--for", "f1")
    #expect(unlabelled.status == 66)
    #expect(unlabelled.errors.contains("b, of \(path), is not in \(path): add it"))
    let silent = try tune(path, path, "--for", "f1", "--missing-is-silence")
    #expect(silent.status == 65)
    #expect(silent.errors.contains("speech is labelled in one recording only: label speech in two"))
    try folder.write("", to: "one/a.txt")
    try folder.write("", to: "one/b.txt")
    #expect(
      try tune(path, path, "--for", "f1").errors.contains("no speech is labelled: label speech"))
    try folder.write("1\t2.5\tspeech\n", to: "one/c.txt")
    let lost = try tune(path, path, "--for", "f1", "--missing-is-silence")
    #expect(lost.status == 66)
    #expect(lost.errors.contains("c, of \(path), is not in \(path): add the recording"))
    try folder.write("no sound", to: "one/c.wav")
    let torn = try tune(path, path, "--for", "f1")
    #expect(torn.status == 65 && torn.errors.contains("c.wav"))
  }

  @Test(
    arguments: [
      (["a", "b"], "--for"), (["a", "b", "--for", "f2"], "write f1, false-alarms=RATE or latency"),
      (["a", "b", "--for", "f1=0.9"], "write f1, false-alarms=RATE or latency=LENGTH"),
      (["a", "b", "--for", "false-alarms"], "write f1, false-alarms=RATE"),
      (["a", "b", "--for", "false-alarms=2"], "write a share of the time above 0 and below 1"),
      (["a", "b", "--for", "false-alarms=0%"], "write a share of the time above 0 and below 1"),
      (["a", "b", "--for", "latency=0"], "write a length above 0, like latency=100ms"),
      (["a", "b", "--for", "latency=fast"], "write it as 250ms"),
      (["-", "b", "--for", "f1"], "tune reads folders, not standard input: name them"),
      (["a", "b", "--for", "f1", "--folds", "1"], "--folds cannot be '1'"),
      (
        ["a", "b", "--for", "f1", "--write-config", "-"],
        "--write-config needs a file of its own, not '-'"
      ),
      (
        ["a", "b"],
        "tune needs --for OBJECTIVE: write vadmon tune RECORDINGS LABELS --for OBJECTIVE\n"
      ),
      (["a", "b", "--for", "latency=100"], "--for cannot be 'latency=100': write 100ms or 100s\n"),
      (
        ["a", "b", "--for", "f1", "--output", "c", "--write-config", "./c"],
        "--output and --write-config name the same file: choose another name for one"
      ),
      (["a", "b", "--for", "f1", "--mute-grace", "1s"], "tune has no option --mute-grace"),
    ])
  func wrongUsageIsExplained(row: (arguments: [String], sentence: String)) throws {
    let result = try Program.vadmon(["tune"] + row.arguments)
    #expect(result.status == 64 && result.output.isEmpty)
    #expect(result.errors.contains(row.sentence), "\(result.errors)")
  }

  @Test func tooManyFoldsAreRefused() throws {
    let result = try tune(TestAudio.samples, TestAudio.samples, "--for", "f1", "--folds", "9")
    #expect(result.status == 64)
    expectMessage(result.errors, "--folds 9", "8 recordings")
  }

  @Test func recordingsAndLabelsAreNotReplaced() throws {
    let labels = try folder.write("a", to: "labels.csv")
    let result = try tune(TestAudio.samples, labels, "--for", "f1", "--write-config", labels)
    #expect(result.status != 0)
    #expect(try folder.text(of: "labels.csv") == "a")
  }
}
