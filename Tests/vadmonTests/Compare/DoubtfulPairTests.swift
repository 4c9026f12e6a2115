import Annotations
import Foundation
import SpeechScoring
import SystemPackage
import TestSupport
import Testing

@testable import vadmon

/// Results that are none: what vadmon analyze could not read.
@Suite struct DoubtfulPairTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func pairing(
    _ reference: String, _ detected: String, against: String? = nil, missingIsSilence: Bool = false
  ) throws -> Pairing {
    try Pairing(
      reference: RecordingSet(FilePath(folder / reference)),
      detected: RecordingSet(FilePath(folder / detected)),
      against: against.map { try RecordingSet(FilePath(folder / $0)) },
      missingIsSilence: missingIsSilence)
  }

  private func error(_ pairing: Pairing) throws -> RunError {
    try #require(#expect(throws: RunError.self) { _ = try pairing.recordings() })
  }

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
      let failure = try error(pairing(labels, found))
      #expect(failure.exitCode == 66 && failure.messages.count == 1)
      expectMessage(failure.messages[0], name, "torn; try again", "--missing-is-silence")
    }
    let silent = try pairing("a.txt", "one.jsonl", missingIsSilence: true)
    #expect(try silent.recordings().map(\.compared.detected) == [.spans([])])
    #expect(silent.detected.warnings.count == 1)
    expectMessage(silent.detected.warnings.joined(separator: "\n"), "torn; try again", "one.jsonl")
  }

  @Test func aFailedAnalysisOfFramesIsNeverSilence() throws {
    for name in ["a", "b"] { try folder.write("0\t1\tx\n", to: "labels/\(name).txt") }
    try failed("a.wav", to: "found/a.jsonl")
    try folder.write("time,probability,speech\n0,0.5,1\n", to: "found/b.csv")
    #expect(try error(pairing("labels", "found")).messages.count == 1)
    let silent = try error(pairing("labels", "found", missingIsSilence: true))
    #expect(silent.exitCode == 66 && silent.messages[0].contains("a has no frame table"))
  }

  /// A second run may have done what the first one could not, whichever file comes first.
  @Test(arguments: [["1", "2"], ["2", "1"]])
  func anotherResultOfAFailedAnalysisCounts(names: [String]) throws {
    try folder.write("0\t1\tx\n", to: "labels/a.txt")
    try failed("a.wav", to: "found/\(names[0]).jsonl")
    try folder.write("file,start,end\na.wav,0,1\n", to: "found/\(names[1]).csv")
    try folder.write("", to: "found/a.wav")
    #expect(try pairing("labels", "found").recordings().map(\.compared.name) == ["a"])
  }
}
