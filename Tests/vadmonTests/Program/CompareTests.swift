import Foundation
import SpeechScoring
import TestSupport
import Testing

@testable import vadmon

/// `vadmon compare` as users run it.
@Suite struct CompareTests {
  private let folder = TemporaryFolder()

  private func compare(_ arguments: String...) throws -> Program.Result {
    try Program.vadmon(["compare"] + arguments)
  }

  private func json(_ arguments: String...) throws -> JSONObject { try json(arguments) }

  private func json(_ arguments: [String]) throws -> JSONObject {
    let result = try Program.vadmon(["compare", "--format", "json"] + arguments)
    #expect(result.status == 0, "\(result.errors)")
    return try result.json
  }

  private func pooled(_ arguments: String...) throws -> JSONObject {
    try json(arguments).object("pooled")
  }

  /// Writes four cells: scores 0.9 0.2 0.6 0.7 for speech, none, speech, none. The decisions miss the second speech and
  /// give one false alarm.
  private func writeSmallPair() throws -> (reference: String, frames: String) {
    (
      try folder.write("0\t0.01\tspeech\n0.02\t0.03\tspeech\n", to: "a.txt"),
      try folder.write(
        "time,probability,speech\n0.000,0.9,1\n0.010,0.2,0\n0.020,0.6,0\n0.030,0.7,1\n",
        to: "frames/a.csv")
    )
  }

  /// Speech has 0.9 and 0.6, the rest 0.2 and 0.7: 3 of 4 pairs are won. One hit, one miss, one false alarm.
  @Test func aSmallCaseWorkedOutByHand() throws {
    let (reference, frames) = try writeSmallPair()
    let figures = try pooled(reference, frames)
    #expect(figures["auc"] as? Double == 0.75)
    #expect(figures["ap"] as? Double == 0.5 * 1 + 0.5 * 2 / 3)
    #expect(figures["eer"] as? Double == 0.5)
    #expect(figures["best_f1"] as? Double == 0.8)
    #expect(figures["best_threshold"] as? Double == 0.6)
    for name in ["f1", "precision", "recall", "false_alarm_rate", "miss_rate"] {
      #expect(figures[name] as? Double == 0.5)
    }
    #expect(figures["duration"] as? Double == 0.04)
    #expect(figures["segments_labelled"] as? Int == 2 && figures["segments_found"] as? Int == 2)
    #expect(figures["onset_p50_ms"] is NSNull && figures["alarms_per_hour"] is NSNull)
    #expect(try figures.object("intervals").isEmpty, "of one recording")
  }

