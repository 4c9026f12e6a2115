import Annotations
import Foundation
import SpeechScoring
import SystemPackage
import TestSupport
import Testing

@testable import vadmon

/// Which files belong together.
@Suite struct PairingTests {
  private let folder = TemporaryFolder()

  private func pair(
    _ reference: String, _ detected: String, against: String? = nil, missingIsSilence: Bool = false
  ) throws -> [ComparedRecording] {
    try folder.pairing(
      reference, detected, against: against, missingIsSilence: missingIsSilence
    ).recordings().map(\.compared)
  }

  private func write(_ names: String..., text: String = "0\t1\tspeech\n") throws {
    for name in names { try folder.write(text, to: name) }
  }

  private func error(_ body: () throws -> Void) throws -> RunError {
    try #require(#expect(throws: RunError.self) { try body() })
  }

  /// `vadmon analyze` keeps the extensions of recordings of one name in one folder, whatever their formats.
  @Test(arguments: ["wav", "ts", "m4b", "VOB", "rm", "8svx"])
  func labelsOfANameCountForEachFormat(ending: String) throws {
    try write("ref/x.txt", "found/x.flac.txt", "found/x.\(ending).txt")
    #expect(Set(try pair("ref", "found").map(\.name)) == ["x.flac", "x.\(ending)"])
  }

  @Test func twoFilesGoTogetherWhateverTheyAreCalled() throws {
    try write("labels.txt", "found.txt", "other.txt")
    let recordings = try pair("labels.txt", "found.txt", against: "other.txt")
    #expect(recordings.map(\.name) == ["labels"])
    #expect(recordings[0].against == recordings[0].detected)
  }

  @Test func foldersGoTogetherByBaseNameWhateverTheSubfolder() throws {
    try write("ref/a/one.txt", "ref/b/two.rttm", "ref/notes.md", "ref/b/two.wav", text: "")
    try write("found/one.txt", "found/deep/two.txt", text: "")
    let recordings = try pair("ref", "found")
    #expect(recordings.map(\.name) == ["one", "two"])
    #expect(recordings.map(\.folder) == ["a", "b"])
  }

  @Test func aFolderGoesWithAFileOfManyRecordings() throws {
    try write("ref/my one.txt", "ref/two.txt")
    try folder.write("file,start,end\nx/my one.wav,0,1\nx/two.wav,0,1\n", to: "all.csv")
    try folder.write(
      """
      SPEAKER my_one 1 0 1 <NA> <NA> x <NA> <NA>
      SPEAKER two 1 0 1 <NA> <NA> x <NA> <NA>
      """, to: "all.rttm")
    #expect(try pair("ref", "all.csv").map(\.name) == ["my_one", "two"])
    #expect(try pair("ref", "all.rttm", against: "all.csv").map(\.name) == ["my_one", "two"])
  }

