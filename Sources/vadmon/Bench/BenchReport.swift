import Annotations
import SystemPackage
import VoiceActivity

/// What `vadmon bench` has measured.
struct BenchReport {
  /// `nil` for made-up sound.
  var recording: String?
  var results: [BenchResult] = []
  /// Why instructions were not counted.
  var note: String?

  var text: String {
    let heading = [
      "rate", "body", "µs for 10 ms", "spread", "× real time", "× memcpy", "instructions",
      "bytes a stream", "streams a core",
    ]
    let rows = results.map { result in
      let detection = result.detection
      return [
        "\(fixed(Double(result.sampleRate) / 1000, places: 1)) kHz", result.body,
        fixed(detection.median, places: 2), fixed(detection.spread, places: 2),
        fixed(result.timesRealTime, places: 0),
        fixed(detection.median / result.copy.median, places: 0),
        result.instructions.map { fixed($0, places: 0) } ?? "–", "\(result.memory)",
        "\(result.streams)",
      ]
    }
    let copies = results.map(\.copy.median)
    let notes = [
      Self.processor.map { "on \($0)" },
      "streams a core: \(Measurement.streams) streams in turn, half of the core free; memcpy of the same samples: "
        + "\(fixed((copies.min() ?? 0)...(copies.max() ?? 0), places: 3)) µs",
      note, disturbance,
    ]
    return aligned([heading] + rows) + notes.compactMap(\.self).map { $0 + "\n" }.joined()
  }

  /// The name of the processor, as Linux knows it; ARM has none.
  private static var processor: String? {
    guard let bytes = try? FilePath("/proc/cpuinfo").contents() else { return nil }
    let line = bytes.split(separator: UInt8(ascii: "\n")).first {
      $0.starts(with: "model name".utf8)
    }
    let name = line?.split(separator: UInt8(ascii: ":"), maxSplits: 1).last
    return name.map {
      printable(String(decoding: $0.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self))
    }
  }

  /// The sentence about times that cannot be trusted, if the middle ones of any row differ by half.
  private var disturbance: String? {
    let factors = results.map(\.detection.spread).map { $0.upperBound / $0.lowerBound }
    guard let most = factors.max(), most > 1.5 else { return nil }
    return
      "the times of a row differ by up to \(fixed(most, places: 1)) times, because the machine is busy or changes its "
      + "speed: measure again when it is idle"
  }

  var json: String {
    let members: JSONValue = [
      "processor": Self.processor.map { .string($0) } ?? .null,
      "recording": recording.map { .string($0) } ?? .null, "streams": .integer(Measurement.streams),
      "note": note.map { .string($0) } ?? .null, "results": .array(results.map(Self.json)),
    ]
    return members.document(version: 1, listing: ["results"])
  }

  private static func json(_ result: BenchResult) -> JSONValue {
    [
      "sample_rate": .integer(result.sampleRate), "body": .string(result.body),
      "hop_us": json(result.detection), "memcpy_us": json(result.copy),
      "crowded_us": json(result.crowded), "times_real_time": number(result.timesRealTime),
      "instructions": result.instructions.map { number($0) } ?? .null,
      "stream_bytes": .integer(result.memory), "streams_per_core": .integer(result.streams),
    ]
  }

  private static func json(_ timings: Timings) -> JSONValue {
    let spread = timings.spread
    return [
      "median": number(timings.median), "least": number(timings.least),
      "p10": number(spread.lowerBound), "p90": number(spread.upperBound),
      "repetitions": .integer(timings.count),
    ]
  }

  private static func number(_ value: Double) -> JSONValue { .number(fixed(value, places: 4)) }
}