  /// What --invert writes has labels, but none of speech.
  @Test(arguments: ["csv", "audacity", "srt", "textgrid", "eaf", "rttm"])
  func labelsOfSilenceAloneGiveAWarning(format: String) throws {
    let wav = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "a.wav")
    let labels = try folder.write("0.5\t1\tspeech\n", to: "labels.txt")
    for (options, warns) in [(["--invert"], true), ([], false)] {
      let found = folder / "found"
      _ = try Program.analyze([wav, "--format", format, "--output", found] + options)
      let result = try compare(labels, found)
      #expect(result.status == 0)
      #expect(result.errors.contains("\(found) has labels, but none marks speech") == warns)
    }
  }

  /// One cell in each of four tenths: 0.2 and 0.7 are not speech, 0.6 and 0.9 are.
  @Test func theReliabilityOfScoresIsReportedOnRequest() throws {
    let (reference, frames) = try writeSmallPair()
    let told = try json(reference, frames, "--reliability").object("reliability")
    let error = try #require(told["error"] as? Double)
    #expect(abs(error - 0.35) < 1e-12, "a quarter of 0.2 + 0.4 + 0.7 + 0.1")
    let tenths = try told.objects("tenths")
    let cells = tenths.compactMap { $0["cells"] as? Int }
    #expect(cells == [0, 0, 1, 0, 0, 0, 1, 1, 0, 1])
    #expect(tenths[0]["speech"] is NSNull && tenths[9]["speech"] as? Double == 1)
    #expect(try json(reference, frames)["reliability"] == nil)
    let text = try compare(reference, frames, "--reliability").output
    #expect(text.contains("0.9 … 1.0        1  0.900            1.000\n"), "\(text)")
    #expect(text.contains("expected calibration error 0.3500\n"))
  }

  @Test func withoutScoresThereIsNoReliability() throws {
    let (reference, _) = try writeSmallPair()
    let result = try compare(reference, reference, "--reliability")
    #expect(result.status == 0)
    #expect(result.errors.contains("--reliability has nothing to report"))
    let document = try json(reference, reference, "--reliability")
    #expect(document["reliability"] is NSNull)
    let warnings = try #require(document["warnings"] as? [String])
    #expect(warnings.contains { $0.contains("nothing to report") })
  }

  /// Everything that `analyze` writes can be compared; compared with itself, it agrees entirely.
  @Test(arguments: [("audacity", "txt"), ("rttm", "rttm"), ("csv", "csv")])
  func whatAnalyzeWritesCanBeReadOnBothSides(format: String, ending: String) throws {
    let samples = ["speech.flac", "muted-talk.flac", "stereo-48k.flac", "keyboard.flac"]
    let result = try Program.analyze(
      samples.map { TestAudio.samples + "/" + $0 } + [
        "--muted", "--quiet", "--format", format, "--output-dir", folder / "found",
      ])
    #expect(result.status == 0)
    let itself = try json(folder / "found", folder / "found", "--quiet")
    #expect(try itself.object("pooled")["f1"] as? Double == 1)
    #expect(try itself.objects("files").count == 4)
    // The muted speech of `speech` outlasts its segments, so it must not have been read.
    let plain = try Program.analyze(
      TestAudio.samples + "/speech.flac", "--quiet", "--format", "csv", "--output",
      folder / "speech.csv")
    #expect(plain.status == 0)
    let figures = try pooled(folder / "speech.csv", folder / "found/speech.\(ending)", "--quiet")
    #expect(figures["f1"] as? Double == 1)
  }

  @Test func oneFileOfManyRecordingsGoesWithAFolderOfLabels() throws {
    let samples = ["speech", "muted-talk"].map { TestAudio.samples + "/\($0).flac" }
    for format in ["rttm", "csv"] {
      let result = try Program.analyze(
        ["--quiet", "--format", format, "--output", folder / "all"] + samples)
      #expect(result.status == 0)
      let document = try json(TestAudio.samples, folder / "all", "--missing-is-silence", "--quiet")
      #expect(try document.objects("files").count == 8)
    }
  }

  /// The sample recordings, labels and frame tables, counted independently in whole milliseconds and without a grid.
  @Test func theSamplesAreCountedAsTheLabelsSay() throws {
    let result = try Program.analyze(
      TestAudio.samples, "--onset-threshold", "0.99", "--quiet", "--frames", folder / "frames",
      "--format", "file-jsonl")
    #expect(result.status == 0)
    var (hits, misses, alarms, rest) = (0, 0, 0, 0)
    for name in try folder.names(in: "frames") {
      let labels = try TestAudio.labels(of: String(name.dropLast(4)))
      for row in try folder.text(of: "frames/\(name)").split(separator: "\n").dropFirst() {
        let fields = row.split(separator: ",")
        let middle = Int((Double(fields[0])! * 1000).rounded()) + 5
        switch (labels.contains { $0.contains(middle) }, fields[2] == "1") {
        case (true, true): hits += 1
        case (true, false): misses += 1
        case (false, true): alarms += 1
        case (false, false): rest += 1
        }
      }
    }
    let figures = try pooled(TestAudio.samples, folder / "frames")
    let expected = [
      "recall": (hits, hits + misses), "precision": (hits, hits + alarms),
      "false_alarm_rate": (alarms, alarms + rest), "duration": (hits + misses + alarms + rest, 100),
    ]
    for (name, (part, whole)) in expected {
      let figure = try #require(figures[name] as? Double)
      #expect(abs(figure - Double(part) / Double(whole)) < 1e-12, "\(name)")
    }
    #expect(hits > 1000 && misses > 10 && alarms > 10)
  }

  @Test func intervalsComeFromTheSeedAlone() throws {
    for name in ["a", "b", "c"] {
      try folder.write("0\t1\tx\n", to: "ref/\(name).txt")
      try folder.write(name == "b" ? "0\t0.5\tx\n" : "0\t1\tx\n", to: "found/\(name).txt")
    }
    let intervals = { (arguments: [String]) -> [Double] in
      let pooled = try json([folder / "ref", folder / "found", "--quiet"] + arguments)
        .object("pooled")
      return (pooled["intervals"] as? [String: [Double]])?["recall"] ?? []
    }
    // The number of draws of `b` ranges from none to all three; of 1,000 resamples 1/27 are b b b and 8/27 have no b.
    #expect(try intervals([]) == [0.5, 1])
    #expect(
      try intervals(["--resamples", "100"]) == intervals(["--resamples", "100", "--seed", "1"]))
    #expect(
      Set(try (1...6).map { try intervals(["--resamples", "100", "--seed", "\($0)"]) }).count > 1)
    #expect(try intervals(["--resamples", "0"]) == [])
  }

  /// B detects 100 ms less in every recording. The difference is the same in every resample, however much the
  /// recordings differ.
  @Test func twoDetectorsAreComparedOnTheSameDraws() throws {
    for (index, name) in ["a", "b", "c", "d"].enumerated() {
      try folder.write("0\t1\tx\n", to: "ref/\(name).txt")
      try folder.write("0\t0.\(index + 4)\tx\n", to: "good/\(name).txt")
      try folder.write("0\t0.\(index + 3)\tx\n", to: "bad/\(name).txt")
    }
    let pooled = try pooled(
      folder / "ref", folder / "good", "--against", folder / "bad", "--quiet")
    let difference = try pooled.object("difference")
    let interval = try #require((difference["intervals"] as? [String: [Double]])?["recall"])
    let all = [difference["recall"] as? Double ?? 0] + interval
    #expect(all.allSatisfy { abs($0 - 0.1) < 1e-12 })
    #expect(try pooled.object("against")["recall"] as? Double == 0.45)
    let text = try compare(
      folder / "ref", folder / "good", "--against", folder / "bad", "--quiet"
    ).lines
    #expect(
      text.contains {
        $0.firstMatch(of: #/^recall +0\.5500 .* 0\.4500 +0\.1000 +0\.1000 … 0\.1000$/#) != nil
      }, "\(text)")
  }

  /// A figure that only one of them has is shown for that one, whichever it is.
  @Test func figuresOfEitherDetectorAreShown() throws {
    let (reference, frames) = try writeSmallPair()
    for (sides, pattern) in [
      ([frames, "--against", reference], #/^AUC +\d\.\d+ .* – /#),
      ([reference, "--against", frames], #/^AUC +– .* \d\.\d+ /#),
    ] {
      let lines = try Program.vadmon(["compare", reference] + sides).lines
      #expect(lines.contains { $0.firstMatch(of: pattern) != nil }, "\(lines)")
    }
  }

  @Test func theFramesEndAndTheUEMDecideHowLongARecordingIs() throws {
    let (reference, frames) = try writeSmallPair()
    let uem = try folder.write("a 1 0 0.1\n", to: "all.uem")
    #expect(try pooled(reference, frames, "--uem", uem)["duration"] as? Double == 0.1)
    let other = try folder.write("b 1 0 0.1\n", to: "other.uem")
    let result = try compare(reference, frames, "--uem", other)
    #expect(result.status == 65)
    #expect(result.errors.contains("a is not in the evaluation map: add a line for it"))
    let segments = try compare(reference, reference)
    #expect(segments.status == 0)
    #expect(segments.errors.contains("warning: no file states how long a is, so it is taken"))
    #expect(segments.lines[0].hasPrefix("1 recording, 0:00.030, speech 0:00.020;"))
    #expect(try compare(reference, reference, "--quiet").errors.isEmpty)
  }

  @Test func aTextGridStatesHowLongARecordingIs() throws {
    let grid = try folder.write(
      "File type = \"ooTextFile\"\n\"TextGrid\" 0 6.25 <exists> 1 \"IntervalTier\" \"w\" 0 6.25 2\n"
        + "1 2 \"word\" 2 6.25 \"<p:>\"\n", to: "a.TextGrid")
    let labels = try folder.write("1\t2\tx\n", to: "a.txt")
    for sides in [(grid, labels), (labels, grid)] {
      let result = try compare(sides.0, sides.1)
      #expect(
        result.errors == "" && result.lines[0].hasPrefix("1 recording, 0:06.250, speech 0:01.000;"))
    }
    // In a folder, both describe one recording, and one of them states its length.
    let both = try compare(folder.path, labels)
    #expect(both.errors == "" && both.lines[0].hasPrefix("1 recording, 0:06.250"), "\(both.errors)")
    let uem = try folder.write("a 1 0 9\n", to: "all.uem")
    #expect(try pooled(grid, labels, "--uem", uem)["duration"] as? Double == 9)
  }

  @Test func silenceIsAddedOnBothSidesAndShown() throws {
    let labels = try folder.write("0\t2\tone\n2\t4\tbreath\n4\t6\ttwo\n", to: "a.txt")
    let found = try folder.write("0\t2\tx\n2\t4\t(noise)\n4\t6\tx\n", to: "b.txt")
    let plain = try compare(labels, found)
    #expect(
      plain.errors.contains("the labels of a cover 100.0 % of it: if some of them mark silence"))
    let options = ["--silence", "Breath", "--silence", "(noise)"]
    let result = try Program.vadmon(["compare", "--format", "json", labels, found] + options)
    #expect(!result.errors.contains("cover"), "\(result.errors)")
    let pooled = try result.json.object("pooled")
    #expect(pooled["speech_seconds"] as? Double == 4 && pooled["f1"] as? Double == 1)
    #expect(try result.json.object("config")["silence"] as? [String] == ["Breath", "(noise)"])
  }

  @Test func framesThatEndEarlyAndLabelsThatEndLateAreReported() throws {
    let (reference, frames) = try writeSmallPair()
    let late = try folder.write("0\t0.01\tx\n0.02\t1.5\tx\n", to: "late.txt")
    let cut = try compare(late, frames)
    #expect(cut.status == 0)
    #expect(cut.errors.contains("warning: late: the labels reach 1.46 s past the end"))
    // A whole label is not lost in silence, however near the end it is.
    let behind = try folder.write("0\t0.01\tx\n0.05\t0.06\tx\n", to: "behind.txt")
    let left = try compare(behind, frames)
    #expect(left.errors.contains("warning: behind: the labels reach 0.02 s past the end"))
    let uem = try folder.write("a 1 0 1\n", to: "all.uem")
    let held = try compare(reference, frames, "--uem", uem)
    #expect(held.errors.contains("warning: a: the frames end 0.96 s before the recording"))
  }

  /// With 20 ms added, the first two cells of speech are missed, and the two after its end are false alarms.
  @Test func aShiftIsAddedToWhatWasDetected() throws {
    let reference = try folder.write("0.5\t1\tx\n2\t2.5\tx\n", to: "ref.txt")
    let figures = try pooled(reference, reference, "--shift", "20ms", "--quiet")
    #expect(figures["recall"] as? Double == 0.96)
    #expect(figures["onset_p50_ms"] as? Double == 20)
    #expect(figures["offset_p50_ms"] as? Double == 20)
  }

  @Test func aGapThatIsTooShortIsNotMeasured() throws {
    let reference = try folder.write("0.1\t1\tx\n", to: "ref.txt")
    #expect(try pooled(reference, reference, "--quiet")["onset_p50_ms"] is NSNull)
    let figures = try pooled(reference, reference, "--quiet", "--min-gap", "100ms")
    #expect(figures["onset_p50_ms"] as? Double == 0)
  }

  @Test func subfoldersOfTheReferenceAreShownApart() throws {
    for name in ["x/a", "x/b", "y/c", "d"] { try folder.write("0\t1\tx\n", to: "ref/\(name).txt") }
    for name in ["a", "b", "c", "d"] { try folder.write("0\t1\tx\n", to: "found/\(name).txt") }
    let document = try json(folder / "ref", folder / "found", "--quiet")
    let folders = try document.objects("folders")
    #expect(folders.map { $0["name"] as? String } == [".", "x", "y"])
    #expect(folders.map { $0["recordings"] as? Int } == [1, 2, 1])
    let lines = try compare(folder / "ref", folder / "found", "--quiet").lines
    #expect(lines.contains { $0.hasPrefix("folder ") } && lines.contains { $0.hasPrefix("file ") })
  }

  // MARK: thresholds

  @Test(
    arguments: [
      (["--min", "auc=0.75", "--max", "miss_rate=0.5"], []),
      (["--min", "f1=0.9"], ["f1 is 0.5, below --min f1=0.9"]),
      (["--max", "eer=0.1"], ["eer is 0.5, above --max eer=0.1"]),
      (
        ["--min", "f1=0.9", "--min", "auc=0.8", "--min", "recall=0.1"],
        ["f1 is 0.5, below --min f1=0.9", "auc is 0.75, below --min auc=0.8"]
      ),
      (
        ["--max", "onset_p90_ms=200"],
        ["onset_p90_ms has no value here, so --max onset_p90_ms=200.0 is not met"]
      ),
    ] as [([String], [String])])
  func aMissedThresholdIsExitCode1(row: (arguments: [String], errors: [String])) throws {
    let (reference, frames) = try writeSmallPair()
    let result = try Program.vadmon(["compare", reference, frames] + row.arguments)
    #expect(result.status == (row.errors.isEmpty ? 0 : 1))
    #expect(
      result.messages == row.errors.map { "vadmon: " + $0 })
    #expect(result.output.contains("AUC"), "the figures are printed all the same")
  }

  /// Users can read the value and see on which side of the limit it is.
  @Test(
    arguments: [
      (2.0 / 3, 0.9, "0.6667"), (0.5, 0.9, "0.5"), (0.899_999_96, 0.9, "0.89999996"),
      (0, 0.9, "0"), (0.1 + 0.2, 0.9, "0.3"),
    ] as [(Double, Double, String)])
  func complaintsHaveTheDigitsThatPeopleRead(row: (value: Double, limit: Double, text: String)) {
    let bound = FigureBound(side: .min, figure: .f1, limit: row.limit)
    #expect(bound.complaint([.f1: row.value]) == "f1 is \(row.text), below --min f1=\(row.limit)")
  }

  @Test func boundsStandInTheJSON() throws {
    let (reference, frames) = try writeSmallPair()
    let document = try json(reference, frames, "--min", "auc=0.5")
    let bounds = try document.objects("bounds")
    #expect(bounds.count == 1 && bounds[0]["figure"] as? String == "auc")
    #expect(bounds[0]["min"] as? Double == 0.5 && bounds[0]["value"] as? Double == 0.75)
    #expect(bounds[0]["met"] as? Bool == true)
    #expect(document["schema_version"] as? Int == 1)
  }

  /// `x.wav` and `x.flac` in one folder, and another `x.flac` in a sub-folder: each table is compared with the labels
  /// of its own recording. The labels are exact, so that a wrong pair shows.
  @Test func tablesKeepFoldersBesideExtensions() throws {
    let result = try Program.shell(
      """
      mkdir -p g/sub && cp "$1/speech.flac" g/x.flac && cp "$1/muted-talk.flac" g/sub/x.flac &&
      sox g/x.flac g/x.wav && "$vadmon" g/x.wav -q --format audacity > first.txt &&
      "$vadmon" g/sub/x.flac -q --format audacity > second.txt &&
      "$vadmon" g --frames tables -q > all.txt && (cd tables && find . -type f | sort) &&
      mkdir -p labels/sub && cp first.txt labels/x.txt && cp second.txt labels/sub/x.txt &&
      mkdir each && cp -r labels/. each && cp first.txt each/x.wav.txt && cp first.txt each/x.flac.txt
      """, TestAudio.samples, in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.lines == ["./sub/x.csv", "./x.flac.csv", "./x.wav.csv"])
    for labels in ["labels", "each"] {
      let document = try json(folder / labels, folder / "tables", "--quiet")
      #expect(try document.objects("files").count == 3)
      let figures = try document.object("pooled")
      #expect(figures["f1"] as? Double == 1, "\(figures)")
    }
  }
}