  @Test func twoFilesOfManyRecordingsGoTogetherByName() throws {
    try folder.write("file,start,end\na.wav,0,1\nb.wav,0,2\n", to: "ref.csv")
    try folder.write("file,start,end\nb.wav,0,3\na.wav,0,4\n", to: "found.csv")
    let recordings = try pair("ref.csv", "found.csv")
    #expect(recordings.map(\.name) == ["a", "b"])
    #expect(recordings.map { $0.reference[0].end } == [1, 2])
    #expect(
      recordings.map(\.detected) == [
        .spans([try LabelledSpan(start: 0, end: 4)]), .spans([try LabelledSpan(start: 0, end: 3)]),
      ])
    try folder.write("file,start,end\nc.wav,0,3\n", to: "other.csv")
    #expect(try error { _ = try pair("ref.csv", "other.csv") }.messages.count == 3)
  }

  /// In a folder the file's name counts, whatever the RTTM calls the recording.
  @Test func inAFolderAFileWithOneRecordingIsCalledLikeIt() throws {
    try write("ref/a.txt")
    try folder.write("SPEAKER elsewhere 1 0 1 <NA> <NA> x <NA> <NA>\n", to: "found/a.rttm")
    #expect(try pair("ref", "found").map(\.name) == ["a"])
    #expect(try error { _ = try pair("ref", "found/a.rttm") }.exitCode == 66)
  }

  @Test func aFileWithoutPartnerIsNamed() throws {
    try write("ref/a.txt", "ref/b.txt", "found/b.txt", "found/c.txt")
    let failure = try error { _ = try pair("ref", "found") }
    #expect(failure.exitCode == 66)
    #expect(failure.messages.count == 2)
    #expect(
      failure.messages[0].hasPrefix("a, of \(folder / "ref"), is not in \(folder / "found"):"))
    #expect(
      failure.messages[1].hasPrefix("c, of \(folder / "found"), is not in \(folder / "ref"):"))
    #expect(failure.messages.allSatisfy { $0.contains("--missing-is-silence") })
    let recordings = try pair("ref", "found", missingIsSilence: true)
    #expect(recordings.map(\.name) == ["a", "b", "c"])
    #expect(recordings.map(\.reference.count) == [1, 1, 0])
    #expect(recordings.map(\.detected)[0] == .spans([]))
  }

  @Test func aMissingFrameTableIsNeverSilence() throws {
    try write("ref/a.txt", "ref/b.txt")
    try folder.write("time,probability,speech\n0,0.5,1\n", to: "found/a.csv")
    let failure = try error { _ = try pair("ref", "found", missingIsSilence: true) }
    #expect(failure.exitCode == 66 && failure.messages[0].contains("b has no frame table"))
  }

  @Test func filesThatDifferOnARecordingAreAnError() throws {
    try write("ref/a.txt")
    try folder.write("SPEAKER a 1 0 1.1 <NA> <NA> x <NA> <NA>\n", to: "ref/a.rttm")
    let failure = try error { _ = try pair("ref", "ref") }
    #expect(failure.exitCode == 65)
    expectMessage(
      failure.messages.joined(separator: "\n"), folder / "ref/a.rttm", folder / "ref/a.txt", "a")
  }

  /// The labels agree in any order, in pieces, and with different rounding.
  @Test func theSameLabelsInTwoFormatsAreOneRecording() throws {
    try folder.write("2\t3\tx\n0\t0.5\tx\n0.5\t1\ty\n5\t5\tpoint\n", to: "ref/a.txt")
    try folder.write(
      """
      SPEAKER a 1 0.0004 0.999 <NA> <NA> x <NA> <NA>
      SPEAKER a 1 2 1 <NA> <NA> x <NA> <NA>
      """, to: "ref/a.rttm")
    try folder.write("file,start,end\na.wav,0,1\na.wav,2,3\n", to: "ref/manifest.csv")
    try write("ref/a.wav", text: "")
    #expect(try pair("ref", "ref").map(\.name) == ["a"])
  }

  /// A manifest, a transcript beside its labels, and notes.
  @Test func filesWithoutLabelsAreSkipped() throws {
    try write("ref/a.rttm", text: "SPEAKER a 1 0 1 <NA> <NA> x <NA> <NA>\n")
    try write("ref/a.wav", text: "")
    try folder.write("good morning everybody\n", to: "ref/a.txt")
    try folder.write("file,duration,split\na.wav,3,dev\n", to: "ref/manifest.csv")
    try folder.write("These were labelled by hand.\n", to: "ref/README.txt")
    try folder.write("{\"a.wav\": {\"split\": \"dev\"}}\n", to: "ref/split.json")
    try folder.write("{\"at\": 0}\n", to: "ref/traces/call.jsonl")
    #expect(try pair("ref", "ref").map(\.name) == ["a"])
    let set = try RecordingSet(FilePath(folder / "ref"))
    #expect(set.passedOver.map(\.name) == ["README", "a", "manifest", "split", "call"])
    let warnings = set.passedOver.compactMap(\.warning)
    #expect(warnings.count == 4, "JSON in a folder without labels is passed over in silence")
    #expect(warnings[0].contains("README.txt, line 1: ") && warnings[0].hasSuffix("passed over"))
    #expect(warnings[2].contains("manifest.csv, line 1: the header file,duration,split has no"))
    #expect(warnings[3].contains("split.json: this is not the JSON of vadmon analyze"))
  }

  /// Labels that no other file has must be readable.
  @Test func aFileWithoutLabelsIsAnErrorWhereItIsNeeded() throws {
    try write("ref/a.txt", "found/a.txt", "found/b.txt")
    try folder.write("torn\n", to: "ref/b.txt")
    let missing = try error { _ = try pair("ref", "found") }
    #expect(missing.exitCode == 65 && missing.messages.count == 1)
    #expect(missing.messages[0].contains("ref/b.txt, line 1: 'torn' is not a label"))
    try write("ref/b.wav", text: "")
    let audio = try error { _ = try pair("ref", "ref") }
    #expect(audio.exitCode == 65 && audio.messages[0].contains("ref/b.txt, line 1: "))
    try folder.write("torn\n", to: "alone/b.txt")
    #expect(try error { _ = try pair("found", "alone") }.exitCode == 65)
  }

  /// A file with some valid labels is not passed over.
  @Test func aBadLineAmongGoodOnesIsAnError() throws {
    try write("ref/a.txt")
    try folder.write("0\t1\tx\nnoise\n", to: "ref/b.txt")
    let failure = try error { _ = try pair("ref", "ref") }
    #expect(failure.exitCode == 65 && failure.messages.count == 1)
    #expect(failure.messages[0].contains("ref/b.txt, line 2: "))
  }

  /// A file with one recording takes the name in it if that audio is there, or else its own name.
  @Test func theAudioDecidesWhatAFileWithOneRecordingIsCalled() throws {
    try write("ref/all.rttm", text: "SPEAKER a 1 0 1 <NA> <NA> x <NA> <NA>\n")
    #expect(try pair("ref", "ref").map(\.name) == ["all"])
    try write("ref/a.wav", text: "")
    #expect(try pair("ref", "ref").map(\.name) == ["a"])
    try write("ref/all.flac", text: "")
    #expect(try pair("ref", "ref").map(\.name) == ["all"])
  }

  /// One side begins further up than the other, as mirrored results may.
  @Test func equalNamesAreDistinguishedByTheirFolders() throws {
    try write("ref/set/a/x.txt", "ref/set/b/x.txt", "ref/set/y.txt", "found/a/x.txt", text: "")
    try folder.write("0\t1\tspeech\n", to: "found/b/x.txt")
    try write("found/elsewhere/y.txt", text: "")
    let recordings = try pair("ref", "found")
    #expect(recordings.map(\.name).sorted() == ["set/a/x", "set/b/x", "y"])
    let found = try #require(recordings.first { $0.name == "set/b/x" }).detected
    #expect(found == .spans([try LabelledSpan(start: 0, end: 1)]))
    #expect(try pair("found", "ref").map(\.name).sorted() == ["a/x", "b/x", "y"])
  }

  @Test func aPartOfTheLabelsIsEnough() throws {
    try write("ref/b/x.txt", "found/a/x.txt", "found/b/x.txt")
    #expect(try error { _ = try pair("ref", "found") }.messages.count == 1, "a/x has no labels")
    #expect(try pair("ref", "found", missingIsSilence: true).map(\.name) == ["b/x", "a/x"])
  }

  @Test func aNameThatMayBeOneOfTwoIsRefused() throws {
    try write("ref/x.txt", "found/a/x.txt", "found/b/x.txt")
    let failure = try error { _ = try pair("ref", "found", missingIsSilence: true) }
    #expect(failure.exitCode == 65 && failure.messages[0].contains("may belong to a/x or b/x"))
  }

  @Test func framesAndSegmentsAreNotPooled() throws {
    try write("ref/a.txt", "ref/b.txt", "found/b.txt")
    try folder.write("time,probability,speech\n0,0.5,1\n", to: "found/a.csv")
    let failure = try error { _ = try pair("ref", "found") }
    #expect(failure.exitCode == 65 && failure.messages[0].contains("compare them separately"))
  }

  /// Percentages and logits rank frames as well as probabilities do, if all tables have them.
  @Test func scoresThatAreNoProbabilitiesAreDoubtedOnce() throws {
    let table = { (scores: [String], name: String) throws in
      let rows = scores.enumerated().map { "\($0.offset),\($0.element),1\n" }.joined()
      try folder.write("time,probability,speech\n" + rows, to: name)
    }
    try table(["0", "1", "0.5"], "found/a.csv")
    try table([], "found/b.csv")
    var warnings: [String] { get throws { try RecordingSet(FilePath(folder / "found")).warnings } }
    #expect(try warnings == [])
    try table(["7", "0.2"], "found/c.csv")
    let one = try warnings
    #expect(one.count == 1)
    expectMessage(
      one.joined(), folder / "found/c.csv:", "from 0.2 to 7.0", "from 0 to 1", "scale")
    try table(["-5", "0.3"], "found/d.csv")
    let two = try warnings
    #expect(two.count == 1)
    expectMessage(two.joined(), folder / "found/c.csv and 1 other table:", "from -5.0 to 7.0")
  }

  @Test func framesAreNoReference() throws {
    try folder.write("time,probability,speech\n0,0.5,1\n", to: "a.csv")
    try write("b.txt")
    let failure = try error { _ = try pair("a.csv", "b.txt") }
    #expect(failure.exitCode == 65 && failure.messages[0].contains("a.csv is a frame table: give"))
  }

  @Test func folderErrorsNameTheFolder() throws {
    try write("empty/readme.md", "a.txt")
    let empty = try error { _ = try pair("a.txt", "empty") }
    #expect(empty.exitCode == 66)
    expectMessage(
      empty.messages.joined(separator: "\n"), "labels", "frame tables", folder / "empty")
    let missing = try error { _ = try pair("a.txt", "nowhere") }
    #expect(missing.exitCode == 66 && missing.messages[0].contains("nowhere: No such file"))
  }

  @Test func evaluationMapsAreReadOrRefused() throws {
    let map = { (text: String) in
      try EvaluationMap(FilePath(try folder.write(text, to: "all.uem"))).ends
    }
    #expect(
      try map(";; lengths\r\na 1 0.000 12.5\r\n\r\nb.c\t1\t0\t3\r\n") == ["a": 12.5, "b.c": 3])
    #expect(try map("") == [:])
    for (line, message) in [
      ("a 1 0", "the line has 3 fields instead of 4: write FILE CHANNEL START END"),
      ("a 1 2 3", "the start '2' is not 0: write 0, because whole recordings are scored"),
      ("a 1 0 x", "the end 'x' is not a number"), ("a 1 0 -1", "is negative"),
      ("a 1 0 1\na 1 0 2", "line 2: 'a' already has a line above: delete one"),
    ] {
      let failure = try error { _ = try map(line + "\n") }
      #expect(failure.exitCode == 65 && failure.messages[0].contains(message))
    }
  }
}

extension TemporaryFolder {
  /// Pairs labels in the folder.
  func pairing(
    _ reference: String, _ detected: String, against: String? = nil, missingIsSilence: Bool = false
  ) throws -> Pairing {
    try Pairing(
      reference: RecordingSet(FilePath(self / reference)),
      detected: RecordingSet(FilePath(self / detected)),
      against: against.map { try RecordingSet(FilePath(self / $0)) },
      missingIsSilence: missingIsSilence)
  }
}
