import Annotations
import Foundation
import SpeechScoring
import SystemPackage
import TestSupport
import Testing

@testable import vadmon

/// Two files that are compared although they may not belong together, and results that are none.
@Suite struct DoubtfulPairTests {
  private let folder = TemporaryFolder()

  private func rttm(_ name: String, to path: String) throws {
    try folder.write("SPEAKER \(name) 1 0 1 <NA> <NA> x <NA> <NA>\n", to: path)
  }

  private func error(_ pairing: Pairing) throws -> RunError {
    try #require(#expect(throws: RunError.self) { _ = try pairing.recordings() })
  }

  // MARK: Names

  @Test func filesOfTwoRecordingsAreNamed() throws {
    try folder.write("", to: "music.txt")
    try rttm("speech", to: "speech.rttm")
    try folder.write("file,start,end\nx/music.wav,0,1\n", to: "found.csv")
    for (reference, detected) in [
      ("music.txt", "speech.rttm"), ("speech.rttm", "found.csv"), ("found.csv", "speech.rttm"),
    ] {
      let pairing = try folder.pairing(reference, detected)
      #expect(try pairing.recordings().count == 1)
      #expect(pairing.warnings.count == 1)
      expectMessage(
        pairing.warnings.joined(separator: "\n"), folder / reference, folder / detected, "music",
        "speech")
    }
    let three = try folder.pairing("found.csv", "found.csv", against: "speech.rttm")
    #expect(try three.recordings().count == 1 && three.warnings.count == 1)
  }

  /// `x.wav.csv` and `x.ch2.csv` are of `x`, and standard input names nothing.
  @Test(arguments: ["speech.csv", "speech.wav.csv", "speech.ch2.csv"])
  func theSameRecordingMayHaveSeveralNames(name: String) throws {
    try rttm("speech", to: "any.rttm")
    try rttm("stdin", to: "stdin.rttm")
    try folder.write("start,end\n0,1\n", to: name)
    #expect(try folder.pairing("any.rttm", name).warnings == [])
    #expect(try folder.pairing("stdin.rttm", name).warnings == [])
  }

  @Test func aPipeNamesNoRecording() throws {
    try rttm("speech", to: "any.rttm")
    let result = try Program.shell(
      """
      mkfifo pipe && { timeout 60 sh -c 'printf "0\t1\tx\n" > pipe' & } &&
      exec "$vadmon" compare any.rttm pipe
      """, in: folder)
    #expect(result.status == 0 && !result.errors.contains("pipe"), "\(result.errors)")
  }

  @Test func filesThatNameNothingAndFoldersAreNotDoubted() throws {
    for name in ["labels.txt", "found.srt.txt", "one/a.txt"] {
      try folder.write("0\t1\tx\n", to: name)
    }
    try rttm("elsewhere", to: "two/a.rttm")
    #expect(try folder.pairing("one/a.txt", "two/a.rttm").warnings == [], "they are named alike")
    #expect(try folder.pairing("labels.txt", "found.srt.txt").warnings == [])
    #expect(try folder.pairing("one", "two").warnings == [])
  }

  @Test func namesAreShownWithoutControlCharacters() throws {
    try folder.write("0\t1\tx\n", to: "a.txt")
    try rttm("b\u{1B}[31m", to: "b.rttm")
    let warnings = try folder.pairing("a.txt", "b.rttm").warnings
    #expect(warnings.count == 1 && !warnings[0].contains("\u{1B}"))
  }

  // MARK: Results that are none

  private func failed(_ name: String, to path: String) throws {
    try folder.write(
      "{\"type\": \"error\", \"file\": \"\(name)\", \"message\": \"torn; try again\"}\n", to: path)
  }

  @Test func aFailedAnalysisIsMissing() throws {
    try folder.write("0\t1\tx\n", to: "a.txt")
    try folder.write("0\t1\tx\n", to: "labels/a.txt")
    try failed("a.wav", to: "one.jsonl")
    try failed("random.wav", to: "other.jsonl")
    try failed("a.wav", to: "found/a.jsonl")
    for (labels, found, name) in [
      ("a.txt", "one.jsonl", "a"), ("a.txt", "other.jsonl", "random"), ("labels", "found", "a"),
      ("one.jsonl", "a.txt", "a"), ("labels", "one.jsonl", "a"),
    ] {
      let failure = try error(folder.pairing(labels, found))
      #expect(failure.exitCode == 66 && failure.messages.count == 1)
      expectMessage(failure.messages[0], name, "torn; try again", "--missing-is-silence")
    }
    let silent = try folder.pairing("a.txt", "one.jsonl", missingIsSilence: true)
    #expect(try silent.recordings().map(\.compared.detected) == [.spans([])])
    #expect(silent.detected.warnings.count == 1)
    expectMessage(silent.detected.warnings.joined(separator: "\n"), "torn; try again", "one.jsonl")
  }

  @Test func aFailedAnalysisOfFramesIsNeverSilence() throws {
    for name in ["a", "b"] { try folder.write("0\t1\tx\n", to: "labels/\(name).txt") }
    try failed("a.wav", to: "found/a.jsonl")
    try folder.write("time,probability,speech\n0,0.5,1\n", to: "found/b.csv")
    #expect(try error(folder.pairing("labels", "found")).messages.count == 1)
    let silent = try error(folder.pairing("labels", "found", missingIsSilence: true))
    #expect(silent.exitCode == 66 && silent.messages[0].contains("a has no frame table"))
  }

  /// A second run may have done what the first one could not, whichever file comes first.
  @Test(arguments: [["1", "2"], ["2", "1"]])
  func anotherResultOfAFailedAnalysisCounts(names: [String]) throws {
    try folder.write("0\t1\tx\n", to: "labels/a.txt")
    try failed("a.wav", to: "found/\(names[0]).jsonl")
    try folder.write("file,start,end\na.wav,0,1\n", to: "found/\(names[1]).csv")
    try folder.write("", to: "found/a.wav")
    #expect(try folder.pairing("labels", "found").recordings().map(\.compared.name) == ["a"])
  }

  @Test func anEmptyResultIsDoubted() throws {
    try folder.write("", to: "a.txt")
    try folder.write("", to: "a.rttm")
    try folder.write("\n", to: "blank.rttm")
    let warnings = try folder.pairing("a.txt", "a.rttm", against: "blank.rttm").warnings
    #expect(warnings.count == 1, "the labels may be empty: \(warnings)")
    expectMessage(warnings.joined(separator: "\n"), folder / "a.rttm", "empty")
    try folder.write("", to: "one/a.txt")
    #expect(try folder.pairing("one", "one").warnings == [])
  }
}
