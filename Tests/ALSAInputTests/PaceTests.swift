import ALSAInput
import TestSupport
import Testing
import VirtualDevice
import VirtualDeviceSupport

@testable import struct ALSAInput.Pace

/// How often the capture thread looks at a device, whatever the device does.
@Suite struct PaceTests {
  private static let millisecond: Int64 = 1_000_000
  private static let second = 1000 * millisecond

  /// Lets a device call the thread, which sleeps as `Pace` says; the times of its looks, in ns.
  ///
  /// - Parameters:
  ///   - period: What the device agreed to, ns.
  ///   - buffer: How much it keeps, ns.
  ///   - wait: How long the device lets the thread wait before a look, ns.
  ///   - frames: What a look brings, by its number.
  private func looks(
    period: Int64, buffer: Int64 = second, until end: Int64 = 60 * second, wait: () -> Int64,
    frames: (Int) -> Int
  ) -> [Int64] {
    var (pace, now, looks) = (Pace(period: period, buffer: buffer), Int64(5), [Int64]())
    while now < end {
      now += wait()
      looks.append(now)
      now += Int64(pace.pause(after: frames(looks.count), at: now)) * Self.millisecond
    }
    return looks
  }

  /// Always readable, and nothing comes: 40 µs a call, as with PulseAudio's plugin.
  @Test(arguments: [1, 5, 10, 20, 100, 1000] as [Int64]) func nothingComes(period: Int64) {
    let looks = looks(period: period * Self.millisecond, wait: { 40_000 }, frames: { _ in 0 })
    #expect((25 * 60 - 20...25 * 60 + 20).contains(looks.count))
  }

  /// Always readable, and something comes with every call, or with some: a device that runs free, or gives frames one
  /// by one.
  @Test(arguments: [10, 20, 100] as [Int64], 1...4) func alwaysReadable(period: Int64, seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let looks = looks(
      period: period * Self.millisecond, wait: { 40_000 },
      frames: { seed == 1 ? $0 : Int.random(in: 0...1, using: &random) })
    // The first 20 make up for a delay that was none.
    #expect(looks.count <= 200 * 60 + 20)
  }

  /// A device that calls once a period is looked at once a period, jitter and all.
  @Test(arguments: [1, 2, 5, 10, 20, 100] as [Int64]) func aDeviceThatWaits(period: Int64) {
    var random = SeededGenerator(seed: 5)
    var pace = Pace(period: period * Self.millisecond, buffer: Self.second)
    var now: Int64 = 0
    for _ in 0..<10_000 {
      now += period * Self.millisecond + .random(in: -300_000...300_000, using: &random)
      #expect(pace.pause(after: 1, at: now) == 0)
    }
  }

  /// After a silence of any length the thread is back within 40 ms, and then keeps up with every period.
  @Test func soundComesAgain() {
    var pace = Pace(period: 10 * Self.millisecond, buffer: 200 * Self.millisecond)
    var now: Int64 = 0
    for _ in 0..<1000 {
      now += 40_000
      let pause = Int64(pace.pause(after: 0, at: now)) * Self.millisecond
      #expect(pause <= Pace.longestPause)
      now += pause
    }
    for _ in 0..<1000 {
      now += 10 * Self.millisecond
      #expect(pace.pause(after: 480, at: now) == 0)
    }
  }

  /// However long nothing came, or nothing could be decided: sound that comes right after a look fills a quarter of the
  /// buffer at most until the next.
  @Test(arguments: [(5, 10), (5, 20), (10, 20), (10, 40), (10, 79), (20, 200)] as [(Int64, Int64)])
  func aSmallBufferIsNotFilledBetweenTwoLooks(period: Int64, buffer: Int64) {
    let looks = looks(
      period: period * Self.millisecond, buffer: buffer * Self.millisecond, until: Self.second,
      wait: { 40_000 }, frames: { _ in 0 })
    let pauses = zip(looks.dropFirst(), looks).map { $0 - $1 - 40_000 }
    // Looks are 5 ms apart on average, or half a period, whatever the buffer.
    let longest = max(buffer * Self.millisecond / 4, min(5, period / 2) * Self.millisecond)
    // A pause is rounded up to a millisecond.
    #expect(pauses.allSatisfy { $0 <= longest + Self.millisecond }, "\(pauses.max() ?? 0)")
  }

  /// A thread that was kept from running catches up at once.
  @Test func catchesUp() {
    var pace = Pace(period: 10 * Self.millisecond, buffer: 200 * Self.millisecond)
    _ = pace.pause(after: 480, at: 0)
    for index in 0..<10 {
      #expect(pace.pause(after: 480, at: Self.second + Int64(index) * 100_000) == 0)
    }
  }

  /// The real thread: frames are counted by the device, wake-ups by the thread, and no other clock counts.
  @Test(
    .tags(.slow),
    arguments: ["at 1600 idle 48000", "at 1600 stand 48000", "at 1600 stall 48000", ""])
  func wakeUps(fault: String) async throws {
    let end: UInt64 = 64_000
    let session = try await Session.captured(fault, end: end)
    #expect(session.recording.wrong == [] && session.device.made == end)
    #expect(
      Double(session.status.wakeUps) <= 250 * Double(end) / 16_000, "\(session.status.wakeUps)")
    // 3 of the 4 s have no sound: once a period then, and 25 times a second otherwise.
    if !fault.isEmpty { #expect(session.status.wakeUps <= 100 + 3 * 30 + 60) }
  }

  /// A device that calls from the beginning and gives nothing, as a sound server does. Positions count from its first
  /// frame on.
  @Test func wakeUpsBeforeTheFirstFrame() async throws {
    let (status, captured) = try await onOwnThread {
      let device = try TestDevice("at 0 idle 32000\nat 40000 end\n")
      let source = try device.source()
      let recording = try Recording(source, until: 8000) { position, _ in
        ramp(position + 32_000, 0, .s16)
      }
      #expect(recording.wrong == [] && recording.gaps == [])
      return (source.status, recording.captured)
    }
    #expect(captured == 8000)
    #expect(status.wakeUps <= 2 * 30 + 50 + 60)
  }
}
