import Foundation
import TestSupport
import Testing

@testable import vadmon

/// The files of saved segments: names that do not collide, nothing that is replaced, and disks that are full.
@Suite struct SegmentFileTests {
  private let folder = TemporaryFolder()
  private let speech = TestAudio.samples + "/speech.flac"

  @Test(arguments: [
    "--leading", "with space", "a\"b'c", "new\nline", "tab\tin", "名前", "*?[", "$(x)", ".hidden",
    String(repeating: "n", count: 240),
  ])
  func anyNameOfARecordingGivesNamesOfSegments(stem: String) throws {
    let recording = try folder.write(TestAudio.wav(TestAudio.utterance()), to: stem + ".wav")
    let result = try Program.analyze(recording, "--save-segments", folder / "out")
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      try folder.names(in: "out") == ["\(stem)-0001.wav"])
  }

  @Test func aNameThatBecomesTooLongIsRefusedInOneSentence() throws {
    let stem = String(repeating: "n", count: 251)
    let recording = try folder.write(TestAudio.wav(TestAudio.utterance()), to: stem + ".wav")
    let result = try Program.analyze(recording, "--save-segments", folder / "out")
    #expect(result.status == 74)
    #expect(result.messages.count == 1)
    #expect(result.errors.contains("cannot write"))
    #expect(result.output.contains("1 segment"), "the analysis itself is not lost")
  }

  @Test func recordingsOfOneNameKeepTheirFolders() throws {
    let sound = TestAudio.wav(TestAudio.utterance())
    for name in ["a/x.wav", "b/x.wav", "b/x.wave"] { try folder.write(sound, to: "in/" + name) }
    let result = try Program.analyze(folder / "in", "--save-segments", folder / "out")
    #expect(result.status == 0, "\(result.errors)")
    let out = try #require(FileManager.default.enumerator(atPath: folder / "out"))
    let files = out.compactMap { $0 as? String }.filter { $0.hasSuffix("1.wav") }.sorted()
    #expect(files == ["a/x-0001.wav", "b/x.wav-0001.wav", "b/x.wave-0001.wav"])
  }

  @Test func nothingIsReplacedWithoutForce() throws {
    try folder.write("mine", to: "out/speech-0001.wav")
    let refused = try Program.analyze(speech, "--save-segments", folder / "out")
    #expect(refused.status == 64)
    #expect(refused.errors.contains("speech-0001.wav exists already"))
    #expect(try folder.text(of: "out/speech-0001.wav") == "mine")
    let forced = try Program.analyze(speech, "--save-segments", folder / "out", "--force")
    #expect(forced.status == 0)
    #expect(try CutRecording.probe(folder / "out/speech-0001.wav", "sample_rate") == 16_000)
  }

  /// The second input has the name of a segment of the first one, or is a segment of its own name.
  @Test(arguments: ["{stem}-{index}", "{stem}-{start_ms}"])
  func noRecordingThatIsReadIsReplaced(name: String) throws {
    let sound = try Data(contentsOf: URL(fileURLWithPath: speech))
    let starts = try CutRecording(speech, in: folder).segments.map(\.start)
    let ending = name.contains("index") ? "0002" : "\(starts[1] / 16)"
    for file in ["in/x.wav", "in/x-\(ending).wav"] { try folder.write(sound, to: file) }
    let result = try Program.analyze(
      folder / "in", "--save-segments", folder / "in", "--segment-name", name, "--force", "--jobs",
      "1")
    #expect(result.status == 74)
    #expect(
      result.errors == """
        vadmon: cannot write \(folder / "in/x-\(ending).wav"): a recording, a result or another segment of this run \
        has that name; choose another --segment-name or folder

        """)
    #expect(try folder.data(of: "in/x-\(ending).wav") == sound)
  }

  /// Settings that find fewer segments leave those that were saved before. They may be the user's own files, so nothing
  /// is removed; a warning counts them.
  @Test(arguments: [[], ["--segment-name", "{stem}-{start_ms}"]])
  func whatIsLeftOfAnEarlierRunIsNamed(name: [String]) throws {
    func names(_ options: String...) throws -> (names: Set<String>, errors: String) {
      let result = try Program.analyze(
        [speech, "--save-segments", folder / "out"] + name + options)
      #expect(result.status == 0, "\(result.errors)")
      let names = try folder.names(in: "out")
      return (Set(names), result.errors)
    }
    let before = try names("--min-silence", "0").names
    let others: Set = [
      "speech-2024.wav", "speech-5.wav", "speech-0001.flac", "speech-x-0009.wav", "other-0009.wav",
    ]
    for name in others { try folder.write("mine", to: "out/\(name)") }
    let whole = try names("--merge", "60s", "--pad", "10ms", "--force")
    let made = whole.names.subtracting(before).subtracting(others).count
    #expect(whole.names.isSuperset(of: before.union(others)) && made == (name.isEmpty ? 0 : 1))
    // As a start, 2024 ms or 5 ms into the recording, the names are those of segments.
    let left = before.count + (name.isEmpty ? -1 : 2)
    #expect(
      whole.errors.contains(
        " and \(left - 1) more files have names of segments, but this run did not save them: delete what an earlier run left"
      ), "\(left): \(whole.errors)")
  }

  /// The first segment of `a` begins after 620 ms, and that of `a62` with the recording: both are `a620`.
  @Test func noSegmentOfTheSameRunIsReplaced() throws {
    let start = try CutRecording(speech, in: folder, "--pad", "100ms").segments[0].start / 16
    let sound = try Data(contentsOf: URL(fileURLWithPath: speech))
    try folder.write(sound, to: "in/a.wav")
    let other = try folder.write("", to: "in/a\(start / 10).wav")
    let skipped = Double(start) / 1000 + 0.05
    try Program.run(["sox", speech, other, "trim", "\(skipped)"])
    let result = try Program.analyze(
      folder / "in", "--save-segments", folder / "found", "--segment-name", "{stem}{start_ms}",
      "--pad", "100ms", "--force", "--jobs", "1")
    #expect(result.status == 74)
    #expect(
      result.errors.contains(
        "found/a\(start).wav: a recording, a result or another segment of this run has that name"))
    let saved = try folder.data(of: "found/a\(start).wav")
    let alone = try CutRecording(speech, in: folder, "--pad", "100ms", "--force").segments[0].file
    #expect(try saved == Data(contentsOf: URL(fileURLWithPath: alone)))
  }

  @Test func aRecordingThatIsNamedTwiceIsRefused() throws {
    let result = try Program.analyze(speech, speech, "--save-segments", folder / "out", "--force")
    #expect(result.status == 64 && result.output.isEmpty)
    #expect(result.errors.contains("would both become"), "\(result.errors)")
  }

  @Test(arguments: [
    ("--trim", "speech-0001.wav", "{stem}-{index}"),
    ("--report", "speech-0003.wav", "{stem}-{index}"),
    ("--output", "12.wav", "{start_ms}"),
    ("--trim", "speechall1.500.wav", "{stem}{channel}{start}"),
  ])
  func noResultHasTheNameOfASegment(row: (option: String, file: String, name: String)) throws {
    let result = try Program.analyze(
      speech, "--save-segments", folder / "out", row.option, folder / "out/\(row.file)",
      "--segment-name", row.name, "--force")
    #expect(result.status == 64 && result.output.isEmpty)
    #expect(result.errors.contains("\(row.file): choose another name for one"), "\(result.errors)")
  }

  @Test(arguments: ["speech.wav", "speech-x.wav", "speech-0001.flac", "other-0001.wav"])
  func otherResultsMayLieBesideSegments(file: String) throws {
    let result = try Program.analyze(
      speech, "--save-segments", folder / "out", "--trim", folder / "beside.wav", "--force")
    #expect(result.status == 0, "\(result.errors)")
    let beside = try Program.analyze(
      speech, "--save-segments", folder / "out", "--trim", folder / "out/\(file)", "--force")
    #expect(beside.status == 0, "\(beside.errors)")
  }

  /// A name that depends on the time is known only during the analysis, but what a segment may be called is known
  /// before.
  @Test func aFileThatIsInTheWayLaterIsKeptToo() throws {
    let recording = TestAudio.samples + "/speech.flac"
    let starts = try CutRecording(recording, in: folder).segments.map { $0.start / 16 }
    try folder.write("mine", to: "out/at-\(starts[1]).wav")
    let result = try Program.analyze(
      recording, "--save-segments", folder / "out", "--segment-name", "at-{start_ms}")
    #expect(result.status == 64 && result.output.isEmpty)
    #expect(result.errors.contains("at-\(starts[1]).wav exists already"))
    #expect(try folder.text(of: "out/at-\(starts[1]).wav") == "mine")
    #expect(
      try folder.names(in: "out").allSatisfy {
        !$0.hasPrefix(".")
      })
  }

  @Test func aFullDiskEndsSavingAndNotTheAnalysis() throws {
    let result = try Program.shell(
      "ulimit -f 20; \"$vadmon\" analyze \"$1\" --save-segments \"$2\" --format csv", speech,
      folder / "out")
    #expect(result.status == 74)
    #expect(result.errors.contains("cannot write"))
    let rows = result.output.split(whereSeparator: \.isNewline)
    #expect(rows.count == 5, "a header and all four segments")
    #expect(
      try folder.names(in: "out").allSatisfy {
        !$0.hasPrefix(".")
      })
  }

  @Test(arguments: [
    (["--segment-name", "x"], "all segments would have one name"),
    (["--segment-name", "{stem}-{number}"], "'{number}' is unknown"),
    (["--segment-name", "{stem"], "has no '}'"),
    (["--segment-name", "a/{index}"], "contains no '/'"),
    (["--segment-name", "{index}", "--channel", "each"], "has no {channel}"),
    (["--split", "900ms"], "--split is 900 ms, too short"),
    (["--split", "1s", "--pad", "10ms"], "at least 1020 ms"),
    (["--trim", "x.mp3"], "--trim x.mp3: end the name with .wav or .flac"),
    (["--trim", "x"], "--trim x: end the name with .wav or .flac"),
    (["--segment-format", "mp3"], "--segment-format cannot be 'mp3': write wav or flac"),
    (["--trim", "t.wav", "--channel", "each"], "--trim writes all channels"),
  ])
  func whatCannotBeIsRefused(row: (options: [String], message: String)) throws {
    let result = try Program.analyze([speech, "--save-segments", folder / "out"] + row.options)
    #expect(result.status == 64)
    #expect(result.errors.contains(row.message), "\(result.errors)")
    #expect(result.messages.count == 1)
  }

  @Test(arguments: [
    ["--fade", "5ms"], ["--segment-name", "{index}"], ["--segment-format", "flac"],
  ])
  func optionsOfSavingNeedIt(options: [String]) throws {
    let result = try Program.analyze([speech] + options)
    #expect(result.status == 64)
    #expect(result.errors.contains("add --save-segments DIR"))
  }

  @Test func moreChannelsThanFLACHasAreRefused() throws {
    let many = folder / "many.wav"
    try CutRecording.ffmpeg("-i", speech, "-filter_complex", "[0]asplit=12,amerge=inputs=12", many)
    let result = try Program.analyze(
      many, "--channel", "1", "--save-segments", folder / "out", "--segment-format", "flac")
    #expect(result.status == 74)
    #expect(result.errors.contains("flac") && result.errors.contains("12"))
  }
}
