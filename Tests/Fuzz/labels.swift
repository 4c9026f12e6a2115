// Label files and frame tables, as `vadmon compare` reads them. The first byte names the file .csv or .txt; other
// formats are recognised by their beginning.
//
// What is accepted is in range, reads the same when it is written again, and agrees with itself wholly.

import SystemPackage

@testable import Annotations
@testable import SpeechScoring
@testable import vadmon

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = bytes(start, count)
  guard let first = input.first else { return 0 }
  let isCSV = first % 2 == 0
  let file = InputFile(isCSV ? "input.csv" : "input.txt", holding: input.dropFirst())
  // By itself, and found in a folder without recordings or with that of its name.
  for audio: Set<String>? in [nil, [], ["input"]] { read(file, audio) }
  return 0
}

private func read(_ file: InputFile, _ audio: Set<String>?) {
  do throws(RunError) {
    for (name, content) in try LabelFile.read(file.path, audio: audio) {
      if let length = content.length { require((0...1e6).contains(length), "\(length)") }
      check(name, content.track)
    }
  } catch {
    require(error.exitCode == ExitStatus.badData, "bad labels end with 65: \(error)")
    require(!error.messages.isEmpty, "bad labels have a message")
  }
}

private func check(_ name: String, _ track: LabelTrack) {
  switch track {
  case .spans(let spans):
    for span in spans {
      require(0 <= span.start && span.start <= span.end && span.end <= 1e6, "\(span)")
    }
    let text = spans.map { "\($0.start)\t\($0.end)\tspeech\n" }.joined()
    require(again(text, "labels.txt") == (spans.isEmpty ? [] : [track]), "\(spans) read again")
  case .frames(let frames):
    require(frames.times.count == frames.scores.count, "a score for each time")
    require(frames.times.count == frames.decisions.count, "a decision for each time")
    require(zip(frames.times, frames.times.dropFirst()).allSatisfy(<=), "times in order")
    require(frames.times.allSatisfy { 0 <= $0 && $0 <= 1e6 }, "times in range")
    require(frames.scores.allSatisfy(\.isFinite), "finite scores")
    let rows = frames.times.indices.map {
      "\(frames.times[$0]),\(frames.scores[$0]),\(frames.decisions[$0] ? 1 : 0)\n"
    }
    require(
      again("time,probability,speech\n" + rows.joined(), "frames.csv") == [track],
      "frames read again")
  }
  score(track)
}

/// What a written text reads as; nothing for one empty track.
private func again(_ text: String, _ name: String) -> [LabelTrack]? {
  let file = InputFile(name, holding: Array(text.utf8))
  guard let read = try? LabelFile.read(file.path, audio: nil) else { return nil }
  return text.isEmpty ? [] : read.map(\.content.track)
}

/// Against itself: nothing is missed and nothing is a false alarm.
private func score(_ track: LabelTrack) {
  let reference: [LabelledSpan]
  switch track {
  case .spans(let spans): reference = spans
  case .frames(let frames):
    guard frames.end < 60 else { return }
    reference = []
  }
  guard reference.allSatisfy({ $0.end < 60 }) else { return }
  let recording = ComparedRecording(
    name: "input", folder: "", reference: reference, detected: track, against: track)
  guard let comparison = try? Evaluation().comparison(of: [recording]) else {
    return require(false, "\(track) can be compared")
  }
  guard case .spans = track else { return }
  let tally = comparison.pooled.tallies[0]
  require(
    tally.misses == 0 && tally.falseAlarms == 0, "\(reference) agree with themselves: \(tally)")
}
