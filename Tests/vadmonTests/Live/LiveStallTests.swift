import Foundation
import TestSupport
import Testing
import VirtualDeviceSupport

/// Silent stalls of a device, which the world's clock outlives: the recording, the segments and the gaps are true to
/// that clock.
@Suite struct LiveStallTests {
  private static let rate = 16_000
  /// The lengths in ms. A source opens a device anew after 5 s.
  private static let lengths = [50, 120, 160, 240, 310, 320, 1000, 5000]
  private static let sound = TestAudio.samples + "/speech.flac"

  private struct Stall {
    var frame: Int
    var length: Int
    /// A device that is up to 50 ms late may have a counter that moves in steps.
    var isSeen: Bool { length * 20 > LiveStallTests.rate }
  }

  /// A run with all stalls, at least 1.5 s apart.
  private struct Run {
    let folder = TemporaryFolder()
    let stalls: [Stall]
    let program: RunningProgram

    /// - Parameter phase: Where in a period the stalls begin, in frames.
    init(phase: Int, buffer: String) throws {
      var (stalls, frame) = ([Stall](), 24_000 + phase)
      for milliseconds in LiveStallTests.lengths {
        let stall = Stall(frame: frame, length: milliseconds * 16)
        stalls.append(stall)
        // The delay after a stall that is not seen is believed once a second of readings has had it.
        frame += stall.length + (stall.isSeen ? 24_000 : 56_000)
      }
      self.stalls = stalls
      let lines = stalls.map { "at \($0.frame) stand \($0.length)\n" }.joined()
      let device = try TestDevice("loop \(LiveStallTests.sound)\n\(lines)")
      program = try RunningProgram(
        command: [
          "live", "--device", device.name, "--rate", "\(LiveStallTests.rate)", "--buffer", buffer,
          "--duration", "24s", "--json", "--record", folder / "record.wav", "--save-segments",
          folder / "out",
        ], environment: try VirtualDriver.environment)
    }

    /// Returns what is wrong, at most a few sentences.
    func faults() throws -> [String] {
      guard program.wait() == 0 else { return ["it failed: \(try program.errors)"] }
      let records = try program.records
      let recorded = try CutRecording.decode(folder / "record.wav", as: "f32le")
      let segments = records.ofType("segment")
      return try LiveStallTests.faults(of: recorded, stalls)
        + LiveStallTests.faults(ofGaps: records, stalls)
        + LiveStallTests.faults(ofTimes: records)
        + (segments.isEmpty ? ["there is no segment"] : [])
        + segments.flatMap { try LiveStallTests.faults(of: $0, recorded) }
    }
  }

  /// On a machine that is too busy, the source may not look at its device while it stands, and a short buffer overruns.
  /// Neither happens in each of four runs.
  @Test(.tags(.slow)) func soundBehindAStallStandsAtItsTime() throws {
    var faults = ["200ms": ["not run yet"], "4s": ["not run yet"]]
    for _ in 0..<4 {
      let runs = try faults.keys.map { buffer in
        (buffer, try [37, 80, 121].map { try Run(phase: $0, buffer: buffer) })
      }
      for (buffer, runs) in runs {
        let found = try runs.flatMap { try $0.faults() }
        faults[buffer] = found.isEmpty ? nil : found
      }
      if faults.isEmpty { return }
    }
    Issue.record("\(faults)")
  }

  /// Every sample is the one that the device made at its time. A stall is silence, exactly as long as it lasted, or to
  /// a frame once the device was late by a stall that is not seen.
  private static func faults(of recorded: [UInt32], _ stalls: [Stall]) throws -> [String] {
    let sound = try CutRecording.decode(sound, as: "f32le")
    /// By how much the recording is ahead of the device, because stalls were too short to be seen.
    var (place, early) = (0, 0)
    for stall in stalls + [Stall(frame: recorded.count, length: 0)] {
      let end = min(stall.frame - early, recorded.count)
      for index in place..<max(place, end)
      where recorded[index] != sound[(index + early) % sound.count] {
        return ["sample \(index) is not that of frame \(index + early)"]
      }
      place = end
      guard stall.isSeen else {
        early += stall.length
        continue
      }
      var gapEnd = min(end + stall.length, recorded.count)
      guard recorded[end..<gapEnd - 1].allSatisfy({ $0 == 0 }) else {
        return ["new sound stands in the gap of \(stall.length) frames at \(stall.frame)"]
      }
      // A device that is opened anew loses a little more.
      while stall.length >= 5 * rate, gapEnd < recorded.count, recorded[gapEnd] == 0 { gapEnd += 1 }
      place = gapEnd
      let next = [0, -1, 1].first { shift in
        (0..<1000).allSatisfy { offset in
          let index = gapEnd + max(shift, 0) + offset
          return index >= recorded.count
            || recorded[index] == sound[(index + early - shift) % sound.count]
        }
      }
      early -= next ?? 0
      place += max(next ?? 0, 0)
    }
    return []
  }

  private static func faults(ofGaps records: [JSONObject], _ stalls: [Stall]) -> [String] {
    let gaps = records.ofType("gap").map {
      ($0["time"] as? Double ?? -1, $0["length"] as? Double ?? -1)
    }
    let seen = stalls.filter(\.isSeen)
    guard gaps.count == seen.count else { return ["gaps: \(gaps)"] }
    // The stall that is not seen is the first.
    let early = stalls[0].isSeen ? 0 : stalls[0].length
    return zip(gaps, seen).compactMap { gap, stall in
      let time = Double(stall.frame - early) / Double(rate)
      let length = Double(stall.length) / Double(rate)
      let isRight =
        abs(gap.0 - time) < 0.001
        && (length < 5 ? abs(gap.1 - length) < 0.001 : length..<length + 1 ~= gap.1)
      return isRight ? nil : "a gap \(gap) where \(length) s are missing at \(time) s"
    }
  }

  /// No event is decided before it happens, or before one that was printed earlier.
  private static func faults(ofTimes records: [JSONObject]) -> [String] {
    var latest = 0.0
    return records.compactMap { record in
      guard let time = record["time"] as? Double, let decided = record["decided_at"] as? Double
      else {
        return nil
      }
      defer { latest = decided }
      return decided >= max(time, latest) ? nil : "\(record) after a decision at \(latest) s"
    }
  }

  private static func faults(of segment: JSONObject, _ recorded: [UInt32]) throws -> [String] {
    guard let file = segment["saved"] as? String, let start = segment["start"] as? Double,
      let end = segment["end"] as? Double
    else { return ["\(segment)"] }
    let saved = try CutRecording.decode(file, as: "f32le")
    let first = Int((start * Double(rate)).rounded())
    // Times in JSON are whole milliseconds; the end of the stream need not be.
    let isWhole =
      abs(saved.count - Int(((end - start) * Double(rate)).rounded())) < 16
      && first + saved.count <= recorded.count
    return isWhole && saved == Array(recorded[first..<first + saved.count])
      ? [] : ["\(file) is not the recording from \(start) to \(end) s"]
  }
}
