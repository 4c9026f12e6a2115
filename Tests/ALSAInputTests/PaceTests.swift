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

  /// Simulates a device that wakes the thread, which sleeps according to `Pace`, and returns the times of its looks, in
  /// ns.
  ///
  /// - Parameters:
  ///   - period: The period that the device agreed to, ns.
  ///   - buffer: The length of the device's buffer, ns.
  ///   - wait: Returns how long the device makes the thread wait before a look, ns.
  ///   - frames: Returns the number of frames that a look brings, by the look's number.
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

  /// The device is always readable and delivers nothing: 40 µs a call, as with PulseAudio's plugin.
  @Test(arguments: [1, 5, 10, 20, 100, 1000] as [Int64])
  func aDeviceWithoutSoundIsPolledAtAFixedPace(period: Int64) {
    let looks = looks(period: period * Self.millisecond, wait: { 40_000 }, frames: { _ in 0 })
    #expect(abs(looks.count - 25 * 60) <= 20)
  }

  /// The device is always readable and delivers with every call, or with some: it runs free, or delivers frames one by
  /// one.
  @Test(arguments: [10, 20, 100] as [Int64], 1...4) func anAlwaysReadableDeviceIsNotPolledTooOften(
    period: Int64, seed: Int
  ) {
    var random = SeededGenerator(seed: UInt64(seed))
    let looks = looks(
      period: period * Self.millisecond, wait: { 40_000 },
      frames: { seed == 1 ? $0 : Int.random(in: 0...1, using: &random) })
    // The first 20 looks use the allowance for a late thread.
    #expect(looks.count <= 200 * 60 + 20)
  }

  /// A device that wakes the thread once a period is looked at once a period, despite jitter.
  @Test(arguments: [1, 2, 5, 10, 20, 100] as [Int64]) func aWaitingDeviceIsReadOnceAPeriod(
    period: Int64
  ) {
    var random = SeededGenerator(seed: 5)
    var pace = Pace(period: period * Self.millisecond, buffer: Self.second)
    var now: Int64 = 0
    for _ in 0..<10_000 {
      now += period * Self.millisecond + .random(in: -300_000...300_000, using: &random)
      #expect(pace.pause(after: 1, at: now) == 0)
    }
  }

  /// After a silence of any length the thread is back within 40 ms, and then keeps up with every period.
  @Test func thePaceRecoversWhenSoundReturns() {
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

  /// However long nothing arrived or nothing could be decided, sound that arrives right after a look fills at most a
  /// quarter of the buffer before the next.
  @Test(arguments: [(5, 10), (5, 20), (10, 20), (10, 40), (10, 79), (20, 200)] as [(Int64, Int64)])
  func aSmallBufferIsNotFilledBetweenTwoLooks(period: Int64, buffer: Int64) {
    let looks = looks(
      period: period * Self.millisecond, buffer: buffer * Self.millisecond, until: Self.second,
      wait: { 40_000 }, frames: { _ in 0 })
    let pauses = zip(looks.dropFirst(), looks).map { $0 - $1 - 40_000 }
    // Looks are 5 ms apart on average, or half a period, whatever the buffer.
    let longest = max(buffer * Self.millisecond / 4, min(5, period / 2) * Self.millisecond)
    // Each pause is rounded up to a millisecond.
    #expect(pauses.allSatisfy { $0 <= longest + Self.millisecond }, "\(pauses.max() ?? 0)")
  }

  /// A thread that was kept from running catches up at once.
  @Test func aDelayedThreadCatchesUpAtOnce() {
    var pace = Pace(period: 10 * Self.millisecond, buffer: 200 * Self.millisecond)
    _ = pace.pause(after: 480, at: 0)
    for index in 0..<10 {
      #expect(pace.pause(after: 480, at: Self.second + Int64(index) * 100_000) == 0)
    }
  }

  /// The real thread: the device counts frames and the thread counts wake-ups, so the result does not depend on another
  /// clock.
  @Test(
    .tags(.slow),
    arguments: ["at 1600 idle 48000", "at 1600 stand 48000", "at 1600 stall 48000", ""])
  func theThreadWakesAboutOnceAPeriod(fault: String) async throws {
    let end: UInt64 = 64_000
    let session = try await Session.captured(fault, end: end)
    #expect(session.recording.wrong == [] && session.device.made == end)
    #expect(
      Double(session.status.wakeUps) <= 250 * Double(end) / 16_000, "\(session.status.wakeUps)")
    // 3 of the 4 s have no sound: the thread wakes once a period while there is sound, and 25 times a second otherwise.
    if !fault.isEmpty { #expect(session.status.wakeUps <= 100 + 3 * 30 + 60) }
  }

  /// A device that wakes the thread from the start but delivers nothing, as a sound server does. Positions count from
  /// its first frame.
  @Test func theThreadWakesRarelyBeforeTheFirstFrame() async throws {
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
