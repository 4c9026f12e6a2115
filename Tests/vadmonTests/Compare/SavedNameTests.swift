import Annotations
import Foundation
import SpeechScoring
import SystemPackage
import TestSupport
import Testing

@testable import vadmon

/// Labels under the names that the label editor of a report gives its files, which have no folders. Tests/ReportPage
/// has such files from the page itself.
@Suite struct SavedNameTests {
  private let folder = TemporaryFolder()

  /// Writes a label of a length to a file; the lengths tell the files apart.
  private func write(_ names: String...) throws {
    for (index, name) in names.enumerated() {
      try folder.write("0\t\(index + 1)\tspeech\n", to: name)
    }
  }

  /// Returns the length of each recording's label on the first side, by the recording's name.
  private func lengths(
    _ reference: String, _ detected: String, against: String? = nil, missingIsSilence: Bool = false
  ) throws -> [String: Double] {
    let recordings = try folder.pairing(
      reference, detected, against: against, missingIsSilence: missingIsSilence
    ).recordings().map(\.compared)
    return Dictionary(
      uniqueKeysWithValues: recordings.map { ($0.name, $0.reference.last?.end ?? 0) })
  }

  private func refusal(_ body: () throws -> Void) throws -> String {
    let error = try #require(#expect(throws: RunError.self) { try body() })
    #expect(error.exitCode == 65)
    return error.messages.joined(separator: "\n")
  }

  @Test func theFoldersMayBeInTheName() throws {
    try write("ref/a_x.txt", "ref/b_c_x.txt", "ref/x.txt", "ref/y.txt")
    try write("found/a/x.txt", "found/b/c/x.txt", "found/x.txt", "found/a/y.txt")
    #expect(try lengths("ref", "found") == ["a/x": 1, "b/c/x": 2, "x": 3, "y": 4])
  }

  @Test func suchFilesMayHaveAFolderOfTheirOwn() throws {
    try write("ref/day/a_x.txt", "ref/day/b_x.txt", "found/a/x.txt", "found/b/x.txt")
    #expect(try lengths("ref", "found") == ["day/a/x": 1, "day/b/x": 2])
  }

  /// Recordings may lie further down than the page had to say.
  @Test func theNameHasTheLastFolders() throws {
    try write("ref/a_x.txt", "ref/b_x.txt")
    try write("found/my set/a/x.txt", "found/my set/b/x.txt")
    #expect(try lengths("ref", "found") == ["a/x": 1, "b/x": 2])
    try write("long/my_set_a_x.txt", "long/my_set_b_x.txt")
    #expect(try lengths("long", "found") == ["my set/a/x": 1, "my set/b/x": 2])
  }

  @Test func recordingsOfOneFolderKeepTheirExtensions() throws {
    try write("ref/a_x.wav.txt", "ref/a_x.flac.txt", "ref/b_x.txt")
    try write("found/a/x.wav.txt", "found/a/x.flac.txt", "found/b/x.txt")
    #expect(try lengths("ref", "found") == ["x.wav": 1, "x.flac": 2, "x": 3])
  }

  @Test func charactersThatBrowsersReplaceAreFound() throws {
    let names = ["2026-11-25T22:55:00", #"a?*<>"|\%b"#, "~hidden", "a\u{200D}b"]
    for (index, name) in names.enumerated() {
      try folder.write("0\t1\tx\n", to: "found/\(name).txt")
      try folder.write("0\t\(index + 1)\tx\n", to: "ref/\(RecordingName.saved([name])).txt")
    }
    let wanted = Dictionary(uniqueKeysWithValues: zip(names, [1.0, 2, 3, 4]))
    #expect(try lengths("ref", "found") == wanted)
    #expect(
      try lengths("found", "ref").keys.sorted() == names.sorted(), "either side may have them")
    try write("two/a_10_55.txt", "two/b_10_55.txt", "there/a/10:55.txt", "there/b/10:55.txt")
    #expect(try lengths("two", "there") == ["a/10:55": 1, "b/10:55": 2])
  }

  @Test func eachSideMayHaveSuchNames() throws {
    try write("ref/a_x.txt", "ref/b_x.txt", "found/a/x.txt", "found/b/x.txt")
    try write("other/b_x.txt", "other/a_x.txt")
    #expect(try lengths("ref", "other") == ["a_x": 1, "b_x": 2])
    for sides in [["ref", "other", "found"], ["ref", "found", "other"]] {
      #expect(try lengths(sides[0], sides[1], against: sides[2]) == ["a/x": 1, "b/x": 2])
    }
    for name in ["a/x.wav", "b/x.wav"] {
      try folder.write(TestAudio.wav(TestAudio.utterance()), to: "sound/\(name)")
    }
    var pairing = try folder.pairing("ref", "other")
    pairing.sound = try RecordingSet(soundIn: FilePath(folder / "sound"))
    let sounds = try pairing.recordings().map { $0.sound?.string }
    #expect(sounds == [folder / "sound/a/x.wav", folder / "sound/b/x.wav"])
  }

  @Test func aNameOfTwoRecordingsIsRefused() throws {
    try write("ref/a_b_x.txt", "found/a/b_x.txt", "found/a_b/x.txt")
    for missingIsSilence in [false, true] {
      let message = try refusal {
        _ = try lengths("ref", "found", missingIsSilence: missingIsSilence)
      }
      expectMessage(message, folder / "ref/a_b_x.txt", "a/b_x or a_b/x")
    }
    try write("own/a_x.txt", "both/a_x.txt", "both/a/x.txt")
    let own = try refusal { _ = try lengths("own", "both", missingIsSilence: true) }
    expectMessage(own, folder / "own/a_x.txt", "a/x or a_x")
    try write("times/10_55.txt", "clock/10:55.txt", "clock/10?55.txt")
    expectMessage(try refusal { _ = try lengths("times", "clock") }, "10:55 or 10?55")
  }

  /// Labels that have a recording's own name are its labels.
  @Test func whatHasItsOwnLabelsIsNotLookedFor() throws {
    try write("ref/a_x.txt", "ref/x.txt", "found/a_x.txt", "found/a/x.txt")
    #expect(try lengths("ref", "found") == ["a_x": 1, "x": 2])
    try write("deep/a_x.txt", "deep/a/x.txt")
    #expect(try lengths("deep", "found") == ["a_x": 1, "x": 2])
  }

  /// The TSV of the page also names the recording, as the user wrote it.
  @Test func labelsMayBeSavedBesideTheirRecordings() throws {
    for (name, label) in [
      ("a/x.wav", "a_x"), ("b/x.wav", "b_x"), ("10:55.wav", "10_55"), ("c/y.wav", "y.wav"),
      ("c/y.flac", "y.flac"), ("c/z.wav", "z"),
    ] {
      let end = label.count
      try folder.write(
        "type\tfile\tchannel\tstart\tend\nsegment\tset/\(name)\t\t0\t\(end)\n",
        to: "set/\(label).tsv")
      try folder.write("", to: "set/\(name)")
      let stem = label.hasPrefix("y") ? "c/\(label)" : RecordingName.stem(name)
      let place = name.split(separator: "/").dropLast().joined()
      try folder.write(
        "time,probability,speech\n0,0.5,1\n",
        to: "found/\(label.hasPrefix("y") ? stem : place + "/" + stem).csv")
    }
    #expect(
      try lengths("set", "found")
        == ["a/x": 3, "b/x": 3, "10:55": 5, "y.wav": 5, "y.flac": 6, "z": 1])
  }
}
