import CVoiceActivity
import TestSupport
import Testing

@testable import VoiceActivity
@testable import VoiceMonitor

/// The tracker against its definition, computed from all hops each time, and the statistics that its numbers are based
/// on.
@Suite struct SignalHealthOracleTests {
  private func hop(level: Float, peak: Float, isMissing: Bool = false) -> VoiceActivityHop {
    var hop = va_hop()
    (hop.level_dbfs, hop.peak_dbfs) = (level, peak)
    hop.flags = isMissing ? UInt8(VA_HOP_MISSING.rawValue) : 0
    return VoiceActivityHop(hop)
  }

  /// Returns up to 8 s of one kind of hop: zeros, faint, audible, full scale now and then, or missing.
  private func stretch(_ generator: inout SeededGenerator) -> [VoiceActivityHop] {
    let kind = Int.random(in: 0..<6, using: &generator)
    let base = Float.random(in: -100 ... -40, using: &generator)
    return (0..<Int.random(in: 1...800, using: &generator)).map { _ in
      let level = base + Float.random(in: -0.5...0.5, using: &generator)
      return switch kind {
      case 0: hop(level: -127, peak: -127)
      case 1: hop(level: -127, peak: -127, isMissing: true)
      case 2: hop(level: -20, peak: Int.random(in: 0..<5, using: &generator) == 0 ? 0 : -6)
      case 3: hop(level: level, peak: Int.random(in: 0..<90, using: &generator) == 0 ? 0 : -6)
      default: hop(level: level, peak: level + 12)
      }
    }
  }

  /// Returns whether the last 2 s were zeros.
  private func isSilent(_ hops: [VoiceActivityHop]) -> Bool {
    hops.count >= 200 && hops.suffix(200).allSatisfy { $0.peakDBFS == -127 }
  }

  /// Returns whether some second held 20 hops at full scale and no 2 s since then were without any. `full` holds the
  /// indices of such hops.
  private func isClipping(_ full: [Int], count: Int) -> Bool {
    var next = count
    for index in full.indices.reversed() {
      guard next - full[index] <= 200 else { return false }
      if index >= 19, full[index] - full[index - 19] < 100 { return true }
      next = full[index]
    }
    return false
  }

  /// Returns the levels of the last `count` whole blocks of ten hops with sound, dBFS.
  private func lastBlocks(_ count: Int, of hops: [VoiceActivityHop]) -> [Float]? {
    let heard = hops.filter { $0.peakDBFS > -127 }.map { max($0.levelDBFS, -90) }
    let end = heard.count / 10 * 10
    guard end >= 10 * count else { return nil }
    return stride(from: end - 10 * count, to: end, by: 10).map { start in
      heard[start..<start + 10].reduce(0, +) / 10
    }
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func randomInputsMatchTheDefinition(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let run = HealthRun(hops: (0..<10).flatMap { _ in stretch(&generator) })
    var heard: [VoiceActivityHop] = []
    var full: [Int] = []
    var last = SignalHealth.starting
    var changes: [SignalHealth] = []
    for (hop, state) in zip(run.hops, run.states) {
      if state != last { changes.append(state) }
      if hop.isMissing { #expect(state == last) }
      defer { last = state }
      guard !hop.isMissing else { continue }
      if hop.peakDBFS >= -0.1 { full.append(heard.count) }
      heard.append(hop)
      let isSilent = isSilent(heard)
      #expect((state == .digitalSilence) == isSilent)
      if state == .deadLine && last != .deadLine {
        let blocks = try #require(lastBlocks(50, of: heard))
        #expect(blocks.max()! < -67 && blocks.max()! - blocks.min()! < 3)
      } else if !isSilent && state != .deadLine {
        #expect((state == .clipping) == isClipping(full, count: heard.count))
      }
    }
    #expect(run.changes == changes)
  }

  /// Its 100 ms levels spread by 0.7 dB in 5 s.
  @Test func levelsOfWhiteNoiseVaryFarLessThanTheLimit() throws {
    let hops = try HealthRun([.noise(dBFS: -60, seconds: 40)]).hops
    let spreads = stride(from: 0, to: hops.count, by: 500).map { start in
      let blocks = lastBlocks(50, of: Array(hops[start..<start + 500]))!
      return blocks.max()! - blocks.min()!
    }
    #expect(spreads.count == 8)
    let mean = spreads.reduce(0, +) / 8
    #expect(abs(mean - 0.69) < 0.1)
  }
}
