import Foundation
import TestSupport
import Testing

@testable import vadmon

/// `vadmon bench` as users run it. No test depends on how fast the machine is.
@Suite struct BenchTests {
  private let folder = TemporaryFolder()

  private func results(
    _ arguments: [String] = [], environment: [String: String] = [:]
  ) throws -> [JSONObject] {
    let result = try Program.vadmon(
      ["bench", "--seconds", "1", "--format", "json"] + arguments, environment: environment)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    let hasCounter = try result.json["note"] is NSNull
    let results = try result.json.objects("results")
    #expect(results.allSatisfy { ($0["instructions"] is NSNull) != hasCounter })
    return results
  }

  @Test func ratesAndBodiesAreMeasured() throws {
    let results = try results()
    let rates = results.compactMap { $0["sample_rate"] as? Int }
    #expect(Set(rates) == [8000, 16_000, 44_100, 48_000])
    let bodies = Set(results.compactMap { $0["body"] as? String })
    #expect(bodies.contains("portable") && results.count == 4 * bodies.count)
    for result in results {
      for name in ["hop_us", "memcpy_us", "crowded_us"] {
        let times = try #require(result[name] as? [String: Double])
        let order = ["least", "p10", "median", "p90"].compactMap { times[$0] }
        #expect(order == order.sorted() && order.count == 4 && order[0] >= 0, "\(name)")
      }
      let hop = try #require((result["hop_us"] as? [String: Double])?["median"])
      let speed = try #require(result["times_real_time"] as? Double)
      #expect(hop > 0 && abs(speed * hop / 10_000 - 1) < 0.01)
    }
    let memory = { (rate: Int) in
      results.first { $0["sample_rate"] as? Int == rate }?["stream_bytes"] as? Int ?? 0
    }
    #expect(memory(16_000) > 0 && memory(48_000) > memory(16_000), "48 kHz needs a resampler")
  }

  @Test func theEnvironmentLimitsTheBody() throws {
    let results = try results(environment: ["VA_CPU": "portable"])
    #expect(results.map { $0["body"] as? String } == Array(repeating: "portable", count: 4))
  }

  @Test func theRecordingIsNotReplaced() throws {
    let recording = try folder.write(TestAudio.wav(TestAudio.utterance()), to: "a.wav")
    let before = try Data(contentsOf: URL(fileURLWithPath: recording))
    let result = try Program.vadmon("bench", recording, "--output", recording)
    #expect(result.status == 64 && result.errors.contains("would replace"), "\(result.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: recording)) == before)
  }

  @Test func aRecordingIsMeasuredAtItsRate() throws {
    let results = try results([TestAudio.samples + "/stereo-48k.flac"])
    #expect(Set(results.compactMap { $0["sample_rate"] as? Int }) == [48_000])
  }

  @Test func theTextHasALineForEach() throws {
    let result = try Program.vadmon(
      "bench", "--seconds", "1", TestAudio.samples + "/telephone-8k.wav")
    #expect(result.status == 0 && result.lines[0].contains("× real time"))
    #expect(result.lines.contains { $0.hasPrefix("8.0 kHz  ") && $0.contains("portable") })
    #expect(result.lines.contains { $0.hasPrefix("streams a core: 500 streams in turn, half") })
  }

  @Test func aLimitWithoutEffectIsWarnedOf() throws {
    for (limit, isKnown) in [("portable", true), ("AVX2", false), ("", false)] {
      let result = try Program.vadmon("bench", "--seconds", "1", environment: ["VA_CPU": limit])
      #expect(result.status == 0)
      #expect(result.errors.contains("VA_CPU is \(limit), which is not") == !isKnown)
    }
  }

  @Test func whatCannotBeMeasuredIsExplained() throws {
    let silent = try folder.write(TestAudio.wav(TestAudio.silence(seconds: 1)), to: "silent.wav")
    let short = try folder.write(
      TestAudio.wav([Float](repeating: 0.5, count: 159)), to: "short.wav")
    for (path, status, sentence) in [
      (silent, 65, "has too little sound in its first 10 s: name another recording"),
      (short, 65, "has too little sound in its first 10 s"),
      (folder / "none.wav", 66, "none.wav: No such file"),
      (
        "-", 64, "bench reads a recording several times, which standard input cannot be: use a file"
      ),
    ] as [(String, Int32, String)] {
      let result = try Program.vadmon("bench", path)
      #expect(result.status == status && result.output.isEmpty)
      #expect(result.errors.contains(sentence), "\(result.errors)")
    }
    let bad = try Program.vadmon("bench", "--seconds", "0")
    #expect(bad.status == 64)
    expectMessage(bad.errors, "--seconds", "'0'", "1", "3600")
  }

  @Test func percentilesAreThoseOfTheTimes() {
    let timings = Timings((0...100).map(Double.init).shuffled())
    #expect(timings.least == 0 && timings.median == 50 && timings.spread == 10...90)
    #expect(Timings([3]).median == 3 && Timings([3]).spread == 3...3)
  }

  /// Where nothing is heard the detector has less to do: no portion may be silent.
  @Test(arguments: BenchSound.rates) func madeUpSoundIsNeverSilent(rate: Int) {
    let sound = BenchSound(sampleRate: rate)
    #expect(sound.hops == 1000 && sound.samples.allSatisfy { abs($0) < 1 })
    for hop in 0..<sound.hops {
      let portion = sound.samples[hop * sound.hopLength..<(hop + 1) * sound.hopLength]
      #expect(portion.contains { abs($0) > 1e-4 })
    }
  }
}
