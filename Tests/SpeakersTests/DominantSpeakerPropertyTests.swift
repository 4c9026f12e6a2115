import TestSupport
import Testing

@testable import Speakers

/// A scene of random packets: `packets[step][participant]`, `nil` where none came.
private struct Scene {
  var packets: [[SpeakerObservation?]]
  static let names = ["a", "b", "c", "d"]

  /// Everybody is silent first, and then alternates between speech and silence at random. Some packets are lost.
  init(seed: UInt64, steps: Int = 400, hasPosterior: Bool) {
    var random = SeededGenerator(seed: seed)
    var talks = Self.names.map { _ in false }
    // By level alone, in the range where activity is neither none nor certain.
    let speech: ClosedRange<Float> = hasPosterior ? -45 ... -20 : -66 ... -50
    packets = (0..<steps).map { step in
      if step < 5 {
        return Self.names.map { _ in
          SpeakerObservation(level: -80, posterior: hasPosterior ? 0 : nil)
        }
      }
      return Self.names.indices.map { who in
        if Int.random(in: 0..<25, using: &random) == 0 { talks[who].toggle() }
        guard Int.random(in: 0..<10, using: &random) > 0 else { return nil }
        let level = talks[who] ? Float.random(in: speech, using: &random) : -80
        let posterior = Float.random(in: talks[who] ? 0.4...1 : 0...0.4, using: &random)
        return SpeakerObservation(level: level.rounded(), posterior: hasPosterior ? posterior : nil)
      }
    }
  }

  /// Returns the scene with one participant's speech louder and more certain in random places, by random amounts.
  func raised(_ who: Int, seed: UInt64) -> Scene {
    var random = SeededGenerator(seed: seed)
    var scene = self
    for step in packets.indices where Bool.random(using: &random) {
      guard let packet = packets[step][who], packet.level > -80 else { continue }
      scene.packets[step][who] = SpeakerObservation(
        level: packet.level + Float.random(in: 0...20, using: &random),
        posterior: packet.posterior.map { $0 + Float.random(in: 0...0.5, using: &random) })
    }
    return scene
  }

  /// Returns who is dominant after each step.
  func dominants(joining order: [String] = names) -> [String?] {
    var detector = DominantSpeakerDetector<String>()
    for name in order { detector.join(name) }
    return packets.indices.map { step in
      let now = Int64(step) * 20
      for (who, packet) in packets[step].enumerated() {
        if let packet { detector.observe(packet, from: Self.names[who], at: now) }
      }
      detector.advance(to: now)
      return detector.dominant
    }
  }
}

@Suite struct DominantSpeakerPropertyTests {
  /// Returns the first step whose dominant speaker is not `start`, and that speaker.
  private func firstChange(_ dominants: [String?], from start: String?) -> (step: Int, to: String?)?
  {
    dominants.firstIndex { $0 != start }.map { ($0, dominants[$0]) }
  }

  /// Stronger speech is louder or has a higher posterior.
  @Test(arguments: [true, false])
  func strongerSpeechNeverDelaysItsSpeaker(hasPosterior: Bool) throws {
    var seen = 0
    for seed: UInt64 in 0..<150 {
      let scene = Scene(seed: seed, hasPosterior: hasPosterior)
      guard let before = firstChange(scene.dominants(), from: nil), let winner = before.to else {
        continue
      }
      let who = try #require(Scene.names.firstIndex(of: winner))
      let after = try #require(
        firstChange(scene.raised(who, seed: seed + 1000).dominants(), from: nil))
      #expect(after.to == winner && after.step <= before.step, "seed \(seed)")
      seen += after.step < before.step ? 1 : 0
    }
    #expect(seen >= 50, "the raise must matter in many scenes")
  }

  @Test(
    arguments: [true, false])
  func strongerSpeechNeverLosesTheFloorSooner(hasPosterior: Bool) throws {
    var seen = 0
    for seed: UInt64 in 0..<150 {
      let scene = Scene(seed: seed, hasPosterior: hasPosterior)
      let dominants = scene.dominants()
      guard let first = firstChange(dominants, from: nil), let holder = first.to else { continue }
      let who = try #require(Scene.names.firstIndex(of: holder))
      var louder = scene.raised(who, seed: seed + 2000)
      louder.packets.replaceSubrange(...first.step, with: scene.packets[...first.step])
      let held = { (all: [String?]) in all[first.step...].prefix { $0 == holder }.count }
      let (before, after) = (held(dominants), held(louder.dominants()))
      #expect(after >= before, "seed \(seed)")
      seen += after > before ? 1 : 0
    }
    #expect(seen >= 50, "the raise must matter in many scenes")
  }

  @Test func decisionsDoNotDependOnJoiningOrder() {
    for seed: UInt64 in 0..<30 {
      let scene = Scene(seed: seed, hasPosterior: seed.isMultiple(of: 2))
      let dominants = scene.dominants()
      #expect(dominants == scene.dominants())
      #expect(dominants == scene.dominants(joining: ["d", "b", "a", "c"]))
    }
  }

  @Test(
    arguments: [20, 999, 100_000, 3_600_000] as [Int64])
  func oneLongSilentStepEqualsManyShortOnes(length: Int64) {
    var walking = DominantSpeakerDetector<String>()
    for name in ["a", "b"] { walking.join(name) }
    for time: Int64 in stride(from: 0, to: 2000, by: 20) {
      walking.observe(SpeakerObservation(level: -20, posterior: 1), from: "a", at: time)
      if time > 1800 {
        walking.observe(SpeakerObservation(level: -20, posterior: 1), from: "b", at: time)
      }
    }
    var jumping = walking
    for time: Int64 in stride(from: 2000, through: 2000 + length, by: 20) {
      walking.advance(to: time)
    }
    walking.advance(to: 2000 + length)
    jumping.advance(to: 2000 + length)
    for time: Int64 in stride(from: 2000 + length, to: 4000 + length, by: 20) {
      for name in ["a", "b"] {
        let packet = SpeakerObservation(level: name == "a" ? -20 : -21, posterior: 1)
        let walked = walking.observe(packet, from: name, at: time)
        let jumped = jumping.observe(packet, from: name, at: time)
        #expect(walked == jumped)
      }
      #expect(walking.dominant == jumping.dominant)
    }
  }

  /// Packets last 10, 20, 40 and 60 ms.
  @Test(
    arguments: [10, 40, 60] as [Int64])
  func decisionsDoNotDependOnPacketLength(milliseconds: Int64) {
    func decisions(every interval: Int64) -> [String?] {
      var detector = DominantSpeakerDetector<String>()
      for name in ["a", "b"] { detector.join(name) }
      return stride(from: Int64(0), to: 12_000, by: Int(interval)).map { time in
        let voice: (Float, Float) = time < 6000 ? (1, 0) : (0, 1)
        detector.observe(SpeakerObservation(level: -25, posterior: voice.0), from: "a", at: time)
        detector.observe(SpeakerObservation(level: -25, posterior: voice.1), from: "b", at: time)
        return detector.dominant
      }
    }
    let change = { (every: Int64) in
      Int64(decisions(every: every).firstIndex(of: "b") ?? -1) * every
    }
    #expect(abs(change(milliseconds) - change(20)) <= milliseconds)
  }
}
